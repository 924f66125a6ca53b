"""Pulumi resources and functions for a SaaS data-protection service.

Its parts are loaded on first use: the client and the emulator work without pulumi.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pulumi_dataprotection.functions import *
    from pulumi_dataprotection.resources import *
else:
    # Hidden from type checkers, which would take any misspelled name for one that exists.
    def __getattr__(name: str) -> object:
        layers = (import_module(f"{__name__}.{layer}") for layer in ("resources", "functions"))
        if name == "__all__":
            return sorted(public for layer in layers for public in layer.__all__)
        # `from pulumi_dataprotection import client` asks for an attribute first, and must not load the resources.
        if not (name.startswith("_") or find_spec(f"{__name__}.{name}")):
            for layer in layers:
                if name in layer.__all__:
                    return getattr(layer, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
