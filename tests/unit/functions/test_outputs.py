"""Outputs as arguments, and results as outputs."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pulumi
import pytest

from pulumi_dataprotection.functions._data_source import ListResult
from support import Emulator
from support.functions.arguments import ARGUMENTS, LISTS, VALUES, function
from support.functions.names import FUNCTIONS
from support.functions.program import Program, known, unknown

GIVEN = [(name, argument) for name, arguments in ARGUMENTS.items() for argument in arguments]
TEXTS = [(name, argument) for name, argument in GIVEN if isinstance(ARGUMENTS[name][argument], str)]


def parameters(name: str) -> list[tuple[str, object, object]]:
    signature = inspect.signature(function(name))
    return [(one.name, one.kind, one.default) for one in signature.parameters.values()]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_argument_of_a_function_has_a_value(name: str) -> None:
    arguments = {argument for argument, _, _ in parameters(name)}
    known_values = {"external_id", "id", "profile", *VALUES}
    assert set() == arguments - known_values, "add a value to VALUES in tests/support/functions/arguments.py"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_has_tests_of_its_own(name: str) -> None:
    tests = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    assert f"{name}(" in tests, f"add tests of {name} to the file of its noun in tests/unit/functions/"


@pytest.mark.parametrize("name", ARGUMENTS)
def test_each_function_has_a_twin_with_the_same_arguments(name: str) -> None:
    assert parameters(name) == parameters(f"{name}_output")


@pytest.mark.parametrize(("name", "argument"), [*GIVEN, *((name, "profile") for name in ARGUMENTS)])
def test_an_output_as_an_argument_is_refused_by_name(
    shop: Program, emulator: Emulator, name: str, argument: str
) -> None:
    value = ARGUMENTS[name].get(argument, "second")
    with pytest.raises(TypeError, match=f"^{name}: {argument} is an Output, .* {name}_output "):
        shop.run(lambda: function(name)(**{**ARGUMENTS[name], argument: known(value)}))
    assert [] == emulator.requests()


def test_an_output_by_position_is_refused_by_name(shop: Program) -> None:
    with pytest.raises(TypeError, match=r"^get_policy: tenant_id is an Output, "):
        shop.run(lambda: function("get_policy")(known("tenant-contoso"), "Gold"))


REFUSED: dict[str, tuple[Callable[[str], str], str]] = {
    "the text of an output": (
        lambda text: f"{known(text)}",
        r"control characters; .*Output\.format, .* NAME_output",
    ),
    "an empty text": (lambda _: " ", "empty"),
}


@pytest.mark.parametrize(("name", "argument"), TEXTS)
@pytest.mark.parametrize(("make", "reason"), REFUSED.values(), ids=REFUSED)
def test_an_impossible_text_is_refused_before_any_call(  # noqa: PLR0917 - two fixtures
    shop: Program, emulator: Emulator, name: str, argument: str, make: Callable[[str], str], reason: str
) -> None:
    value = ARGUMENTS[name][argument]
    with pytest.raises(pulumi.RunError, match=f"^{name}: {argument} .*{reason.replace('NAME', name)}"):
        shop.run(lambda: function(name)(**{**ARGUMENTS[name], argument: make(value)}))
    assert [] == emulator.requests()


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_twin_returns_the_result_of_its_function(shop: Program, name: str) -> None:
    expected = shop.run(lambda: function(name)(**ARGUMENTS[name]))
    assert (expected, True) == shop.wait(lambda: function(f"{name}_output")(**ARGUMENTS[name]))


@pytest.mark.parametrize(("name", "argument"), GIVEN)
def test_a_twin_waits_for_an_argument(shop: Program, name: str, argument: str) -> None:
    expected = shop.run(lambda: function(name)(**ARGUMENTS[name]))

    def body() -> pulumi.Output[Any]:
        late = {**ARGUMENTS[name], argument: known(ARGUMENTS[name][argument])}
        result: pulumi.Output[Any] = function(f"{name}_output")(**late)
        return result

    assert (expected, True) == shop.wait(body)


@pytest.mark.parametrize(("name", "argument"), [*GIVEN, *((name, "profile") for name in ARGUMENTS)])
def test_a_twin_makes_no_call_before_an_argument_is_known(
    shop: Program, emulator: Emulator, name: str, argument: str
) -> None:
    _, is_known = shop.wait(lambda: function(f"{name}_output")(**{**ARGUMENTS[name], argument: unknown()}))
    assert (False, []) == (is_known, emulator.requests())


def test_a_twin_ends_the_program_as_its_function_does(shop: Program) -> None:
    with pytest.raises(pulumi.RunError, match=r"^get_org: .* id or external_id$"):
        shop.wait(function("get_org_output"))


def records(found: object) -> list[dict[str, Any]]:
    """Return the records of a result as plain dictionaries."""
    members: list[Any] = cast("Any", found).items if isinstance(found, ListResult) else [found]
    return [dict(member) for member in members]


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_result_can_be_exported(shop: Program, name: str) -> None:
    found: Any = shop.run(lambda: function(name)(**ARGUMENTS[name]))
    expected = {"items": records(found)} if name in LISTS else records(found)[0]
    assert expected == shop.export(found)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_result_can_be_an_argument_of_a_resource(shop: Program, name: str) -> None:
    found: Any = shop.run(lambda: function(name)(**ARGUMENTS[name]))
    members: object = found.items if name in LISTS else [found]
    assert records(found) == shop.send(members)
