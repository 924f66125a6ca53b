"""The content of one workspace of the seed `demo`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pulumi_dataprotection.emulator._times import format_time
from pulumi_dataprotection.emulator.seeds._common import POLICIES
from pulumi_dataprotection.emulator.store.document import Record

_PROTECTED_PEOPLE = 8
_PROTECTED_DRIVES = 2


@dataclass(frozen=True, slots=True)
class Workspace:
    """The properties of a workspace.

    Attributes:
        name: the tenant's name.
        short_name: the part of its ids and of its e-mail domain.
        kind: the tenant's kind.
        region: where its backups are kept.
        billing: how its subscription is paid.
        people: the local parts of the users' addresses, separated by spaces.
        drives: the names of the shared drives.
        archived: the names of the resources that can no longer be backed up.
    """

    name: str
    short_name: str
    kind: str
    region: str
    billing: str
    people: str
    drives: Sequence[str]
    archived: Sequence[str]


def workspace(tenant_id: str, description: Workspace, now: datetime) -> dict[str, list[Record]]:
    """Return what a workspace's tenant holds, section by section."""
    name = description.short_name
    people = [f"{person}@{name}.example" for person in description.people.split()]
    users = [_resource(description, "user", number, person) for number, person in enumerate(people, 1)]
    drives = [_resource(description, "drive", number, drive) for number, drive in enumerate(description.drives, 1)]
    protected = [*users[:_PROTECTED_PEOPLE], *drives[:_PROTECTED_DRIVES]]
    sections: dict[str, list[Record]] = {
        "resources": [*users, *drives],
        "policies": [{"id": f"policy-{name}-{policy.lower()}", "name": policy} for policy in POLICIES],
        "protections": [
            {
                "id": f"prot-{name}-{number:02}",
                "resource_id": resource["id"],
                "policy_id": f"policy-{name}-{POLICIES[number % len(POLICIES)].lower()}",
                "job_id": f"job-{name}-{number:02}",
            }
            for number, resource in enumerate(protected, 1)
        ],
        "archives": [
            {
                "id": f"archive-{name}-{number:02}",
                "resource_id": resource["id"],
                "created_at": format_time(now - timedelta(days=200 - number)),
                "size": str(1_250_000 * number),
            }
            for number, resource in enumerate(protected, 1)
        ],
        "quotas": [
            {"kind": "resource", "count": "50"},
            {"kind": "storage", "count": "2048", "units": "GB", "used": "71"},
        ],
        "tasks": _tasks(description, protected, now),
        "audit_events": _audit_events(description, protected, now),
    }
    for section, records in sections.items():
        sections[section] = [{"tenant_id": tenant_id, **record} for record in records]
    return {**sections, **_licensing(tenant_id, description, now)}


def _resource(description: Workspace, kind: str, number: int, name: str) -> dict[str, str | bool]:
    prefix, first = ("usr", 1000) if kind == "user" else ("drv", 2000)
    return {
        "id": f"res-{description.short_name}-{kind}-{number:02}",
        "external_id": f"{prefix}-{first + number}",
        "name": name,
        "kind": f"office_{'user' if kind == 'user' else 'teamdrive'}",
        "archived": name in description.archived,
    }


def _tasks(description: Workspace, protected: Sequence[Record], now: datetime) -> list[Record]:
    outcomes = (("done", ""), ("warnings", "2 items could not be read"))
    return [
        {
            "id": f"task-{description.short_name}-{number:02}",
            "job_id": f"job-{description.short_name}-{number:02}",
            "resource_id": protected[number - 1]["id"],
            "status": status,
            "progress": 100,
            "message": message,
            "created_at": format_time(now - timedelta(hours=20 + number)),
            "started_at": format_time(now - timedelta(hours=20 + number) + timedelta(seconds=10)),
            "finished_at": format_time(now - timedelta(hours=20 + number) + timedelta(seconds=60)),
        }
        for number, (status, message) in enumerate(outcomes, 1)
    ]


def _audit_events(description: Workspace, protected: Sequence[Record], now: datetime) -> list[Record]:
    return [
        {
            "id": f"event-{description.short_name}-{number:02}",
            "actor_email": "ada.keller@meridian.example",
            "actor_name": "Ada Keller",
            "action": "resource.protect",
            "subject": resource["name"],
            "created_at": format_time(now - timedelta(days=200 - number)),
            "details": json.dumps({"resource_id": resource["id"]}),
        }
        for number, resource in enumerate(protected, 1)
    ]


def _licensing(tenant_id: str, description: Workspace, now: datetime) -> dict[str, list[Record]]:
    subscription_id = f"sub-{description.short_name}"
    started_at = format_time(now - timedelta(days=400))
    return {
        "subscriptions": [
            {
                "id": subscription_id,
                "tenant_id": tenant_id,
                "kind": description.billing,
                "plan": "Business",
                "started_at": started_at,
                "expires": format_time(now + timedelta(days=330)),
            }
        ],
        "subscription_items": [{"subscription_id": subscription_id, "kind": "resource", "qty": "50"}],
        "subscription_history": [
            {"subscription_id": subscription_id, "kind": "resource", "start": start, "qty": qty}
            for start, qty in ((started_at, "25"), (format_time(now - timedelta(days=12)), "50"))
        ],
    }
