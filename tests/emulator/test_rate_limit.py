"""The call rate: section 8 and the status 429 of section 7."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import pytest

from pulumi_dataprotection.emulator._errors import TooManyRequests
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.requests.limits import Limits
from support import Emulator

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
ORG = "orgs/org-contoso"
BAN = 600

# One call in 50 seconds, so that no token grows while a test runs.
SLOW: dict[str, Any] = {"calls_per_second": 0.02, "burst": 1}
TWO: dict[str, Any] = {"calls_per_second": 0.02, "burst": 2}
WITHOUT_TIME = {**SLOW, "retry_after": "absent"}
WITH_DATE = {**SLOW, "retry_after": "date"}

Play = Callable[[dict[str, Any], str], list[int]]

# The dialect, the calls and the statuses: calls are (G)et, (P)ost, (W)rong id, (N)o path, (R)ead-only key,
# (S)tranger without a key and (C)ontrol plane; a number is the seconds that pass.
SCRIPTS: dict[str, tuple[dict[str, Any], str, list[int]]] = {
    "without a rate": ({}, "G" * 30, [200] * 30),
    "writes count as reads do": (TWO, "PGP", [200, 200, 429]),
    "calls that fail count": (SLOW, "WG", [404, 429]),
    "unknown paths do not count": (SLOW, "NG", [404, 200]),
    "calls without a valid key do not count": (SLOW, "SSS", [401] * 3),
    "the control plane has no rate": (SLOW, "CCC", [200] * 3),
    "each key has tokens of its own": (SLOW, "GGRR", [200, 429, 200, 429]),
    "no token before its time": (WITHOUT_TIME, "GG 40 G", [200, 429, 429]),
    "a token in time": (WITHOUT_TIME, "GG 51 G", [200, 429, 200]),
    "no more tokens than a burst": (TWO, "G 100000 GGG", [200, 200, 200, 429]),
    "a clock that is set back takes no token": (TWO, "G -100000 G", [200, 200]),
    "waiting as long as stated": (SLOW, "GG 50 G", [200, 429, 200]),
    "a wait that was not stated cannot be violated": (WITHOUT_TIME, "G" * 40, [200] + [429] * 39),
    "the twentieth violation bans": (SLOW, "G" * 22, [200] + [429] * 20 + [403]),
    "a ban holds": (SLOW, "G" * 22 + " 570 G", [200] + [429] * 20 + [403, 403]),
    "calls do not prolong a ban": (SLOW, "G" * 22 + " 300 G 300 G", [200] + [429] * 20 + [403, 403, 200]),
    "a ban is about one key": (SLOW, "G" * 22 + "R", [200] + [429] * 20 + [403, 200]),
}
# The rate and the burst, the seconds at which calls are made, and the wait that each of them gets.
WAITS: dict[str, tuple[tuple[float, int], list[float], list[str | None]]] = {
    "a burst": ((0.01, 3), [0] * 4, [None] * 3 + ["60"]),
    "a burst of less than a call per second": ((0.01, 0), [0] * 2, [None, "60"]),
    "a burst of a second's calls": ((4, 0), [0] * 5, [None] * 4 + ["1"]),
    "a burst of whole calls": ((4.9, 0), [0] * 5, [None] * 4 + ["1"]),
    "a burst of a call": ((100, 1), [0] * 2, [None, "1"]),
    "as fast as the rate": ((10, 1), [number / 10 for number in range(100)], [None] * 100),
    "a token before the stated wait is over": ((100, 1), [0, 0, 0.9], [None, "1", "1"]),
    "the stated wait is over": ((100, 1), [0, 0, 1], [None, "1", None]),
    "four violations double the wait": (
        (100, 1), [0] * 21, [None, *["1"] * 4, *["2"] * 4, *["4"] * 4, *["8"] * 4, *["16"] * 4]
    ),
    "the wait for a token": ((0.02, 1), [0] * 2, [None, "50"]),
    "the wait in whole seconds": ((0.03, 1), [0] * 2, [None, "34"]),
    "the wait of at most a minute": ((0.001, 1), [0] * 2, [None, "60"]),
}  # fmt: skip
# The dialect, the calls and the number of violations afterwards.
VIOLATIONS: dict[str, tuple[dict[str, Any], str, int]] = {
    "before the stated date": (WITH_DATE, "GGG", 1),
    "from nothing after a ban": (SLOW, f"{'G' * 22} {BAN} GGGG", 2),
    "remembered for a minute": (SLOW, "GGGGG 40", 3),
    "forgotten after a minute": (SLOW, "GGGGG 61", 0),
    "a refusal renews the minute": (SLOW, "GGGGG 40 G 40", 4),
}


@pytest.fixture
def play(
    service: httpx.Client, reader: httpx.Client, stranger: httpx.Client, control: httpx.Client, emulator: Emulator
) -> Play:
    """Set a dialect and send the calls of a script; return their statuses."""
    calls: dict[str, Callable[[], httpx.Response]] = {
        "G": lambda: service.get(ORG),
        "P": lambda: service.post("orgs"),
        "W": lambda: service.get("orgs/org-nowhere"),
        "N": lambda: service.get("nothing"),
        "R": lambda: reader.get(ORG),
        "S": lambda: stranger.get(ORG),
        "C": lambda: control.get("health"),
    }

    def run(dialect: dict[str, Any], script: str) -> list[int]:
        emulator.set_dialect(**dialect)
        statuses: list[int] = []
        for part in script.split():
            if part.lstrip("-").isdecimal():
                emulator.advance(int(part))
            else:
                statuses += [calls[call]().status_code for call in part]
        return statuses

    return run


@pytest.fixture
def slow(service: httpx.Client, emulator: Emulator) -> httpx.Client:
    """A client with the right to one call in 50 seconds."""
    emulator.set_dialect(**SLOW)
    return service


def bucket(control: httpx.Client, key: str = "Full access") -> dict[str, Any]:
    shown: dict[str, Any] = control.get("limits").json()[key]
    return shown


def exhaust(client: httpx.Client, violations: int) -> httpx.Response:
    """Take the one token, get a wait, and violate it; return the last answer."""
    client.get(ORG).raise_for_status()
    for _ in range(violations):
        client.get(ORG)
    return client.get(ORG)


def outcome(limits: Limits, dialect: Dialect, now: datetime) -> str | None:
    """Count a call at a chosen time; return the wait that it gets, if any."""
    try:
        limits.count("Full access", dialect, now)
    except TooManyRequests as refusal:
        return refusal.headers["Retry-After"]
    return None


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_statuses_of_calls_at_a_rate(play: Play, name: str) -> None:
    dialect, script, expected = SCRIPTS[name]
    assert expected == play(dialect, script)


@pytest.mark.parametrize("name", VIOLATIONS)
def test_the_violations_after_calls_at_a_rate(play: Play, control: httpx.Client, name: str) -> None:
    dialect, script, expected = VIOLATIONS[name]
    play(dialect, script)
    assert expected == bucket(control)["violations"]


@pytest.mark.parametrize("name", WAITS)
def test_the_waits_of_calls_at_chosen_times(name: str) -> None:
    (rate, burst), seconds, expected = WAITS[name]
    limits, dialect = Limits(), Dialect(calls_per_second=rate, burst=burst)
    assert expected == [outcome(limits, dialect, NOON + timedelta(seconds=second)) for second in seconds]


def test_a_date_is_the_end_of_the_wait_by_the_clock_of_the_answer(
    service: httpx.Client, emulator: Emulator, control: httpx.Client
) -> None:
    emulator.set_dialect(**WITH_DATE)
    emulator.advance(1_000_000)
    headers = exhaust(service, 0).headers
    date = parsedate_to_datetime(headers["Retry-After"])
    assert timedelta(seconds=40) < date - parsedate_to_datetime(headers["Date"]) <= timedelta(seconds=51)
    control.post("clock", json={"now": date.isoformat()}).raise_for_status()
    assert service.get(ORG).status_code == 200


@pytest.mark.parametrize("error_body", ["message", "empty"])
def test_a_refused_write_is_logged_with_its_key_and_not_done(
    service: httpx.Client, emulator: Emulator, error_body: str
) -> None:
    emulator.set_dialect(**WITHOUT_TIME, error_body=error_body)
    service.get(ORG)
    before = emulator.state()
    refused = service.post("orgs")
    assert ("Retry-After" in refused.headers, refused.content == b"") == (False, error_body == "empty")
    assert before == emulator.state()
    logged = [(request["status"], request["key"]) for request in emulator.requests()]
    assert [(200, "Full access"), (429, "Full access")] == logged


def test_a_refusal_names_the_rate_and_the_violations(slow: httpx.Client) -> None:
    rate = 'the application "Full access" makes more than 0.02 calls per second'
    assert rate == exhaust(slow, 0).json()["message"]
    violated = f"{rate}; it called 1 times while it was told to wait, 20 bring a ban"
    assert violated == slow.get(ORG).json()["message"]


def test_the_refusal_of_a_banned_key_says_why_and_how_long(
    slow: httpx.Client, emulator: Emulator, control: httpx.Client
) -> None:
    message = exhaust(slow, 20).json()["message"]
    until = bucket(control)["banned_until"]
    assert f'the application "Full access" is banned until {until}: it called 20 times' in message
    left = datetime.fromisoformat(until) - emulator.now()
    assert timedelta(seconds=BAN - 30) < left <= timedelta(seconds=BAN)


def test_the_limits_show_each_key(
    slow: httpx.Client, reader: httpx.Client, control: httpx.Client, emulator: Emulator
) -> None:
    exhaust(slow, 2)
    reader.get("orgs/org-nowhere")
    shown = control.get("limits").json()
    times = {name: limits.pop("wait_until") is not None for name, limits in shown.items()}
    assert {"Full access": True, "Read-only": False} == times
    assert [0, 0] == [round(limits.pop("tokens"), 1) for limits in shown.values()]
    assert {
        "Full access": {"violations": 2, "banned_until": None, "refused": 3},
        "Read-only": {"violations": 0, "banned_until": None, "refused": 0},
    } == shown
    emulator.advance(50)
    assert (None, 1) == (bucket(control)["wait_until"], bucket(control)["tokens"])


def test_another_dialect_refills_the_buckets(slow: httpx.Client, control: httpx.Client, emulator: Emulator) -> None:
    exhaust(slow, 20)
    emulator.set_dialect(**SLOW)
    assert control.get("limits").json() == {}


def test_without_a_rate_there_are_no_limits(service: httpx.Client, control: httpx.Client) -> None:
    service.get(ORG)
    assert control.get("limits").json() == {}


@pytest.mark.parametrize("plane", ["service", "control"])
def test_answers_carry_the_time_of_the_services_clock(
    service: httpx.Client, control: httpx.Client, emulator: Emulator, plane: str
) -> None:
    emulator.advance(1_000_000)
    response = service.get(ORG) if plane == "service" else control.get("health")
    assert abs(emulator.now() - parsedate_to_datetime(response.headers["Date"])) < timedelta(minutes=1)
