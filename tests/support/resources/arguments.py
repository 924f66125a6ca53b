"""The arguments of resources, and the outputs of earlier runs."""

from collections.abc import Mapping

from support.resources.contoso import JANE, SILVER, TENANT
from support.resources.servicer import Properties

SHOP = {"external_id": "crm-7", "name": "Shop", "parent_org_id": "org-alpine"}
"""The arguments of an organization that does not exist."""


def protection(reference: str = JANE, policy: str = "Silver", **others: object) -> Properties:
    """Return the arguments of a protection."""
    choices = {"on_conflict": "fail", "on_destroy": "unprotect", **others}
    return {"tenant_id": TENANT, "resource": reference, "policy": policy, **choices}


def members(*references: str, policy: object = "Gold", **others: object) -> Properties:
    """Return the arguments of a set whose members all have one policy."""
    return assigned(dict.fromkeys(references, policy), **others)


def assigned(assignments: Mapping[str, object], **others: object) -> Properties:
    """Return the arguments of a set."""
    choices = {"on_conflict": "fail", "on_destroy": "unprotect", **others}
    return {"tenant_id": TENANT, "assignments": dict(assignments), **choices}


def state(resource_id: str = JANE, policy_id: str = SILVER, own: str | None = SILVER) -> Properties:
    """Return the outputs of a protection, as an earlier run left them."""
    inputs = protection(resource_id, "Silver" if policy_id == SILVER else "Gold")
    ids = {"resource_id": resource_id, "policy_id": policy_id, "own_policy_id": own}
    return {**inputs, **ids, "job_id": "job", "schema_version": 2}


def inputs_of(outputs: Properties) -> Properties:
    """Return the checked inputs of a protection's outputs."""
    names = ("tenant_id", "resource", "policy", "on_conflict", "on_destroy", "resource_id", "policy_id")
    return {name: outputs[name] for name in names}


ARCHIVE_DELETION: Properties = {"tenant_id": TENANT, "archive_id": "archive-contoso-01", "reason": "left in 2024"}
BACKUP_RUN: Properties = {
    "tenant_id": TENANT,
    "job_id": "job-contoso-01",
    "triggers": ["monday"],
    "wait": True,
    "timeout": 7200,
    "success_statuses": ["done", "warnings"],
    "failure_statuses": ["failed", "canceled"],
}
ARGUMENTS: dict[str, Properties] = {
    "ArchiveDeletion": ARCHIVE_DELETION,
    "BackupRun": BACKUP_RUN,
    "Org": {"external_id": "crm-7", "name": "Shop", "admin_email": "it@shop.example"},
    "Protection": protection("res-contoso-user-20", "Gold"),
    "ProtectionSet": assigned(
        {"res-contoso-user-20": "Gold", "res-contoso-user-01": "Silver"}, on_missing="fail", max_removals=5
    ),
}
"""The arguments of each class, all but the profile and the default parent."""
