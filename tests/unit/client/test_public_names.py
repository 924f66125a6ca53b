"""What the client offers under which names, and what importing it costs."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest

from pulumi_dataprotection import client
from support import HANG

MODULES = [found.name for found in pkgutil.walk_packages(client.__path__, f"{client.__name__}.") if not found.ispkg]
SPEC = ["pulumi_dataprotection.spec", "pulumi_dataprotection.spec.operations"]


def loaded_after(*lines: str) -> set[str]:
    program = "\n".join((*lines, "import sys; print(*sys.modules)"))
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True, timeout=HANG)
    return set(found.stdout.split())


def defined_in(name: str) -> set[str]:
    """The public names of a module's own: without what it imports."""
    module = importlib.import_module(name)
    names: set[str] = set()
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
    return {found for found in names if not found.startswith("_")}


def test_all_that_is_offered_can_be_imported() -> None:
    namespace: dict[str, object] = {}
    exec("from pulumi_dataprotection.client import *", namespace)  # noqa: S102 - as a user writes it
    assert set(client.__all__) <= set(namespace)


def test_each_name_is_the_thing_of_that_name() -> None:
    named = [name for name in client.__all__ if hasattr(getattr(client, name), "__name__")]
    found = [getattr(client, name).__name__.rpartition(".")[2] for name in named]
    assert named == found


def test_the_names_are_told_in_alphabetical_order_without_doubles() -> None:
    expected = sorted(set(client.__all__))
    assert expected == sorted(client.__all__)


def test_a_name_that_is_not_offered_cannot_be_imported() -> None:
    with pytest.raises(AttributeError, match=r"module 'pulumi_dataprotection\.client' has no attribute 'nothing'"):
        getattr(client, "nothing")  # noqa: B009 - the type checker knows that it is not there


@pytest.mark.parametrize("module", [*MODULES, *SPEC])
def test_a_modules_names_are_all_there(module: str) -> None:
    found = importlib.import_module(module)
    assert [name for name in found.__all__ if not hasattr(found, name)] == []


@pytest.mark.parametrize("module", [*MODULES, SPEC[1]])
def test_a_module_offers_all_the_classes_and_functions_that_it_defines_for_others(module: str) -> None:
    assert defined_in(module) <= set(importlib.import_module(module).__all__)


def test_importing_the_package_loads_neither_the_http_library_nor_the_records() -> None:
    loaded = loaded_after("import pulumi_dataprotection")
    assert {"pulumi_dataprotection"} == loaded & {"pulumi_dataprotection", "httpx", "pydantic", "tenacity"}


def test_reading_settings_does_not_load_the_http_library() -> None:
    loaded = loaded_after("from pulumi_dataprotection.client import Settings, load_settings, errors")
    assert set() == loaded & {"httpx", "pydantic", "tenacity", "pyrate_limiter", "pulumi"}


def test_opening_a_client_loads_the_http_library_and_nothing_of_pulumi() -> None:
    loaded = loaded_after("from pulumi_dataprotection.client import Client, errors")
    assert {"httpx"} == loaded & {"httpx", "pulumi", "starlette", "uvicorn"}


def test_opening_a_client_does_not_load_the_command_of_the_http_library() -> None:
    loaded = loaded_after("from pulumi_dataprotection.client import Client")
    assert set() == loaded & {"httpx._main", "click", "rich"}


def test_the_command_of_the_http_library_can_be_imported_before_and_after_a_client() -> None:
    use, command = "from pulumi_dataprotection.client import Client", "from httpx._main import main"
    for lines in ((use, command), (command, use)):
        assert {"httpx._main", "click", "rich"} <= loaded_after(*lines)
