"""The resources of a program: organizations, protections, runs of jobs and deletions of archives."""

from pulumi_dataprotection.resources.archive_deletion import ArchiveDeletion
from pulumi_dataprotection.resources.backup_run import BackupRun
from pulumi_dataprotection.resources.org import Org
from pulumi_dataprotection.resources.protection import Protection
from pulumi_dataprotection.resources.protection_set import ProtectionSet

__all__ = ["ArchiveDeletion", "BackupRun", "Org", "Protection", "ProtectionSet"]
