"""A value is read once for all threads, and waiting threads share a failure."""

import pytest

from pulumi_dataprotection.client.cache.single_flight import SingleFlight


def test_a_waiting_thread_gets_the_failure_of_the_read_that_it_waited_for() -> None:
    flight = SingleFlight()
    first, second = flight.enter(), flight.enter()
    with pytest.raises(ValueError, match="not now"), first:
        raise ValueError("not now")
    with pytest.raises(ValueError, match="not now"), second:
        pytest.fail("the read was repeated")
    with flight.enter():
        pass


def test_a_waiting_thread_may_read_after_a_success() -> None:
    flight = SingleFlight()
    first, second = flight.enter(), flight.enter()
    with first:
        pass
    with second:
        pass
