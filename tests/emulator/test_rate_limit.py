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


@pytest.mark.parametrize(
    ("rate", "burst", "expected"),
    [(0.01, 3, 3), (0.01, 0, 1), (4, 0, 4), (4.9, 0, 4), (100, 1, 1)],
    ids=["a burst", "less than one per second", "those of one second", "whole ones", "a burst of one"],
)
def test_as_many_calls_as_a_burst_has_are_answered_at_once(rate: float, burst: int, expected: int) -> None:
    limits, dialect = Limits(), Dialect(calls_per_second=rate, burst=burst)
    outcomes = [outcome(limits, dialect, NOON) for _ in range(expected + 1)]
    assert [None] * expected == outcomes[:-1]
    assert outcomes[-1] is not None


def test_calls_as_fast_as_the_rate_are_all_answered() -> None:
    limits, dialect = Limits(), Dialect(calls_per_second=10, burst=1)
    assert {outcome(limits, dialect, NOON + number * timedelta(milliseconds=100)) for number in range(100)} == {None}


def test_a_wait_is_at_least_a_second() -> None:
    limits, dialect = Limits(), Dialect(calls_per_second=100, burst=1)
    assert [outcome(limits, dialect, NOON) for _ in range(2)] == [None, "1"]


@pytest.mark.parametrize(("seconds", "expected"), [(0.9, "1"), (1, None)])
def test_tokens_are_of_no_use_before_the_stated_wait_is_over(seconds: float, expected: str | None) -> None:
    limits, dialect = Limits(), Dialect(calls_per_second=100, burst=1)
    for _ in range(2):
        outcome(limits, dialect, NOON)
    assert expected == outcome(limits, dialect, NOON + timedelta(seconds=seconds))


def test_waits_double_with_every_four_violations() -> None:
    limits, dialect = Limits(), Dialect(calls_per_second=100, burst=1)
    waits = [outcome(limits, dialect, NOON) for _ in range(21)]
    assert waits == [None, *["1"] * 4, *["2"] * 4, *["4"] * 4, *["8"] * 4, *["16"] * 4]


def test_a_refused_write_is_not_done(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.01)
    service.get(ORG)
    before = emulator.state()
    service.post("orgs")
    assert before == emulator.state()


@pytest.mark.parametrize(("rate", "expected"), [(0.02, "50"), (0.03, "34"), (0.001, "60")])
def test_a_refused_call_gets_the_wait_for_a_token_at_most_a_minute(rate: float, expected: str) -> None:
    limits, dialect = Limits(), Dialect(calls_per_second=rate, burst=1)
    assert [None, expected] == [outcome(limits, dialect, NOON) for _ in range(2)]


def test_a_date_tells_when_to_come_back_by_the_clock_of_the_answer(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.02, burst=1, retry_after="date")
    emulator.advance(1_000_000)
    service.get(ORG)
    headers = service.get(ORG).headers
    wait = parsedate_to_datetime(headers["Retry-After"]) - parsedate_to_datetime(headers["Date"])
    assert timedelta(seconds=40) < wait <= timedelta(seconds=51)


def test_who_comes_back_at_the_date_is_answered(
    service: httpx.Client, emulator: Emulator, control: httpx.Client
) -> None:
    emulator.set_dialect(calls_per_second=0.02, burst=1, retry_after="date")
    service.get(ORG)
    date = parsedate_to_datetime(service.get(ORG).headers["Retry-After"])
    control.post("clock", json={"now": date.isoformat()}).raise_for_status()
    assert service.get(ORG).status_code == 200


def test_a_dialect_without_the_header_says_no_time(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.02, burst=1, retry_after="absent")
    service.get(ORG)
    assert "Retry-After" not in service.get(ORG).headers


def test_the_refusal_says_which_rate_was_exceeded(slow: httpx.Client) -> None:
    expected = {"message": 'the application "Full access" makes more than 0.02 calls per second'}
    assert expected == exhaust(slow, 0).json()


def test_the_refusal_counts_the_violations(slow: httpx.Client) -> None:
    message = exhaust(slow, 3).json()["message"]
    assert message.endswith("; it called 3 times while it was told to wait, 20 bring a ban")


def test_the_refusal_of_a_banned_key_says_why_and_how_long(
    slow: httpx.Client, emulator: Emulator, control: httpx.Client
) -> None:
    message = exhaust(slow, 20).json()["message"]
    until = bucket(control)["banned_until"]
    expected = (
        f'the application "Full access" is banned until {until}: it called 20 times while it was told to wait',
        True,
    )
    left = datetime.fromisoformat(until) - emulator.now()
    assert expected == (message, timedelta(seconds=BAN - 30) < left <= timedelta(seconds=BAN))


def test_the_limits_show_each_key(slow: httpx.Client, reader: httpx.Client, control: httpx.Client) -> None:
    exhaust(slow, 2)
    reader.get("orgs/org-nowhere")
    shown = control.get("limits").json()
    times = {name: limits.pop("wait_until") for name, limits in shown.items()}
    tokens = {name: round(limits.pop("tokens"), 1) for name, limits in shown.items()}
    assert {
        "Full access": {"violations": 2, "banned_until": None, "refused": 3},
        "Read-only": {"violations": 0, "banned_until": None, "refused": 0},
    } == shown
    assert {"Full access": (True, 0), "Read-only": (False, 0)} == {
        name: (times[name] is not None, tokens[name]) for name in shown
    }


def test_the_limits_show_no_wait_that_is_over(slow: httpx.Client, emulator: Emulator, control: httpx.Client) -> None:
    exhaust(slow, 0)
    emulator.advance(50)
    assert (None, 1) == (bucket(control)["wait_until"], bucket(control)["tokens"])


def test_without_a_rate_there_are_no_limits(service: httpx.Client, control: httpx.Client) -> None:
    service.get(ORG)
    assert control.get("limits").json() == {}


@pytest.mark.parametrize("name", ["reset", "seed", "dialect"])
def test_a_new_start_refills_the_buckets(slow: httpx.Client, control: httpx.Client, name: str) -> None:
    exhaust(slow, 20)
    if name == "dialect":
        control.put("dialect", json={"calls_per_second": 0.02}).raise_for_status()
    else:
        control.post(name, json={"seed": "demo"}).raise_for_status()
    assert control.get("limits").json() == {}


def test_the_error_body_is_the_dialects(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.02, burst=1, error_body="empty")
    assert exhaust(service, 0).content == b""


def test_refused_calls_are_in_the_log_with_their_key(slow: httpx.Client, emulator: Emulator) -> None:
    exhaust(slow, 0)
    assert [(request["status"], request["key"]) for request in emulator.requests()] == [
        (200, "Full access"),
        (429, "Full access"),
    ]


@pytest.mark.parametrize("plane", ["service", "control"])
def test_answers_carry_the_time_of_the_services_clock(
    service: httpx.Client, control: httpx.Client, emulator: Emulator, plane: str
) -> None:
    emulator.advance(1_000_000)
    response = service.get(ORG) if plane == "service" else control.get("health")
    assert abs(emulator.now() - parsedate_to_datetime(response.headers["Date"])) < timedelta(minutes=1)
