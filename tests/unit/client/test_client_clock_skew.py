"""How far the service's clock is from ours."""

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from pulumi_dataprotection.client import Client
from support.client.examples import GET, ORG, refused
from support.scripted import LOST, DrivenClock, Reply, Scripted, html, told


def at(clock: DrivenClock, seconds: float) -> str:
    """The header of a service whose clock is so many seconds ahead of ours."""
    return format_datetime(datetime.fromtimestamp(clock.time() + seconds, UTC), usegmt=True)


def test_nothing_is_known_before_the_first_answer(client: Client) -> None:
    assert client.clock_skew is None


@pytest.mark.parametrize("seconds", [-86400, -301, 0, 1, 300, 86400 * 365])
def test_the_header_date_tells_how_far_the_service_is_ahead(
    client: Client, server: Scripted, clock: DrivenClock, seconds: int
) -> None:
    server.script(told(ORG, Date=at(clock, seconds)))
    client.send(GET)
    assert seconds == client.clock_skew


@pytest.mark.parametrize("reply", [told({}, 404), html("log in", 200), told([])], ids=["refused", "page", "no object"])
def test_an_answer_that_is_an_error_tells_it_too(
    client: Client, server: Scripted, clock: DrivenClock, reply: Reply
) -> None:
    server.script(Reply(reply.status, reply.body, {**reply.headers, "Date": at(clock, 60)}))
    refused(client, GET)
    assert client.clock_skew == 60


def test_the_last_answer_counts(client: Client, server: Scripted, clock: DrivenClock) -> None:
    server.script(told(ORG, Date=at(clock, 60)), told(ORG, Date=at(clock, 30)))
    client.send(GET)
    client.send(GET)
    assert client.clock_skew == 30


@pytest.mark.parametrize(
    "date", ["", "soon", "0", "Sun, 99 Foo 2026 00:00:00 GMT", "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"]
)
def test_what_is_no_date_leaves_what_was_known(client: Client, server: Scripted, clock: DrivenClock, date: str) -> None:
    server.script(told(ORG, Date=at(clock, 60)), told(ORG, Date=date))
    client.send(GET)
    client.send(GET)
    assert client.clock_skew == 60


def test_a_lost_answer_leaves_what_was_known(client: Client, server: Scripted, clock: DrivenClock) -> None:
    server.script(told(ORG, Date=at(clock, 60)), LOST, told(ORG))
    client.send(GET)
    client.send(GET)
    assert client.clock_skew == 60
