"""The common content of the ready-made seeds: two keys, tenants and policies."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from pulumi_dataprotection.emulator._times import format_time
from pulumi_dataprotection.emulator.store.document import Record

FULL_KEY = "emulator-full-access-key-4b1d9c"
READ_ONLY_KEY = "emulator-read-only-key-8e2f7a"

POLICIES = ("Gold", "Silver", "Bronze")


def keys(**place: str) -> dict[str, list[Record]]:
    """Return the sections of the two keys, both installed for an `org_id` or a `tenant_id`."""
    return {
        "keys": [
            {"name": "Full access", "key": FULL_KEY, "permissions": ["read", "write", "billing"]},
            {"name": "Read-only", "key": READ_ONLY_KEY, "permissions": ["read", "billing"]},
        ],
        "installations": [
            {"id": "installation-1", "key_name": "Full access", **place},
            {"id": "installation-2", "key_name": "Read-only", **place},
        ],
    }


def number_tenants(count: int) -> list[str]:
    """Return the ids of a number of tenants."""
    return [f"tenant-{number:04}" for number in range(1, count + 1)]


def tenant(id: str, org_id: str, name: str, now: datetime) -> Record:
    """Return a numbered tenant that is created now."""
    return {
        "id": id, "external_id": f"suite-{id[-4:]}", "org_id": org_id, "name": name, "created_at": format_time(now)
    }  # fmt: skip


def policies(tenant_ids: Sequence[str]) -> Iterator[Record]:
    """Return the policies of tenants."""
    for tenant_id in tenant_ids:
        for name in POLICIES:
            yield {"tenant_id": tenant_id, "id": f"policy-{name.lower()}", "name": name}
