"""How to call the service: a typed, synchronous, thread-safe client for its operations.

Its parts are loaded on first use: a program that only declares resources does not wait for the HTTP library.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pulumi_dataprotection.client import calls as calls
    from pulumi_dataprotection.client import errors as errors
    from pulumi_dataprotection.client import records as records
    from pulumi_dataprotection.client._call import EXTERNAL_ID_PREFIX, Call, has_control_characters, path_problem
    from pulumi_dataprotection.client._client import Client, Listed
    from pulumi_dataprotection.client._threads import in_context
    from pulumi_dataprotection.client._transport.clock import Clock, interrupt, process_clock
    from pulumi_dataprotection.client._transport.shared_file import open_privately, private_folder
    from pulumi_dataprotection.client.cache.account import Account
    from pulumi_dataprotection.client.cache.references import ResourceIndex, folded, same_text
    from pulumi_dataprotection.client.cache.tenant import TenantCache
    from pulumi_dataprotection.client.settings import (
        OPTIONS,
        Option,
        Settings,
        find_setting,
        load_licence_check,
        load_preview_checks,
        load_settings,
    )

__all__ = [
    "EXTERNAL_ID_PREFIX",
    "OPTIONS",
    "Account",
    "Call",
    "Client",
    "Clock",
    "Listed",
    "Option",
    "ResourceIndex",
    "Settings",
    "TenantCache",
    "calls",
    "errors",
    "find_setting",
    "folded",
    "has_control_characters",
    "in_context",
    "interrupt",
    "load_licence_check",
    "load_preview_checks",
    "load_settings",
    "open_privately",
    "path_problem",
    "private_folder",
    "process_clock",
    "records",
    "same_text",
]

_MODULES = {
    "EXTERNAL_ID_PREFIX": "_call",
    "OPTIONS": "settings",
    "Call": "_call",
    "Client": "_client",
    "Clock": "_transport.clock",
    "Account": "cache.account",
    "Listed": "_client",
    "Option": "settings",
    "ResourceIndex": "cache.references",
    "Settings": "settings",
    "TenantCache": "cache.tenant",
    "find_setting": "settings",
    "folded": "cache.references",
    "has_control_characters": "_call",
    "in_context": "_threads",
    "interrupt": "_transport.clock",
    "load_licence_check": "settings",
    "load_preview_checks": "settings",
    "load_settings": "settings",
    "open_privately": "_transport.shared_file",
    "path_problem": "_call",
    "private_folder": "_transport.shared_file",
    "process_clock": "_transport.clock",
    "same_text": "cache.references",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _MODULES:
        # It is asked for thousands of times.
        globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        return globals()[name]
    return import_module(f"{__name__}.{name}")
