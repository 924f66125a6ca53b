"""A new policy in the program, while the service or the provider fails in the middle: no item stays unprotected."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pytest

from support import Emulator
from support.engine.held import HELD, LATER, hold_up
from support.engine.stack import Stack
from support.resources.effects import moments_without_policy, policies_on

GOLD, SILVER = "policy-contoso-gold", "policy-contoso-silver"


def resource(number: int) -> str:
    return f"res-contoso-user-{number}"


def program(policy: str, numbers: Iterable[int]) -> str:
    return f"""
        for number in {[*numbers]}:
            Protection(f"user-{{number}}", tenant_id="tenant-contoso", resource=f"res-contoso-user-{{number}}",
                       policy="{policy}")
    """


def protected_with_gold(stack: Stack, emulator: Emulator, second_policy: str, numbers: Iterable[int]) -> None:
    """Run `up` with Gold in a dialect of a second policy, and write a program with Silver."""
    emulator.set_dialect(second_policy=second_policy)
    stack.deploy(program("Gold", numbers))
    stack.write(program("Silver", numbers))


def state_policies(stack: Stack) -> dict[str, str]:
    return {name: resource["outputs"]["policy_id"] for name, resource in stack.resources().items()}


class Step(NamedTuple):
    """A fault of the change of one protection, and the policies on its resource afterwards."""

    operation: str
    nth: int
    do: Sequence[str | dict[str, Any]]
    left: list[str]

    def rule(self, number: int) -> dict[str, Any]:
        """Return the rule of the fault for the person with this number."""
        return {"operation": self.operation, "path": f"*/{resource(number)}/protect", "nth": self.nth, "do": self.do}


def protecting(*do: str | dict[str, Any], nth: int = 1, left: Sequence[str] = ()) -> Step:
    return Step("protect_resource", nth, do, [*left])


def unprotecting(*do: str | dict[str, Any], left: Sequence[str] = ()) -> Step:
    return Step("unprotect_resource", 1, do, [*left])


# The step at which the provider is killed, and the number of moments without a policy until the next `up` has ended.
# A provider has four threads: no more than four changes are held at a time.
KILLS = {
    "done": (
        "invalid_argument",
        [
            (protecting(HELD), 1),
            (unprotecting(HELD), 1),
            (protecting(HELD, nth=2), 1),
            (protecting("status:400", HELD, nth=2), 2),
        ],
    ),
    "not done": (
        "invalid_argument",
        [
            (protecting(LATER), 1),
            (unprotecting(LATER), 1),
            (protecting(LATER, nth=2), 1),
            (protecting("status:400", LATER, nth=2), 1),
        ],
    ),
    "replaces": ("replaces", [(protecting(HELD), 0), (protecting(LATER), 0)]),
    "adds": (
        "adds",
        [(protecting(HELD), 0), (protecting(LATER), 0), (unprotecting(HELD), 0), (unprotecting(LATER), 0)],
    ),
}


@pytest.mark.parametrize("case", KILLS)
def test_the_next_up_finishes_a_change_whose_provider_was_killed(stack: Stack, emulator: Emulator, case: str) -> None:
    second_policy, steps = KILLS[case]
    numbers = range(12, 12 + len(steps))
    protected_with_gold(stack, emulator, second_policy, numbers)
    rules = (step.rule(number) for number, (step, _) in zip(numbers, steps, strict=True))
    with hold_up(stack, emulator, *rules) as run:
        run.kill_provider()
        assert run.end() != 0
    assert {GOLD} == {*state_policies(stack).values()}
    up = stack.up()
    assert not up.failed, up.text
    assert {SILVER} == {*state_policies(stack).values()}
    assert [[SILVER]] * len(steps) == [policies_on(emulator, resource(number)) for number in numbers]
    assert [unprotected for _, unprotected in steps] == [
        moments_without_policy(emulator, resource(number), [GOLD], second_policy) for number in numbers
    ]
    assert stack.preview().steps == {}


def test_ctrl_c_in_the_middle_of_a_change_leaves_nothing_unprotected(stack: Stack, emulator: Emulator) -> None:
    steps = {
        12: protecting(HELD, left=[GOLD]),
        13: unprotecting(HELD, left=[SILVER]),
        14: protecting(HELD, nth=2, left=[SILVER]),
        15: protecting("status:400", HELD, nth=2, left=[GOLD]),
    }
    protected_with_gold(stack, emulator, "invalid_argument", steps)
    with hold_up(stack, emulator, *(step.rule(number) for number, step in steps.items())) as run:
        run.press_ctrl_c()
        emulator.clear_faults()
        assert run.end() != 0
    assert {number: step.left for number, step in steps.items()} == {
        number: policies_on(emulator, resource(number)) for number in steps
    }
    assert {f"user-{number}": step.left for number, step in steps.items()} == {
        name: [policy_id] for name, policy_id in state_policies(stack).items()
    }
    assert not stack.up().failed
    assert [[SILVER]] * len(steps) == [policies_on(emulator, resource(number)) for number in steps]
