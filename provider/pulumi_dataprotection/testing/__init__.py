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

_MODULES = {
    "Emulator": "_emulator",
    "Outcome": "_outcome",
    "Request": "_emulator",
    "Stack": "_stack",
    "StackFactory": "_plugin",
    "dataprotection_emulator": "_plugin",
    "dataprotection_stack": "_plugin",
}


def pytest_configure(config: "pytest.Config") -> None:
    """Register the module with the marker and the fixtures, which needs pytest."""
    config.pluginmanager.register(import_module(f"{__name__}._plugin"), f"{__name__}._plugin")


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
