"""The public names of the client, and the modules that their import loads."""

import ast
import importlib
import inspect
import pkgutil
import sys

import pytest

from pulumi_dataprotection import client
from support import run_process

MODULES = [found.name for found in pkgutil.walk_packages(client.__path__, f"{client.__name__}.") if not found.ispkg]


def loaded_after(*lines: str) -> set[str]:
    program = "\n".join((*lines, "import sys; print(*sys.modules)"))
    found = run_process([sys.executable, "-c", program], check=True)
    return set(found.stdout.split())


def defined_in(name: str) -> set[str]:
    """Return the public names that a module defines, without its imports."""
    body = ast.parse(inspect.getsource(importlib.import_module(name))).body
    names = {node.name for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    return {found for found in names if not found.startswith("_")}


def test_each_public_name_belongs_to_an_object_of_that_name() -> None:
    named = [name for name in client.__all__ if hasattr(getattr(client, name), "__name__")]
    found = [getattr(client, name).__name__.rpartition(".")[2] for name in named]
    assert named == found


def test_the_public_names_are_unique() -> None:
    assert sorted(set(client.__all__)) == sorted(client.__all__)


def test_a_name_that_is_not_public_cannot_be_imported() -> None:
    with pytest.raises(AttributeError, match=r"pulumi_dataprotection\.client.*nothing"):
        getattr(client, "nothing")  # noqa: B009 - the type checker knows that the name does not exist


@pytest.mark.parametrize("module", [*MODULES, "pulumi_dataprotection.spec.operations"])
def test_all_public_classes_and_functions_of_a_module_are_among_its_names(module: str) -> None:
    assert defined_in(module) <= set(importlib.import_module(module).__all__)


@pytest.mark.parametrize(
    ("line", "loaded", "not_loaded"),
    [
        ("import pulumi_dataprotection", {"pulumi_dataprotection"}, {"httpx", "pydantic", "tenacity"}),
        (
            "from pulumi_dataprotection.client import Settings, load_settings, errors",
            {"pulumi_dataprotection.client.settings"},
            {"httpx", "pydantic", "tenacity", "pyrate_limiter", "pulumi"},
        ),
        (
            "from pulumi_dataprotection.client import Client, errors",
            {"httpx"},
            {"httpx._main", "click", "rich", "pulumi", "starlette", "uvicorn"},
        ),
    ],
    ids=["package", "settings", "client"],
)
def test_an_import_loads_only_the_libraries_that_it_needs(line: str, loaded: set[str], not_loaded: set[str]) -> None:
    assert loaded == loaded_after(line) & (loaded | not_loaded)


def test_the_command_of_the_http_library_can_be_imported_before_and_after_a_client() -> None:
    use, command = "from pulumi_dataprotection.client import Client", "from httpx._main import main"
    for lines in ((use, command), (command, use)):
        assert {"httpx._main", "click", "rich"} <= loaded_after(*lines)
