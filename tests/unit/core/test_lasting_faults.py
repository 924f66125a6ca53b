"""Changes of a policy while one call fails to the end: the old policy stays, or the error names the state."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from pulumi_dataprotection.client import Account, errors
from pulumi_dataprotection.client._transport.retry import MAX_ATTEMPTS
from pulumi_dataprotection.core.protection.operations import assign_policy, find_item
from support import Emulator
from support.history import moments_without_policy, policies_on
from support.resources.contoso import GOLD, HANNAH, SILVER, TENANT, add_policy
from support.scripted import InterruptedClock

REFUSING = {"second_policy": "invalid_argument"}
STRICT = {"second_policy": "conflict", "same_policy": "conflict"}
REPLACING = {"second_policy": "replaces"}
ADDING = {"second_policy": "adds"}


class Case(NamedTuple):
    """A fault, and the policies of the item in the end.

    Attributes:
        dialect: the service's dialect.
        operation: the operation that fails.
        nth: its first call that fails.
        do: the faults of this call and the next calls.
        left: the policies in the end.
        names: a part of the error; empty if the change succeeds.
        unprotected: the number of calls after which the item had no policy.
    """

    dialect: dict[str, str]
    operation: str
    nth: int
    do: list[str]
    left: list[str]
    names: str = ""
    unprotected: int = 0


PROTECT, UNPROTECT = "protect_resource", "unprotect_resource"
DOWN, LOST, NEVER_SENT = ["status:503"] * MAX_ATTEMPTS, ["after:reset"] * MAX_ATTEMPTS, ["reset"] * MAX_ATTEMPTS
ATTEMPTS = f"{MAX_ATTEMPTS} attempts"
BACK, BARE = f"{GOLD} is on it again", f"{HANNAH} IS NOT PROTECTED"

CASES = {
    "first protect, 503": Case(REFUSING, PROTECT, 1, DOWN, [GOLD], "503 "),
    "first protect, never sent": Case(REFUSING, PROTECT, 1, NEVER_SENT, [GOLD], ATTEMPTS),
    "first protect, refusal lost": Case(REFUSING, PROTECT, 1, LOST, [GOLD], ATTEMPTS),
    "unprotect, 503": Case(REFUSING, UNPROTECT, 1, DOWN, [GOLD], "503 "),
    "unprotect, never sent": Case(REFUSING, UNPROTECT, 1, NEVER_SENT, [GOLD], ATTEMPTS),
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


def assign_silver(account: Account, *own: str) -> str:
    """Assign Silver to the item, and return the error if it fails."""
    tenant = account.tenant(TENANT)
    item, policy = find_item(tenant, HANNAH), tenant.policies.find(SILVER)
    try:
        assign_policy(tenant, item, policy, own=own, on_conflict="fail")
    except errors.DataProtectionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_failed_change_leaves_the_state_of_its_error_and_the_next_change_ends_it(
    open_account: Callable[..., Account], emulator: Emulator, case: Case
) -> None:
    emulator.set_dialect(**case.dialect)
    add_policy(emulator, GOLD, HANNAH)
    with emulator.faults({"operation": case.operation, "nth": case.nth, "do": case.do}):
        error = assign_silver(open_account(), GOLD)
    assert case.left == policies_on(emulator, HANNAH)
    assert case.unprotected == moments_without_policy(emulator, HANNAH, [GOLD], case.dialect["second_policy"])
    assert (bool(case.names), True) == (bool(error), case.names in error)
    assert assign_silver(open_account(), GOLD) == ""
    assert [SILVER] == policies_on(emulator, HANNAH)


@pytest.mark.parametrize("lost", ["reset", "status:503"])
def test_a_policy_that_others_assign_between_two_attempts_stays_and_both_policies_are_named(
    open_account: Callable[..., Account], emulator: Emulator, lost: str
) -> None:
    clock = InterruptedClock()
    clock.meanwhile = lambda: add_policy(emulator, GOLD, HANNAH)
    with emulator.faults({"operation": PROTECT, "do": [lost]}):
        error = assign_silver(open_account(clock))
    assert [GOLD] == policies_on(emulator, HANNAH)
    assert ('"Silver"' in error, GOLD in error) == (True, True)
