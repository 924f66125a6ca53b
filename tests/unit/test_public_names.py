"""The public names of the package: each stands once, in the module that defines it."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import pulumi_dataprotection
from pulumi_dataprotection import functions, resources
from support.functions.names import FUNCTIONS, PUBLIC

MODULES = sorted(path.stem for path in Path(*functions.__path__).glob("[!_]*.py"))


@pytest.mark.parametrize("module", MODULES)
def test_a_module_lists_its_functions(module: str) -> None:
    file = Path(*functions.__path__, f"{module}.py")
    defined = {node.name for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}
    listed = {*import_module(f"{functions.__name__}.{module}").__all__}
    assert set() == {name for name in defined - listed if name.startswith("get_")}, f"add them to __all__ in {file}"


@pytest.mark.parametrize("module", MODULES)
def test_the_package_has_the_names_of_each_module(module: str) -> None:
    listed = {*import_module(f"{functions.__name__}.{module}").__all__}
    assert set() == listed - {*PUBLIC}, f"import * from {module} in {functions.__file__}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_a_variant_for_outputs(name: str) -> None:
    assert f"{name}_output" in PUBLIC


def test_the_package_has_only_resources_functions_and_rules() -> None:
    others = {*resources.__all__, *FUNCTIONS, *(f"{name}_output" for name in FUNCTIONS)}
    assert ["Assignments", "Coverage", "Licence", "Rule", "assign"] == sorted({*PUBLIC} - others)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_can_be_imported(name: str) -> None:
    assert name == getattr(pulumi_dataprotection, name).__name__


def test_a_name_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'pulumi_dataprotection' has no attribute 'nothing'"):
        getattr(pulumi_dataprotection, "nothing")  # noqa: B009 - type checkers know that it does not exist
