"""The arguments of one resource of each class, all but the profile and the default parent."""

from support.resources.contoso import TENANT, assigned, protection
from support.resources.servicer import Properties

__all__ = ["ARCHIVE_DELETION", "ARGUMENTS", "BACKUP_RUN"]

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
