"""Keys, permissions and the reach of installations."""

import json
from collections.abc import Mapping
from datetime import datetime

from pulumi_dataprotection.emulator._errors import Forbidden, NotFound, Unauthenticated, refuse_as
from pulumi_dataprotection.emulator._times import format_time
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.requests.request import Key
from pulumi_dataprotection.emulator.store.store import Store
from pulumi_dataprotection.spec import Operation

_ANCESTORS = """
    WITH RECURSIVE line (id) AS (
        SELECT :org_id
        UNION
        SELECT orgs.parent_org_id FROM orgs JOIN line USING (id) WHERE orgs.parent_org_id IS NOT NULL
    )
    SELECT id FROM line
"""


def find_key(store: Store, text: str, now: datetime) -> Key:
    """Find the application that a key identifies.

    Raises:
        Unauthenticated: The key is missing, unknown or expired.
    """
    if not text:
        raise Unauthenticated("the request has no API key in its Authorization header")
    row = store.one("SELECT name, permissions, expires_at FROM keys WHERE key = ?", (text,))
    if row is None:
        raise Unauthenticated("the API key is not valid")
    if row["expires_at"] is not None and row["expires_at"] <= format_time(now):
        raise Unauthenticated(f"the API key expired at {row['expires_at']}")
    installed = store.all("SELECT org_id, tenant_id FROM installations WHERE key_name = ?", (row["name"],))
    return Key(
        row["name"],
        frozenset(json.loads(row["permissions"])),
        frozenset(installation["org_id"] for installation in installed if installation["org_id"] is not None),
        frozenset(installation["tenant_id"] for installation in installed if installation["tenant_id"] is not None),
    )


def check_permission(operation: Operation, key: Key) -> None:
    """Check that a key has the permission for what an operation does.

    Raises:
        Forbidden: It has not.
    """
    if operation.permission not in key.permissions:
        raise Forbidden(f'the application "{key.name}" lacks the permission "{operation.permission}"')


def check_entity(store: Store, operation: Operation, path: Mapping[str, str], key: Key, dialect: Dialect) -> None:
    """Check that the organization or tenant that a path begins with exists and is within a key's reach.

    Raises:
        NotFound: It does not exist, or it is a deleted tenant and the dialect refuses it.
        Forbidden: It exists, outside the organizations and tenants that the application is installed for.
    """
    if not operation.path_parameters:
        return
    entity_id = path[operation.path_parameters[0]]
    if operation.path.startswith("/api/v1/orgs/"):
        check_org(store, entity_id, key)
    else:
        _check_tenant(store, entity_id, key, "served" if operation.id == "get_tenant" else dialect.deleted_tenant)


def check_org(store: Store, org_id: str, key: Key) -> None:
    """Check that an organization exists and is within a key's reach; raises as `check_entity` does."""
    if store.one("SELECT 1 FROM orgs WHERE id = ?", (org_id,)) is None:
        raise NotFound(f'the organization "{org_id}" does not exist')
    if not _within(store, org_id, key):
        raise Forbidden(f'the application "{key.name}" has no access to the organization "{org_id}"')


def _check_tenant(store: Store, tenant_id: str, key: Key, deleted: str) -> None:
    tenant = store.one("SELECT org_id, terminated FROM tenants WHERE id = ?", (tenant_id,))
    if tenant is None:
        raise NotFound(f'the tenant "{tenant_id}" does not exist')
    if tenant_id not in key.tenant_ids and not _within(store, tenant["org_id"], key):
        raise Forbidden(f'the application "{key.name}" has no access to the tenant "{tenant_id}"')
    if tenant["terminated"]:
        refuse_as(deleted, f'the tenant "{tenant_id}" is deleted')


def _within(store: Store, org_id: str, key: Key) -> bool:
    return any(row["id"] in key.org_ids for row in store.all(_ANCESTORS, {"org_id": org_id}))
