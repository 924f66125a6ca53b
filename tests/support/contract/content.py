"""What the emulator holds for the contract: the demo estate, and whatever a service can hold that is hard to read."""

from datetime import datetime, timedelta
from typing import Any

from pulumi_dataprotection.client.records import rfc3339

__all__ = ["BIGGEST_INT", "BIGGEST_UINT", "additions"]

BIGGEST_UINT = 2**64 - 1
BIGGEST_INT = 2**63 - 1

# The first one that a number of JavaScript, and of many readers of JSON, does not hold.
_ROUNDED = 2**53 + 1

_TENANT = "tenant-contoso"
_OWNER = "org-contoso"
_HOME = "org-meridian"

# Of many alike a few will do.
_TOO_MANY = {
    "resources": [
        *(f"res-contoso-user-{number:02}" for number in range(5, 29) if number != 20),
        *(f"res-contoso-drive-{number:02}" for number in range(5, 11)),
    ],
    "protections": [f"prot-contoso-{number:02}" for number in range(9, 11)],
    "archives": [f"archive-contoso-{number:02}" for number in range(4, 11)],
    "audit_events": [f"event-contoso-{number:02}" for number in range(4, 11)],
}


def additions(now: datetime) -> dict[str, list[dict[str, Any]]]:
    """Return what comes to the demo estate.

    Each list gets more than two items, so that it has several pages of two; and there are records without the values
    that records can lack, 64-bit numbers, and names of several kinds. A part of the estate is somebody else's.
    """
    return {
        "orgs": [
            {"id": "org-nameless", "parent_org_id": _HOME},
            {"id": "org-composed", "external_id": "crm/ 7?#", "name": "Cafe\u0301 \U0001f984", "parent_org_id": _HOME},
            {"id": "org-elsewhere", "name": "Somebody else"},
        ],
        "tenants": [
            # One that holds all that can be asked for is enough.
            {"id": "tenant-adatum", "deleted": True},
            {"id": "tenant-nameless", "org_id": _OWNER, "name": ""},
            {"id": "tenant-quiet", "org_id": _OWNER, "name": "Quiet"},
            {"id": "tenant-elsewhere", "org_id": "org-elsewhere", "name": "Somebody else's"},
        ],
        "installations": [
            {"id": "installation-8", "key_name": "Full access", "tenant_id": _TENANT},
            {"id": "installation-9", "key_name": "Full access", "tenant_id": "tenant-quiet"},
        ],
        "subscriptions": [
            {"id": "sub-nameless", "tenant_id": "tenant-nameless", "started_at": _ago(now, days=90)},
            {"id": "sub-quiet", "tenant_id": "tenant-quiet", "plan": "Business"},
        ],
        "subscription_items": [
            {
                "subscription_id": "sub-contoso",
                "kind": "virtual_machine",
                "auto_license": True,
                "auto_license_max": "7",
            },
            {"subscription_id": "sub-quiet", "kind": "resource", "qty": str(BIGGEST_INT)},
        ],
        "subscription_history": [
            {"subscription_id": "sub-quiet", "kind": "resource", "start": _ago(now, days=20), "qty": "0"}
        ],
        "resources": [
            *_without("resources"),
            {"tenant_id": _TENANT, "id": "res/1 ?2#3%2F4", "external_id": "usr/1 ?2#3%2F4", "name": "Jose\u0301"},
            {"tenant_id": _TENANT, "id": "res-nameless"},
        ],
        "policies": [
            {"tenant_id": _TENANT, "id": "policy-gold-plus", "name": "Gold plus"},
            {"tenant_id": _TENANT, "id": "policy-small", "name": "gold"},
            {"tenant_id": _TENANT, "id": "policy-nameless"},
        ],
        "protections": _without("protections"),
        "archives": [
            *_without("archives"),
            _archive("none", now, size=0),
            _archive("rounded", now, size=_ROUNDED),
            _archive("biggest", now, size=BIGGEST_UINT),
            {**_archive("pending", now, size=1), "delete_at": rfc3339(now + timedelta(days=7))},
        ],
        "quotas": [
            {"tenant_id": _TENANT, "kind": "node"},
            {"tenant_id": _TENANT, "kind": "machine", "count": str(BIGGEST_INT), "used": str(_ROUNDED)},
            # Automatic licensing decides about the limit.
            {"tenant_id": _TENANT, "kind": "virtual_machine", "count": "1", "used": "8"},
        ],
        "audit_events": [
            *_without("audit_events"),
            {"tenant_id": _TENANT, "id": "event-anonymous", "action": "", "created_at": _ago(now, days=3)},
        ],
        "tasks": [
            # It never ran, so that it has neither a beginning nor an end.
            {"tenant_id": _TENANT, "id": "task-canceled", "status": "canceled", "created_at": _ago(now, days=2)},
        ],
    }


def _without(table: str) -> list[dict[str, Any]]:
    return [{"tenant_id": _TENANT, "id": id, "deleted": True} for id in _TOO_MANY[table]]


def _archive(name: str, now: datetime, *, size: int) -> dict[str, Any]:
    return {
        "tenant_id": _TENANT,
        "id": f"archive-{name}",
        "resource_id": "res/1 ?2#3%2F4",
        "created_at": _ago(now, days=9),
        "size": str(size),
    }


def _ago(now: datetime, *, days: int) -> str:
    return rfc3339(now - timedelta(days=days))
