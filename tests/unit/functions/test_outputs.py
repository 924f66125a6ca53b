"""Outputs as arguments, and results as outputs."""

import inspect
from typing import Any, cast

import pulumi
import pytest

import pulumi_dataprotection
from pulumi_dataprotection import functions
from pulumi_dataprotection.functions._data_source import ListResult
from support import Emulator
from support.functions.look_ups import LISTS, PLAIN, look_up
from support.functions.program import Program, known, unknown

ARGUMENTS = [(name, argument) for name, arguments in PLAIN.items() for argument in arguments]
TEXTS = [(name, argument) for name, argument in ARGUMENTS if isinstance(PLAIN[name][argument], str)]


def parameters(name: str) -> list[tuple[str, object, object]]:
    signature = inspect.signature(look_up(name))
    return [(one.name, one.kind, one.default) for one in signature.parameters.values()]


def test_every_look_up_is_tried_here() -> None:
    assert [*PLAIN] == [name for name in functions.__all__ if name.startswith("get_") and not name.endswith("_output")]


@pytest.mark.parametrize("name", functions.__all__)
def test_every_function_is_in_the_package(name: str) -> None:
    assert name in pulumi_dataprotection.__all__
    assert getattr(functions, name) is getattr(pulumi_dataprotection, name)


@pytest.mark.parametrize("name", PLAIN)
def test_every_look_up_has_a_twin_with_the_same_arguments(name: str) -> None:
    assert parameters(name) == parameters(f"{name}_output")


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_an_output_as_an_argument_is_refused_by_name(
    shop: Program, emulator: Emulator, name: str, argument: str
) -> None:
    with pytest.raises(TypeError) as raised:
        shop.run(lambda: look_up(name)(**{**PLAIN[name], argument: known(PLAIN[name][argument])}))
    expected = f"{name}: {argument} is an Output, not known yet: call {name}_output instead"
    assert (expected, []) == (str(raised.value), emulator.requests())


def test_an_output_by_position_is_refused_by_name(shop: Program) -> None:
    with pytest.raises(TypeError, match=r"^get_policy: tenant_id is an Output, not known yet"):
        shop.run(lambda: look_up("get_policy")(known("tenant-contoso"), "Gold"))


@pytest.mark.parametrize("name", PLAIN)
def test_an_output_as_the_profile_is_refused(shop: Program, name: str) -> None:
    with pytest.raises(TypeError, match=f"^{name}: profile is an Output"):
        shop.run(lambda: look_up(name)(**PLAIN[name], profile=known("second")))


@pytest.mark.parametrize(("name", "argument"), TEXTS)
def test_text_made_of_an_output_is_refused_before_anything_is_asked(
    shop: Program, emulator: Emulator, name: str, argument: str
) -> None:
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: look_up(name)(**{**PLAIN[name], argument: f"{known(PLAIN[name][argument])}"}))
    expected = (
        f"{name}: {argument} must not hold control characters; text made of an Output does: "
        f"make it with pulumi.Output.format, and call {name}_output"
    )
    assert (expected, []) == (str(raised.value), emulator.requests())


@pytest.mark.parametrize(("name", "argument"), TEXTS)
def test_empty_text_is_refused_before_anything_is_asked(
    shop: Program, emulator: Emulator, name: str, argument: str
) -> None:
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: look_up(name)(**{**PLAIN[name], argument: " "}))
    expected = f"{name}: {argument} must not be empty; leave it out where it is not wanted"
    assert (expected, []) == (str(raised.value), emulator.requests())


@pytest.mark.parametrize("name", PLAIN)
def test_a_twin_gives_what_the_plain_look_up_gives(shop: Program, name: str) -> None:
    expected = shop.run(lambda: look_up(name)(**PLAIN[name]))
    assert (expected, True) == shop.wait(lambda: look_up(f"{name}_output")(**PLAIN[name]))


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_a_twin_waits_for_an_argument(shop: Program, name: str, argument: str) -> None:
    expected = shop.run(lambda: look_up(name)(**PLAIN[name]))

    def body() -> pulumi.Output[Any]:
        late = {**PLAIN[name], argument: known(PLAIN[name][argument])}
        result: pulumi.Output[Any] = look_up(f"{name}_output")(**late)
        return result

    assert (expected, True) == shop.wait(body)


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_a_twin_asks_nothing_before_an_argument_is_known(
    shop: Program, emulator: Emulator, name: str, argument: str
) -> None:
    _, is_known = shop.wait(lambda: look_up(f"{name}_output")(**{**PLAIN[name], argument: unknown()}))
    assert (False, []) == (is_known, emulator.requests())


@pytest.mark.parametrize("name", PLAIN)
def test_a_twin_waits_for_its_profile(shop: Program, emulator: Emulator, name: str) -> None:
    _, is_known = shop.wait(lambda: look_up(f"{name}_output")(**PLAIN[name], profile=unknown()))
    assert (False, []) == (is_known, emulator.requests())


def test_a_twin_ends_the_program_as_the_plain_look_up_does(shop: Program) -> None:
    with pytest.raises(pulumi.RunError, match=r"^get_org: give either id or external_id$"):
        shop.wait(look_up("get_org_output"))


def records(found: object) -> list[dict[str, Any]]:
    """What a look-up found, each record as a plain dictionary."""
    members: list[Any] = cast("Any", found).items if isinstance(found, ListResult) else [found]
    return [dict(member) for member in members]


@pytest.mark.parametrize("name", PLAIN)
def test_a_result_can_be_exported(shop: Program, name: str) -> None:
    found: Any = shop.run(lambda: look_up(name)(**PLAIN[name]))
    expected = {"items": records(found)} if name in LISTS else records(found)[0]
    assert expected == shop.export(found)


@pytest.mark.parametrize("name", PLAIN)
def test_a_result_can_be_an_argument_of_a_resource(shop: Program, name: str) -> None:
    found: Any = shop.run(lambda: look_up(name)(**PLAIN[name]))
    members: object = found.items if name in LISTS else [found]
    assert records(found) == shop.send(members)
