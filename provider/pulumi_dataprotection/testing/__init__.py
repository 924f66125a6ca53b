"""A pytest plugin for infrastructure repositories: programs on the real engine, against an emulator of the service.

Its parts are loaded on first use: pytest loads this module at each start.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pulumi_dataprotection.testing._plugin import StackFactory, dataprotection_emulator, dataprotection_stack
from pulumi_dataprotection.testing._plugin import pytest_configure as pytest_configure
from pulumi_dataprotection.testing._plugin import session_emulator as session_emulator

if TYPE_CHECKING:
    from pulumi_dataprotection.testing._emulator import Emulator, Request
    from pulumi_dataprotection.testing._outcome import Outcome
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

_MODULES = {"Emulator": "_emulator", "Outcome": "_outcome", "Request": "_emulator", "Stack": "_stack"}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
