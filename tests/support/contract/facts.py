"""The content of the service and the results of the client in one form, so that each dialect can be compared.

A value that is not there is None in this form, whether it is written as an empty text, as null, as false or zero, or
not at all: the client may say any of these for it.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, cast

from pulumi_dataprotection.client.records import Timestamp
from pulumi_dataprotection.emulator.answers.records import RECORDS
from pulumi_dataprotection.emulator.handlers import HANDLERS
from support.contract.service import Content, Service

__all__ = ["Facts", "facts_held", "facts_of"]

Facts = dict[str, object]
Row = dict[str, Any]

# The fields that each dialect has of the records that the interface leaves open.
_OPEN: Mapping[str, list[str]] = {"Tenant": ["id", "kind", "name"], "Subscription": ["tenant_id"]}


def _fields(operation_id: str) -> list[str]:
    """Return the fields of the items of a list."""
    record = RECORDS[HANDLERS[operation_id].record]["items"].strip("[]")
    return _OPEN.get(record) or ["size" if name == "stats" else name for name in RECORDS[record]]


def facts_held(operation_id: str, content: Content, service: Service) -> list[Facts]:
    """Return what a list of the scene's has to show, given what the emulator holds."""
    names = _fields(operation_id)
    rows = [_shown(row, service) for row in _rows(operation_id, content, service)]
    return _in_order({name: row[name] for name in names} for row in rows)


def facts_of(operation_id: str, records: Iterable[Any], service: Service) -> list[Facts]:
    """Return what the client says of the items of a list."""
    names = _fields(operation_id)
    return _in_order({name: _plain(name, _attribute(record, name), service) for name in names} for record in records)


def _rows(operation_id: str, content: Content, service: Service) -> list[Row]:
    scene, table = service.scene, operation_id.removeprefix("list_")
    tenants = {row["id"] for row in content["tenants"] if row["org_id"] == scene.owner_id}
    field, wanted = {
        "installations": ("key_name", {"Full access"}),
        "orgs": ("parent_org_id", {scene.parent_id}),
        "tenants": ("id", tenants),
        "subscriptions": ("tenant_id", tenants),
    }.get(table, ("tenant_id", {scene.tenant_id}))
    return [row for row in content[table] if row[field] in wanted]


def _shown(row: Row, service: Service) -> Facts:
    shown = {**row, "delete_pending": bool(row.get("delete_at")), "size": int(row.get("size", 0))}
    if "action" in row and service.variants["audit_actions"] == "upper":
        shown["action"] = row["action"].upper().replace(".", "_")
    if "created_at" in row:
        shown["created_at"] = datetime.fromisoformat(row["created_at"]).astimezone(UTC)
    return {name: _plain(name, value, service) for name, value in shown.items()}


def _attribute(record: Any, name: str) -> object:  # noqa: ANN401 - records of all kinds
    if name == "size":
        return record.stats and record.stats.size
    # A subscription says which tenant's it is in a field that the interface does not name.
    value = getattr(record, name) if hasattr(record, name) else cast("Mapping[str, object]", record.fields)[name]
    return value.datetime if isinstance(value, Timestamp) else value


def _plain(name: str, value: object, service: Service) -> object:
    # Of a service that has more kinds than the interface names, the kind of a record is not known.
    if name == "kind" and service.variants["extra_fields"] != "none":
        return None
    if isinstance(value, datetime) and service.variants["times"] == "seconds":
        return value.replace(microsecond=0)
    return value or None


def _in_order(facts: Iterable[Facts]) -> list[Facts]:
    return sorted(facts, key=repr)
