"""The arguments of a protection set: which forms there are, and what each form that is none is told."""

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
from support.resources.contoso import user
from support.resources.declare_sets import WRONG
from support.resources.servicer import Properties, Run
from support.resources.sets import assigned, members

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
HIDDEN = {"o1", "p2", "r1", "r2"}
"""Who names nobody before the program is over: they are outputs."""


@cache
def program() -> dict[str, Any]:
    """What a program asks of the engine that declares sets in each way that there is, and tries what is none."""
    file = TESTS / "support/resources/declare_sets.py"
    env = {**os.environ, "PYTHONPATH": str(TESTS)}
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=HANG, check=True, env=env)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def declared(name: str) -> Properties:
    objects: dict[str, Properties] = {one["name"]: one["object"] for one in program()["resources"]}
    return objects[name]


@pytest.mark.parametrize(("name", "expected"), FORMS.items(), ids=FORMS)
def test_each_form_comes_to_a_mapping(name: str, expected: dict[str, str]) -> None:
    assert expected == declared(name)["assignments"]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        *(
            (case, "ProtectionSet: give assignments, or resources and a policy")
            for case in ("nothing", "both", "a policy for assignments", "all three", "no policy", "a policy alone")
        ),
        *(
            (case, "ProtectionSet: resources must be a list of members")
            for case in ("text", "a mapping as the list", "a number as the list")
        ),
        *(
            (case, "ProtectionSet: assignments must be a mapping of members to policies")
            for case in ("a list as the mapping", "text as the mapping")
        ),
        ("a number as a name", "ProtectionSet: 7 is not the name of a member, which is text"),
        ("nothing as a name", "ProtectionSet: None is not the name of a member, which is text"),
        ("a list as a name", "ProtectionSet: ['a'] is not the name of a member, which is text"),
        ("nothing as a policy", 'ProtectionSet: "a" has no policy'),
        ("a number as a name in a mapping", "ProtectionSet: 7 is not the name of a member, which is text"),
    ],
)
def test_what_is_no_form_fails_while_the_program_runs(case: str, expected: str) -> None:
    assert expected == program()["errors"][case]


def test_each_form_that_is_none_is_tried_and_asks_nothing_of_the_engine() -> None:
    refused = {case for case, error in program()["errors"].items() if error}
    assert ({*WRONG}, 0) == (refused, program()["declared"])


@pytest.mark.parametrize("members", ["jane", {"jane": "Gold"}, 7, None], ids=repr)
def test_an_output_that_is_no_list_of_members_fails_when_it_is_known(members: object) -> None:
    with pytest.raises(pulumi.RunError, match="resources must be a list of members"):
        Program().wait(lambda: pulumi.Output.from_input(as_assignments(None, known(members), "Gold")[0]))


@pytest.mark.parametrize("assignments", ["jane", ["jane"], 7, None], ids=repr)
def test_an_output_that_is_no_mapping_fails_when_it_is_known(assignments: object) -> None:
    with pytest.raises(pulumi.RunError, match="assignments must be a mapping of members to policies"):
        Program().wait(lambda: pulumi.Output.from_input(as_assignments(known(assignments), None, None)[0]))


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
def test_members_that_are_not_known_yet_are_let_pass(form: Callable[[], tuple[Any, list[str]]]) -> None:
    _, is_known = Program().wait(lambda: pulumi.Output.from_input(form()[0]))
    assert not is_known


def failures(run: Run, inputs: Properties) -> list[tuple[str, str]]:
    return run.protection_set.check({}, inputs).failures


