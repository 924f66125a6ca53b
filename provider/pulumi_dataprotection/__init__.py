"""Pulumi resources and functions for a SaaS data-protection service.

Its parts are loaded on first use: the client and the emulator work without pulumi.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pulumi_dataprotection.functions import (
        Assignments,
        Rule,
        assign,
        get_archives,
        get_archives_output,
        get_audit_events,
        get_audit_events_output,
        get_installations,
        get_installations_output,
        get_org,
        get_org_output,
        get_orgs,
        get_orgs_output,
        get_policies,
        get_policies_output,
        get_policy,
        get_policy_output,
        get_protection,
        get_protection_output,
        get_protections,
        get_protections_output,
        get_resource,
        get_resource_output,
        get_resource_stats,
        get_resource_stats_output,
        get_resources,
        get_resources_output,
        get_subscription_history,
        get_subscription_history_output,
        get_subscriptions,
        get_subscriptions_output,
        get_task,
        get_task_output,
        get_task_stats,
        get_task_stats_output,
        get_tenant,
        get_tenant_output,
        get_tenant_quotas,
        get_tenant_quotas_output,
        get_tenants,
        get_tenants_output,
    )
    from pulumi_dataprotection.resources import ArchiveDeletion, BackupRun, Org, Protection, ProtectionSet

__all__ = [
    "ArchiveDeletion",
    "Assignments",
    "BackupRun",
    "Org",
    "Protection",
    "ProtectionSet",
    "Rule",
    "assign",
    "get_archives",
    "get_archives_output",
    "get_audit_events",
    "get_audit_events_output",
    "get_installations",
    "get_installations_output",
    "get_org",
    "get_org_output",
    "get_orgs",
    "get_orgs_output",
    "get_policies",
    "get_policies_output",
    "get_policy",
    "get_policy_output",
    "get_protection",
    "get_protection_output",
    "get_protections",
    "get_protections_output",
    "get_resource",
    "get_resource_output",
    "get_resource_stats",
    "get_resource_stats_output",
    "get_resources",
    "get_resources_output",
    "get_subscription_history",
    "get_subscription_history_output",
    "get_subscriptions",
    "get_subscriptions_output",
    "get_task",
    "get_task_output",
    "get_task_stats",
    "get_task_stats_output",
    "get_tenant",
    "get_tenant_output",
    "get_tenant_quotas",
    "get_tenant_quotas_output",
    "get_tenants",
    "get_tenants_output",
]

_RESOURCES = {"ArchiveDeletion", "BackupRun", "Org", "Protection", "ProtectionSet"}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    layer = "resources" if name in _RESOURCES else "functions"
    return getattr(import_module(f"{__name__}.{layer}"), name)
