"""The difference between the service's clock and the machine's clock."""

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from pulumi_dataprotection.client import Client, errors
from support.client.examples import GET, ORG, Exchange
from support.scripted import LOST, DrivenClock, Reply, html, told


def at(clock: DrivenClock, seconds: float) -> str:
    """Return the header of a service whose clock is ahead by some seconds."""
    return format_datetime(datetime.fromtimestamp(clock.time() + seconds, UTC), usegmt=True)


def test_the_skew_is_unknown_before_the_first_answer(client: Client) -> None:
    assert client.clock_skew is None


@pytest.mark.parametrize("seconds", [-86400, -301, 0, 1, 300, 86400 * 365])
def test_the_header_of_the_last_answer_states_the_skew(exchange: Exchange, clock: DrivenClock, seconds: int) -> None:
    exchange.send(GET, told(ORG, Date=at(clock, 60)), told(ORG, Date=at(clock, seconds)))
    exchange.send(GET)
    assert seconds == exchange.client.clock_skew


@pytest.mark.parametrize("reply", [told({}, 404), html("log in", 200), told([])], ids=["refused", "page", "no object"])
def test_the_answer_of_an_error_states_the_skew_too(exchange: Exchange, clock: DrivenClock, reply: Reply) -> None:
    exchange.error(GET, errors.CallError, Reply(reply.status, reply.body, {**reply.headers, "Date": at(clock, 60)}))
    assert 60 == exchange.client.clock_skew


@pytest.mark.parametrize(
    "reply",
    [
        LOST,
        *(told(ORG, Date=date) for date in ("", "soon", "0", "Sun, 99 Foo 2026 00:00:00 GMT")),
        told(ORG, Date="Mon, 01 Jan 99999999999999999999 00:00:00 GMT"),
    ],
)
def test_an_answer_without_a_date_keeps_the_skew(exchange: Exchange, clock: DrivenClock, reply: Reply) -> None:
    exchange.send(GET, told(ORG, Date=at(clock, 60)), reply, told(ORG))
    exchange.send(GET)
    assert 60 == exchange.client.clock_skew
