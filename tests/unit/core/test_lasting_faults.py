"""A policy that is changed while one step of it fails to the end: what was there stays, or the error says what is."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from typing import NamedTuple

import pytest

from pulumi_dataprotection.client import Account, Client, Settings, errors
from pulumi_dataprotection.client._transport.retry import MAX_ATTEMPTS
from pulumi_dataprotection.core.protection.operations import assign_policy, find_item
from pulumi_dataprotection.core.protection.plan import OnConflict
from support import Emulator
from support.history import moments_without_policy, policies_on
from support.scripted import InterruptedClock

TENANT, PERSON = "tenant-contoso", "res-contoso-user-20"
GOLD, SILVER = "policy-contoso-gold", "policy-contoso-silver"
REFUSING = {"second_policy": "invalid_argument"}
STRICT = {"second_policy": "conflict", "same_policy": "conflict"}
REPLACING = {"second_policy": "replaces"}
ADDING = {"second_policy": "adds"}


class Case(NamedTuple):
    """What goes wrong, and what is on the resource in the end.

    Attributes:
        service: the service's dialect.
        operation: what goes wrong.
        nth: the first of its calls that does.
        do: what happens to this one and to the next ones.
        left: the policies in the end.
        told: a part of the error, where there is one.
        unprotected: how many calls left the resource without a policy.
    """

    service: dict[str, str]
    operation: str
    nth: int
    do: list[str]
    left: list[str]
    told: str = ""
    unprotected: int = 0


PROTECT, UNPROTECT = "protect_resource", "unprotect_resource"
DOWN, LOST, NEVER_SENT = ["status:503"] * MAX_ATTEMPTS, ["after:reset"] * MAX_ATTEMPTS, ["reset"] * MAX_ATTEMPTS
BACK, BARE = f"The policy {GOLD} is on it again", f"{PERSON} IS NOT PROTECTED"

CASES = {
    "first protect, 503": Case(REFUSING, PROTECT, 1, DOWN, [GOLD], "503 "),
    "first protect, never sent": Case(REFUSING, PROTECT, 1, NEVER_SENT, [GOLD], "after 8 attempts"),
    "first protect, refusal lost": Case(REFUSING, PROTECT, 1, LOST, [GOLD], "after 8 attempts"),
    "unprotect, 503": Case(REFUSING, UNPROTECT, 1, DOWN, [GOLD], "503 "),
    "unprotect, never sent": Case(REFUSING, UNPROTECT, 1, NEVER_SENT, [GOLD], "after 8 attempts"),
    "unprotect, answer lost": Case(REFUSING, UNPROTECT, 1, LOST, [SILVER], unprotected=MAX_ATTEMPTS),
    "second protect, 503": Case(REFUSING, PROTECT, 2, DOWN, [GOLD], BACK, 1),
    "second protect, never sent": Case(REFUSING, PROTECT, 2, NEVER_SENT, [GOLD], BACK, 1),
    "second protect, answer lost": Case(REFUSING, PROTECT, 2, LOST, [SILVER], unprotected=1),
    "put back, 503": Case(REFUSING, PROTECT, 2, DOWN + DOWN, [], BARE, 1),
    "put back, answer lost": Case(REFUSING, PROTECT, 2, DOWN + LOST, [GOLD], BACK, 1),
    "put back, answer lost once": Case(STRICT, PROTECT, 2, ["status:400", "after:reset"], [GOLD], BACK, 1),
    "replacing, 503": Case(REPLACING, PROTECT, 1, DOWN, [GOLD], "503 "),
    "replacing, answer lost": Case(REPLACING, PROTECT, 1, LOST, [SILVER]),
    "adding, 503": Case(ADDING, PROTECT, 1, DOWN, [GOLD], "503 "),
    "adding, answer lost": Case(ADDING, PROTECT, 1, LOST, [SILVER]),
    "adding, unprotect 503": Case(ADDING, UNPROTECT, 1, DOWN, [GOLD, SILVER], "503 "),
    "adding, unprotect lost": Case(ADDING, UNPROTECT, 1, LOST, [SILVER]),
}


@contextmanager
def process(emulator: Emulator) -> Generator[Account]:
    """What a process begins with: nothing that was read, and a clock that waits for nobody."""
    settings = Settings(api_key=emulator.api_key, base_url=emulator.url, calls_per_second=0)
    with closing(Client(settings, clock=InterruptedClock())) as client:
        yield Account(client)


def want(account: Account, policy_id: str, *, own: set[str], on_conflict: OnConflict = "fail") -> str:
    """Bring a policy onto the person; return what was told about it."""
    view = account.tenant(TENANT)
    try:
        assign_policy(view, find_item(view, PERSON), view.policies.find(policy_id), own=own, on_conflict=on_conflict)
    except errors.DataProtectionError as error:
        return str(error)
    return ""


def start_with_gold(emulator: Emulator) -> None:
    protection = {"tenant_id": TENANT, "id": "prot-1", "resource_id": PERSON, "policy_id": GOLD, "job_id": "job-1"}
    emulator.patch({"protections": [protection]})


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_change_that_fails_leaves_what_it_says_and_the_next_one_comes_to_its_end(
    emulator: Emulator, case: Case
) -> None:
    emulator.set_dialect(**case.service)
    start_with_gold(emulator)
    with emulator.faults({"operation": case.operation, "nth": case.nth, "do": case.do}), process(emulator) as account:
        told = want(account, SILVER, own={GOLD})
    assert case.left == policies_on(emulator, PERSON)
    assert case.unprotected == moments_without_policy(emulator, PERSON, [GOLD], case.service["second_policy"])
    assert case.told in told
    assert bool(case.told) == bool(told)
    with process(emulator) as account:
        assert want(account, SILVER, own={GOLD}) == ""
    assert [SILVER] == policies_on(emulator, PERSON)


@pytest.mark.parametrize("lost", ["reset", "status:503"])
def test_a_policy_that_somebody_else_puts_on_between_two_tries_stays_and_both_are_named(
    emulator: Emulator, lost: str
) -> None:
    with emulator.faults({"operation": PROTECT, "do": [lost]}), process(emulator) as account:
        clock = account.client.clock
        assert isinstance(clock, InterruptedClock)
        clock.meanwhile = lambda: start_with_gold(emulator)
        told = want(account, SILVER, own=set())
    assert [GOLD] == policies_on(emulator, PERSON)
    assert 'with policy "Silver"' in told
    assert GOLD in told