@pytest.mark.parametrize(
    ("assignments", "expected"),
    [
        ({"": "Gold"}, "the name of a member must not be empty"),
        ({"  ": "Gold"}, "the name of a member must not be empty"),
        ({"a\nb": "Gold"}, "the name of a member must not hold control characters"),
        ({"a\x00": "Gold"}, "the name of a member must not hold control characters"),
        ({"a": ""}, 'the policy of "a" must not be empty'),
        ({"a": "\t"}, 'the policy of "a" must not be empty'),
        ({"a": "Go\x1bld"}, 'the policy of "a" must not hold control characters'),
        ({"a": 7}, 'the policy of "a" must be text'),
        ({"a": True}, 'the policy of "a" must be text'),
        ({"a": ["Gold"]}, 'the policy of "a" must be text'),
        ({"a": {"id": "Gold"}}, 'the policy of "a" must be text'),
    ],
)
def test_a_name_that_can_be_none_fails_in_the_check(
    run: Run, emulator: Emulator, assignments: dict[str, object], expected: str
) -> None:
    assert [("", f"assignments: {expected}")] == failures(run, assigned(assignments))
    assert [] == emulator.requests()


def test_all_names_that_can_be_none_are_told_at_once(run: Run) -> None:
    ((name, reason),) = failures(run, assigned({f"a{number:02}": "" for number in range(30)}))
    assert ("", "assignments:", "  and 10 more", 22) == (
        name,
        reason.splitlines()[0],
        reason.splitlines()[-1],
        len(reason.splitlines()),
    )


@pytest.mark.parametrize("assignments", [None, "jane", ["jane"], 7, True])
def test_what_is_no_mapping_fails_in_the_check(run: Run, assignments: object) -> None:
    inputs = {**members(), "assignments": assignments}
    assert [("assignments", "must be a mapping of members to policies")] == failures(run, inputs)


@pytest.mark.parametrize("limit", [0, 5, 5.0, 100_000, "0%", "5%", "05%", "10%", "100%", None])
def test_a_limit_of_removals_is_a_whole_number_or_a_share(run: Run, limit: object) -> None:
    assert [] == failures(run, members(user(9), max_removals=limit))


@pytest.mark.parametrize(
    "limit",
    [-1, True, False, 2.5, "110%", "101%", "-1%", "2.5%", "%", "10", "ten", "10 %", " 10%", "10%%", "", [], {}, ["5"]],
    ids=repr,
)
def test_a_limit_of_removals_that_is_none_fails_in_the_check(run: Run, limit: object) -> None:
    expected = [("max_removals", 'must be a whole number, or a share such as "10%"')]
    assert expected == failures(run, members(user(9), max_removals=limit))


@pytest.mark.parametrize("choice", ["x", "", "Fail", "skip", 7, True, ["warn"], {}], ids=repr)
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("on_missing", "must be one of: fail, warn"),
        ("on_conflict", "must be one of: fail, take_over, accept"),
        ("on_destroy", "must be one of: unprotect, keep"),
    ],
)
def test_a_choice_that_there_is_not_fails_in_the_check(run: Run, name: str, expected: str, choice: object) -> None:
    assert [(name, expected)] == failures(run, members(user(9), **{name: choice}))


@pytest.mark.parametrize(
    ("tenant_id", "expected"),
    [("", "not be empty"), (" ", "not be empty"), ("a\nb", "not hold control characters"), (7, "be text")],
)
def test_a_tenant_that_can_be_none_fails_in_the_check(run: Run, tenant_id: object, expected: str) -> None:
    assert [("tenant_id", f"must {expected}")] == failures(run, {**members(user(9)), "tenant_id": tenant_id})


def test_all_that_has_no_shape_is_told_at_once(run: Run) -> None:
    inputs = {**assigned({"": "Gold"}, max_removals=-1, on_missing="x", on_conflict="x"), "tenant_id": ""}
    assert {"tenant_id", "on_conflict", "", "max_removals", "on_missing"} == {name for name, _ in failures(run, inputs)}


def test_half_a_character_is_no_name_and_is_said_to_be_none(run: Run) -> None:
    assert [("", "assignments: the name of a member must not be empty")] == failures(run, assigned({"\u00a0": "Gold"}))
