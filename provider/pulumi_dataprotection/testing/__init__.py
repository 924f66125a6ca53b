"""A pytest plugin for infrastructure repositories: programs on the real engine, against an emulator of the service.

Its parts are loaded on first use: pytest loads this module at each start, and a process under test loads its clock.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

    from pulumi_dataprotection.testing._emulator import Emulator, Request
    from pulumi_dataprotection.testing._outcome import Outcome
    from pulumi_dataprotection.testing._plugin import StackFactory, dataprotection_emulator, dataprotection_stack
    from pulumi_dataprotection.testing._stack import Stack

__all__ = [
    "Emulator",
    "Outcome",
    "Request",
    "Stack",
    "StackFactory",
    "dataprotection_emulator",
    "dataprotection_stack",
]

_MODULES = ("_plugin", "_emulator", "_outcome", "_stack")
"""The modules of these names; the first module needs no other package than pytest."""


def pytest_configure(config: "pytest.Config") -> None:
    """Register the module with the marker and the fixtures, which needs pytest."""
    config.pluginmanager.register(import_module(f"{__name__}._plugin"), f"{__name__}._plugin")


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    modules = (import_module(f"{__name__}.{module}") for module in _MODULES)
    return next(getattr(module, name) for module in modules if hasattr(module, name))
