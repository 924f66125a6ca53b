"""The call rate: section 8 and the status 429 of section 7."""

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


@pytest.fixture
def slow(service: httpx.Client, emulator: Emulator) -> httpx.Client:
    """A client with the right to one call in 50 seconds, so that no token grows while a test runs."""
    emulator.set_dialect(calls_per_second=0.02, burst=1)
    return service


def statuses(client: httpx.Client, calls: int) -> list[int]:
    return [client.get(ORG).status_code for _ in range(calls)]


def bucket(control: httpx.Client, key: str = "Full access") -> dict[str, Any]:
    shown: dict[str, Any] = control.get("limits").json()[key]
    return shown


def exhaust(client: httpx.Client, violations: int) -> httpx.Response:
    """Take the one token, be told to wait, and call on; return the last answer."""
    client.get(ORG).raise_for_status()
    for _ in range(violations):
        client.get(ORG)
    return client.get(ORG)


def outcome(limits: Limits, dialect: Dialect, now: datetime) -> str | None:
    """The wait that a call at a time of one's own is told, if any."""
    try:
        limits.count("Full access", dialect, now)
    except TooManyRequests as refusal:
        return refusal.headers["Retry-After"]
    return None


def test_without_a_rate_any_number_of_calls_is_answered(service: httpx.Client) -> None:
    assert statuses(service, 30) == [200] * 30


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


def test_writes_count_as_reads_do(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.01, burst=2)
    answers = [service.post("orgs"), service.get(ORG), service.post("orgs")]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


def test_a_refused_write_is_not_done(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.01)
    service.get(ORG)
    before = emulator.state()
    service.post("orgs")
    assert before == emulator.state()


def test_calls_that_fail_count_too(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.01, burst=1)
    answers = [service.get("orgs/org-nowhere"), service.get(ORG)]
    assert [answer.status_code for answer in answers] == [404, 429]


def test_calls_to_paths_that_are_none_do_not_count(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.01, burst=1)
    answers = [service.get("nothing"), service.get(ORG)]
    assert [answer.status_code for answer in answers] == [404, 200]


def test_calls_without_a_valid_key_do_not_count(stranger: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.01, burst=1)
    assert statuses(stranger, 3) == [401] * 3


def test_the_control_plane_has_no_rate(emulator: Emulator, control: httpx.Client) -> None:
    emulator.set_dialect(calls_per_second=0.01, burst=1)
    assert [control.get("health").status_code for _ in range(3)] == [200] * 3


def test_each_key_has_tokens_of_its_own(slow: httpx.Client, reader: httpx.Client) -> None:
    assert (statuses(slow, 2), statuses(reader, 2)) == ([200, 429], [200, 429])


@pytest.mark.parametrize(("seconds", "expected"), [(40, 429), (51, 200)])
def test_a_token_grows_with_the_services_clock(
    service: httpx.Client, emulator: Emulator, seconds: int, expected: int
) -> None:
    emulator.set_dialect(calls_per_second=0.02, burst=1, retry_after="absent")
    statuses(service, 2)
    emulator.advance(seconds)
    assert statuses(service, 1) == [expected]


def test_no_more_tokens_grow_than_a_burst_has(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.02, burst=2)
    service.get(ORG)
    emulator.advance(100_000)
    assert statuses(service, 3) == [200, 200, 429]


def test_a_clock_that_is_set_back_takes_no_token_away(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.02, burst=2)
    service.get(ORG)
    emulator.advance(-100_000)
    assert statuses(service, 1) == [200]


@pytest.mark.parametrize(("rate", "expected"), [(0.02, "50"), (0.03, "34"), (0.001, "60")])
def test_a_refused_call_is_told_when_there_is_a_token_within_a_minute(rate: float, expected: str) -> None:
    limits, dialect = Limits(), Dialect(calls_per_second=rate, burst=1)
    assert [None, expected] == [outcome(limits, dialect, NOON) for _ in range(2)]


def test_who_waits_as_long_as_told_is_answered(slow: httpx.Client, emulator: Emulator) -> None:
    slow.get(ORG)
    wait = int(slow.get(ORG).headers["Retry-After"])
    emulator.advance(wait)
    assert statuses(slow, 1) == [200]


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
    assert statuses(service, 1) == [200]


def test_who_comes_back_before_the_date_violates_the_wait(
    service: httpx.Client, emulator: Emulator, control: httpx.Client
) -> None:
    emulator.set_dialect(calls_per_second=0.02, burst=1, retry_after="date")
    exhaust(service, 1)
    assert bucket(control)["violations"] == 1


