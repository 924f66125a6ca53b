"""Every function, with arguments that find something in the seed `demo`."""

import inspect
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, get_origin, get_type_hints

from pulumi_dataprotection import functions
from pulumi_dataprotection.functions._data_source import ListResult
from support.functions.names import FUNCTIONS

NOW = datetime.now(UTC)

VALUES: dict[str, Any] = {
    "archived": False,
    "deleted": None,
    "end": NOW - timedelta(days=2),
    "end_time": NOW.isoformat(),
    "kind": "office_user",
    "name": "Gold",
    "org_id": "org-contoso",
    "parent_org_id": "org-alpine",
    "policy": "Gold",
    "protected": True,
    "recursive": True,
    "resource": "jane.doe@contoso.example",
    "start": (NOW - timedelta(days=20)).isoformat(),
    "start_time": NOW - timedelta(days=20),
    "task_id": "task-contoso-01",
    "tenant_id": "tenant-contoso",
}
"""A value of each argument: a new function needs a line here only for an argument with a new name."""

EXCEPTIONS: dict[str, dict[str, Any]] = {
    "get_audit_events": {**VALUES, "start_time": NOW - timedelta(days=300)},
    "get_org": {"id": "org-contoso"},
    "get_resources": {**VALUES, "name": "j*"},
    "get_tenant": {"name": "Contoso Workspace", "org_id": "org-contoso"},
}
"""The values of functions that cannot take all arguments at once, or find something else by them."""


def function(name: str) -> Callable[..., Any]:
    """Return the function of this name."""
    found: Callable[..., Any] = getattr(functions, name)
    return found


def _arguments(name: str) -> dict[str, Any]:
    values = EXCEPTIONS.get(name, VALUES)
    parameters = inspect.signature(function(name)).parameters
    return {argument: values[argument] for argument in parameters if argument in values}


ARGUMENTS = {name: _arguments(name) for name in FUNCTIONS}

LISTS = [name for name in FUNCTIONS if get_origin(get_type_hints(function(name))["return"]) is ListResult]
"""The functions that return a list."""
