"""The handlers: each module of this package declares the handlers of one noun."""

from importlib import import_module
from pkgutil import iter_modules

from pulumi_dataprotection.emulator.handlers._handler import HANDLERS, Handler

__all__ = ["HANDLERS", "Handler"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
