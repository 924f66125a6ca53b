"""Writing audit events."""

import json

from pulumi_dataprotection.emulator.requests.request import Request
from pulumi_dataprotection.emulator.store.document import insert_record
from pulumi_dataprotection.emulator.store.store import Store, new_id


def record_event(request: Request, store: Store, action: str, subject: str, **details: str) -> None:
    """Write what a request did into the audit log of its tenant.

    Args:
        request: the request; its application is the actor.
        store: the database.
        action: what was done, as noun and verb: "resource.protect".
        subject: what it was done to.
        details: anything more.
    """
    insert_record(
        store,
        "audit_events",
        request.now,
        tenant_id=request.path["tenant_id"],
        id=new_id(request.now),
        actor_name=request.key.name,
        action=action,
        subject=subject,
        details=json.dumps(details, ensure_ascii=False),
    )
