"""The arguments of a protection set: their forms, and the error of each wrong form."""

from collections.abc import Callable
from typing import Any

import pulumi
import pytest

from pulumi_dataprotection.resources import ProtectionSet
from pulumi_dataprotection.resources.protection_set import as_assignments
from support import Emulator
from support.functions.program import Program, known, unknown
from support.resources.arguments import assigned, members
from support.resources.contoso import user
from support.resources.servicer import Run, assert_names

GOLD = "Gold"
TWO = {"a": GOLD, "b": GOLD}
FORMS: dict[str, tuple[Callable[[], tuple[object, ...]], dict[str, str] | None]] = {
    "mapping": (lambda: ({"a": GOLD, "b": "Silver"}, None, None), {"a": GOLD, "b": "Silver"}),
    "mapping of outputs": (lambda: ({"a": known(GOLD), "b": "Silver"}, None, None), {"a": GOLD, "b": "Silver"}),
    "output of a mapping": (lambda: (known({"a": GOLD}), None, None), {"a": GOLD}),
    "list": (lambda: (None, ["a", "b", "a"], GOLD), TWO),
    "generator": (lambda: (None, (name for name in "ab"), GOLD), TWO),
    "list with outputs": (lambda: (None, ["a", known("b")], GOLD), TWO),
    "output of a policy": (lambda: (None, ["a", "b", "a"], known(GOLD)), TWO),
    "output of a list": (lambda: (None, known(["a", "b", "a"]), GOLD), TWO),
    "tuple": (lambda: (None, ("a", "b"), GOLD), TWO),
    "empty list": (lambda: (None, [], GOLD), {}),
    "empty mapping": (lambda: ({}, None, None), {}),
    "unknown mapping": (lambda: (unknown(), None, None), None),
    "unknown list": (lambda: (None, unknown(), GOLD), None),
    "unknown member": (lambda: (None, ["a", unknown()], GOLD), None),
    "unknown policy": (lambda: (None, ["a"], unknown()), None),
}
"""The assignments, the resources and the policy of a set, and the assignments that they become if they are known."""


@pytest.mark.parametrize(("form", "expected"), FORMS.values(), ids=FORMS)
def test_each_form_becomes_a_mapping(form: Callable[[], tuple[object, ...]], expected: dict[str, str] | None) -> None:
    def assignments() -> pulumi.Output[Any]:
        return pulumi.Output.from_input(as_assignments(*form())[0])

    value, is_known = Program().wait(assignments)
    assert expected == (value if is_known else None)


BOTH, LIST, DICT = ("assignments", "resources", "policy"), ("resources", "list"), ("assignments", "mapping")
WRONG: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({}, BOTH),
    ({"assignments": TWO, "resources": ["a"]}, BOTH),
    ({"assignments": TWO, "policy": GOLD}, BOTH),
    ({"assignments": TWO, "resources": ["a"], "policy": GOLD}, BOTH),
    ({"resources": ["a"]}, BOTH),
    ({"policy": GOLD}, BOTH),
    *(({"resources": value, "policy": GOLD}, LIST) for value in ("jane", TWO, 7)),
    *(({"assignments": value}, DICT) for value in (["a"], "a")),
    ({"resources": ["a", 7], "policy": GOLD}, ("7",)),
    ({"resources": ["a", None], "policy": GOLD}, ("None",)),
    ({"resources": [["a"]], "policy": GOLD}, ("['a']",)),
    ({"assignments": {"a": None, "b": GOLD}}, ('"a"', "no policy")),
    ({"assignments": {"a": GOLD, 7: GOLD}}, ("7",)),
]
"""The wrong forms, each with names in its error."""


@pytest.mark.parametrize(("arguments", "names"), WRONG, ids=str)
def test_a_wrong_form_fails_before_the_set_is_declared(arguments: dict[str, Any], names: tuple[str, ...]) -> None:
    # Without an engine, a declaration would fail with another error.
    with pytest.raises(pulumi.RunError) as raised:
        ProtectionSet("wrong", tenant_id="t-1", **arguments)
    assert_names(raised.value, "ProtectionSet: ", *names)


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
