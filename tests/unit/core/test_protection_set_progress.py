"""The progress of a protection set: shown while it runs, at most twice a second."""

import re
from collections.abc import Callable

import pytest
from pulumi.runtime.proto import engine_pb2

from pulumi_dataprotection.client import Account, calls
from pulumi_dataprotection.core.protection_set.plan import SetState
from pulumi_dataprotection.core.protection_set.progress import Result, for_each
from pulumi_dataprotection.spec import BY_ID
from support import Emulator
from support.resources.arguments import members
from support.resources.contoso import user
from support.resources.servicer import Engine
from support.resources.sets import Sets

TEN = [user(number) for number in range(9, 19)]


@pytest.mark.parametrize(("seconds", "min_shown", "max_shown"), [(0.001, 0, 0), (0.1, 10, 20), (3.0, 40, 100)])
def test_progress_is_shown_at_most_twice_a_second(
    open_account: Callable[..., Account], seconds: float, min_shown: int, max_shown: int
) -> None:
    account = open_account(concurrency=1)
    clock = account.client.clock
    shown: list[tuple[float, int]] = []

    def show(text: str) -> None:
        done, _, others = text.partition("/")
        assert "100 protected" == others
        shown.append((clock.monotonic(), int(done)))

    result = Result.after(SetState())
    items = [str(number) for number in range(100)]
    for id, _ in for_each(lambda _: clock.sleep(seconds), items, result, account.client, show=show, does="protected"):
        result.note(id, "gold", made=True)
    assert (True, 100) == (min_shown <= len(shown) <= max_shown, result.assigned), len(shown)
    times, done = [time for time, _ in shown], [done for _, done in shown]
    assert [] == [pause for pause in map(float.__sub__, times[1:], times) if pause < 0.499]
    assert sorted({*done}) == done


def test_progress_counts_failures_in_the_status_column_only(sets: Sets, emulator: Emulator, engine: Engine) -> None:
    wait = {"status": 429, "headers": {"Retry-After": "1"}}
    faults = [{"operation": "protect_resource", "path": f"*/{id}/*", "do": [wait, "status:404"]} for id in TEN]
    with emulator.faults(*faults):
        assert "10 failed:" in sets.up(people=members(*TEN)).error
    passing = [message.message for message in engine.messages if message.ephemeral]
    lasting = [message.message for message in engine.messages if not message.ephemeral]
    assert ["10 to protect, of 10 members."] == [text.splitlines()[0] for text in lasting]
    assert {engine_pb2.INFO} == {message.severity for message in engine.messages}
    parts = [re.fullmatch(r"0/10 protected, (\d+) failed", text) for text in passing]
    assert (True, True) == (len(parts) > 0, all(parts)), passing


def test_removals_of_a_set_are_progress_too(sets: Sets, emulator: Emulator, engine: Engine) -> None:
    sets.up(people=members(*TEN))
    wait = {"status": 429, "headers": {"Retry-After": "1"}}
    faults = [{"operation": "unprotect_resource", "path": f"*/{id}/*", "do": [wait]} for id in TEN[:3]]
    with emulator.faults(*faults):
        sets.up(people=members(*TEN[5:]))
    shown = [message.message for message in engine.messages if message.ephemeral]
    assert [True] == [*{bool(re.fullmatch(r"\d/5 unprotected", text)) for text in shown}], shown


def test_a_long_cool_down_ends_the_work(open_account: Callable[..., Account], emulator: Emulator) -> None:
    emulator.reset("large:1x100")
    account, result = open_account(concurrency=4), Result.after(SetState())

    def assign(item_id: str) -> object:
        call = calls.protect_resource("tenant-0001", item_id, policy_id="policy-0001-gold")
        return account.client.send(call)

    ids = [f"res-{number:07}" for number in range(1, 101)]
    # Each thread learns of the cool-down by its own call, or by that of another thread.
    with emulator.possible_faults({"do": [{"status": 429, "headers": {"Retry-After": "86400"}}] * 4}):
        done = [*for_each(assign, ids, result, account.client, show=lambda _: None, does="protected")]
    assert len(emulator.requests()) <= 4
    assert (True, 100) == (result.untried > 0, len(done) + len(result.failed) + result.untried)


def test_waits_of_members_are_shown_at_the_set(sets: Sets, emulator: Emulator, engine: Engine) -> None:
    wait = {"status": 429, "headers": {"Retry-After": "60"}}
    with emulator.faults({"operation": "protect_resource", "do": [wait]}):
        sets.up(people=members(*TEN))
    waits = [message for message in engine.messages if message.message.startswith("waiting ")]
    assert {True} == {message.ephemeral and message.urn.endswith("::people") for message in waits}
    assert "cannot protect a resource yet (429)" in {message.message.partition(": ")[2] for message in waits}


def test_waits_of_a_check_and_of_read_aheads_are_shown(sets: Sets, emulator: Emulator, engine: Engine) -> None:
    wait = {"status": 503, "headers": {"Retry-After": "60"}}
    lists = ("list_resources", "list_protections", "list_policies")
    with emulator.faults(*({"operation": operation, "do": [wait]} for operation in lists)):
        sets.preview(people=members(*TEN))
    waits = {message.message.partition(": ")[2]: message.urn.rpartition("::")[2] for message in engine.messages}
    expected = {f"cannot {BY_ID[operation].does} yet (503)": "people" for operation in lists}
    assert expected == {text: name for text, name in waits.items() if "cannot" in text}


def test_a_quick_run_shows_no_progress(sets: Sets, engine: Engine) -> None:
    sets.up(people=members(*TEN))
    first_lines = [message.message.splitlines()[0] for message in engine.messages]
    assert ["10 to protect, of 10 members.", "10 protected."] == first_lines
