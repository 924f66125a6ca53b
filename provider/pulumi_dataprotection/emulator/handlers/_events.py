"""Writing audit events."""

import json

from pulumi_dataprotection.emulator._times import format_time
from pulumi_dataprotection.emulator.requests.request import Request
from pulumi_dataprotection.emulator.store.identifiers import new_id
from pulumi_dataprotection.emulator.store.store import Store


def record_event(request: Request, store: Store, action: str, subject: str, **details: str) -> None:
    """Write what a request did into the audit log of its tenant.

    Args:
        request: the request; its application is the actor.
        store: the database.
        action: what was done, as noun and verb: "resource.protect".
        subject: what it was done to.
        details: anything more.
    """
    store.execute(
        """
        INSERT INTO audit_events (tenant_id, id, actor_email, actor_name, action, subject, created_at, details)
        VALUES (?, ?, '', ?, ?, ?, ?, ?)
        """,
        (
            request.path["tenant_id"],
            new_id("event"),
            request.key.name,
            action,
            subject,
            format_time(request.now),
            json.dumps(details, ensure_ascii=False),
        ),
    )