def test_a_dialect_without_the_header_says_no_time(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.02, burst=1, retry_after="absent")
    service.get(ORG)
    assert "Retry-After" not in service.get(ORG).headers


def test_a_wait_that_was_not_stated_cannot_be_violated(
    service: httpx.Client, emulator: Emulator, control: httpx.Client
) -> None:
    emulator.set_dialect(calls_per_second=0.02, burst=1, retry_after="absent")
    answered = statuses(service, 40)
    assert (answered, bucket(control)["violations"]) == ([200] + [429] * 39, 0)


def test_the_refusal_says_which_rate_was_exceeded(slow: httpx.Client) -> None:
    expected = {"message": 'the application "Full access" makes more than 0.02 calls per second'}
    assert expected == exhaust(slow, 0).json()


def test_the_refusal_counts_the_violations(slow: httpx.Client) -> None:
    message = exhaust(slow, 3).json()["message"]
    assert message.endswith("; it called 3 times while it was told to wait, 20 bring a ban")


def test_the_twentieth_violation_bans_the_key(slow: httpx.Client) -> None:
    answered = [exhaust(slow, 18).status_code, *statuses(slow, 2)]
    assert answered == [429, 429, 403]


def test_a_banned_key_is_told_why_and_how_long(slow: httpx.Client, emulator: Emulator, control: httpx.Client) -> None:
    message = exhaust(slow, 20).json()["message"]
    until = bucket(control)["banned_until"]
    expected = (
        f'the application "Full access" is banned until {until}: it called 20 times while it was told to wait',
        True,
    )
    left = datetime.fromisoformat(until) - emulator.now()
    assert expected == (message, timedelta(seconds=BAN - 30) < left <= timedelta(seconds=BAN))


def test_a_ban_holds_for_the_whole_time_whatever_is_called(slow: httpx.Client, emulator: Emulator) -> None:
    exhaust(slow, 20)
    emulator.advance(BAN / 2)
    between = slow.get(ORG).status_code
    emulator.advance(BAN / 2)
    assert (between, slow.get(ORG).status_code) == (403, 200)


def test_a_ban_holds_until_ten_minutes_are_over(slow: httpx.Client, emulator: Emulator) -> None:
    exhaust(slow, 20)
    emulator.advance(BAN - 30)
    assert statuses(slow, 1) == [403]


def test_a_ban_leaves_the_other_keys_alone(slow: httpx.Client, reader: httpx.Client) -> None:
    exhaust(slow, 20)
    assert statuses(reader, 1) == [200]


def test_after_a_ban_violations_count_from_nothing(
    slow: httpx.Client, emulator: Emulator, control: httpx.Client
) -> None:
    exhaust(slow, 20)
    emulator.advance(BAN)
    exhaust(slow, 2)
    assert bucket(control)["violations"] == 2


@pytest.mark.parametrize(("seconds", "expected"), [(40, 3), (61, 0)])
def test_violations_are_forgotten_after_a_minute_without_a_refusal(
    slow: httpx.Client, emulator: Emulator, control: httpx.Client, seconds: int, expected: int
) -> None:
    exhaust(slow, 3)
    emulator.advance(seconds)
    assert expected == bucket(control)["violations"]


def test_a_refusal_keeps_the_earlier_violations_in_mind(
    slow: httpx.Client, emulator: Emulator, control: httpx.Client
) -> None:
    exhaust(slow, 3)
    emulator.advance(40)
    slow.get(ORG)
    emulator.advance(40)
    assert bucket(control)["violations"] == 4


def test_the_limits_show_what_each_key_has(slow: httpx.Client, reader: httpx.Client, control: httpx.Client) -> None:
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
def test_what_starts_over_starts_the_buckets_afresh(slow: httpx.Client, control: httpx.Client, name: str) -> None:
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


def test_answers_carry_the_time_of_the_services_clock(service: httpx.Client, emulator: Emulator) -> None:
    emulator.advance(1_000_000)
    date = parsedate_to_datetime(service.get(ORG).headers["Date"])
    assert abs(emulator.now() - date) < timedelta(minutes=1)


def test_the_control_plane_carries_that_time_too(emulator: Emulator, control: httpx.Client) -> None:
    emulator.advance(1_000_000)
    date = parsedate_to_datetime(control.get("health").headers["Date"])
    assert abs(emulator.now() - date) < timedelta(minutes=1)
