"""The arguments of a protection set: their forms, and the error of each wrong form."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import pulumi
import pytest

from pulumi_dataprotection.resources.protection_set import as_assignments
from support import HANG, TESTS, Emulator
from support.functions.program import Program, known, unknown
from support.resources.arguments import assigned, members
from support.resources.contoso import user
from support.resources.declare_sets import WRONG
from support.resources.servicer import Run, assert_names

GOLD = "Gold"
FORMS = {
    "mapping": {"m1": GOLD, "m2": "Silver"},
    "mapping-of-outputs": {"n1": GOLD, "n2": "Silver"},
    "output-mapping": {"o1": GOLD},
    "list": {"l1": GOLD, "l2": GOLD},
    "generator": {"g1": GOLD, "g2": GOLD},
    "list-with-outputs": {"p1": GOLD, "p2": GOLD},
    "output-policy": {"q1": GOLD, "q2": GOLD},
    "output-list": {"r1": GOLD, "r2": GOLD},
    "tuple": {"t1": GOLD, "t2": GOLD},
    "empty-list": {},
    "empty-mapping": {},
    "elsewhere": {"e1": GOLD},
    "somewhere": {"s1": GOLD},
}


@cache
def program() -> dict[str, Any]:
    """Return the registrations of a program that declares sets in every form, and the errors of the wrong forms."""
    file = TESTS / "support/resources/declare_sets.py"
    env = {**os.environ, "PYTHONPATH": str(TESTS)}
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=HANG, check=True, env=env)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_each_form_becomes_a_mapping() -> None:
    sets = {one["name"]: one["object"] for one in program()["resources"] if "ProtectionSet" in one["type"]}
    assert FORMS == {name: properties["assignments"] for name, properties in sets.items()}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_form_fails_while_the_program_runs_and_declares_nothing(case: str) -> None:
    assert_names(program()["errors"][case], "ProtectionSet: ", *WRONG[case][1])
    assert 0 == program()["declared"]


WRONG_OUTPUTS = [
    *(("resources", value) for value in ("jane", {"jane": "Gold"}, 7, None)),
    *(("assignments", value) for value in ("jane", ["jane"], 7, None)),
]


@pytest.mark.parametrize(("argument", "value"), WRONG_OUTPUTS, ids=str)
def test_an_output_of_another_type_fails_as_soon_as_it_is_known(argument: str, value: object) -> None:
    def assignments() -> pulumi.Output[Any]:
        given = {"assignments": None, "resources": None, argument: known(value)}
        policy = "Gold" if argument == "resources" else None
        return pulumi.Output.from_input(as_assignments(given["assignments"], given["resources"], policy)[0])

    with pytest.raises(pulumi.RunError, match=f"ProtectionSet: {argument} "):
        Program().wait(assignments)


@pytest.mark.parametrize(
    "form",
    [
        lambda: as_assignments(unknown(), None, None),
        lambda: as_assignments(None, unknown(), "Gold"),
        lambda: as_assignments(None, ["a", unknown()], "Gold"),
        lambda: as_assignments(None, ["a"], unknown()),
    ],
    ids=["mapping", "list", "member", "policy"],
)
def test_an_unknown_part_makes_the_assignments_unknown(form: Callable[[], tuple[Any, list[str]]]) -> None:
    _, is_known = Program().wait(lambda: pulumi.Output.from_input(form()[0]))
    assert not is_known


@pytest.mark.parametrize(
    ("assignments", "words"),
    [
        *(({name: "Gold"}, ("member", "empty")) for name in ("", "  ", "\u00a0")),
        *(({name: "Gold"}, ("member", "control")) for name in ("a\nb", "a\x00")),
        *(({"a": policy}, ('"a"', "empty")) for policy in ("", "\t")),
        ({"a": "Go\x1bld"}, ('"a"', "control")),
        *(({"a": policy}, ('"a"', "text")) for policy in (7, True, ["Gold"], {"id": "Gold"})),
    ],
)
def test_an_impossible_name_fails_in_the_check(
    run: Run, emulator: Emulator, assignments: dict[str, object], words: tuple[str, str]
) -> None:
    checked = run.protection_set.check({}, assigned(assignments))
    assert_names(checked.reason, "assignments: ", *words)
    assert ([""], []) == (checked.names, emulator.requests())


def test_a_failure_lists_20_impossible_names_and_counts_the_others(run: Run) -> None:
    checked = run.protection_set.check({}, assigned({f"a{number:02}": "" for number in range(30)}))
    first, *lines = checked.reason.splitlines()
    assert ([""], "assignments:", "  and 10 more", 21) == (checked.names, first, lines[-1], len(lines))


@pytest.mark.parametrize("assignments", [None, "jane", ["jane"], 7, True])
def test_assignments_of_another_type_fail_in_the_check(run: Run, assignments: object) -> None:
    checked = run.protection_set.check({}, {**members(), "assignments": assignments})
    assert (["assignments"], True) == (checked.names, "mapping" in checked.reason)


@pytest.mark.parametrize("limit", [0, 5, 5.0, 100_000, "0%", "5%", "05%", "10%", "100%", None])
def test_a_limit_of_removals_is_a_whole_number_or_a_share(run: Run, limit: object) -> None:
    assert [] == run.protection_set.check({}, members(user(9), max_removals=limit)).names


@pytest.mark.parametrize(
    "limit",
    [-1, True, False, 2.5, "110%", "101%", "-1%", "2.5%", "%", "10", "ten", "10 %", " 10%", "10%%", "", [], {}, ["5"]],
    ids=repr,
)
def test_another_limit_of_removals_fails_in_the_check(run: Run, limit: object) -> None:
    checked = run.protection_set.check({}, members(user(9), max_removals=limit))
    assert (["max_removals"], True) == (checked.names, '"10%"' in checked.reason)
