"""A request of the service after the general checks, as handlers get it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.requests.parameters import Value
from pulumi_dataprotection.spec import Operation

Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Key:
    """An application's key.

    Attributes:
        name: the application's name.
        permissions: what it may do: some of "read", "write" and "billing".
        org_ids: the organizations that it is installed for, each with its whole subtree.
        tenant_ids: the tenants that it is installed for.
    """

    name: str
    permissions: frozenset[str]
    org_ids: frozenset[str]
    tenant_ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Request:
    """A request whose key, permissions, addressed entity and parameters were checked.

    Attributes:
        operation: the operation's row.
        key: the calling application.
        path: the path's parameters, decoded.
        query: the query parameters that were given, in their types.
        now: the service's time.
        dialect: how the service reads what the interface leaves open.
    """

    operation: Operation
    key: Key
    path: Mapping[str, str]
    query: Mapping[str, Value]
    now: datetime
    dialect: Dialect

    def text(self, name: str) -> str | None:
        """Return an optional text parameter."""
        value = self.query.get(name)
        return value if isinstance(value, str) else None

    def time(self, name: str) -> datetime | None:
        """Return an optional time parameter."""
        value = self.query.get(name)
        return value if isinstance(value, datetime) else None
