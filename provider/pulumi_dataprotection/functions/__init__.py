"""What a program looks up, at once or for arguments that are outputs of something else, and what follows by rule."""

from pulumi_dataprotection.functions.archives import get_archives, get_archives_output
from pulumi_dataprotection.functions.audit import get_audit_events, get_audit_events_output
from pulumi_dataprotection.functions.installations import get_installations, get_installations_output
from pulumi_dataprotection.functions.licensing import (
    get_subscription_history,
    get_subscription_history_output,
    get_subscriptions,
    get_subscriptions_output,
)
from pulumi_dataprotection.functions.orgs import get_org, get_org_output, get_orgs, get_orgs_output
from pulumi_dataprotection.functions.policies import (
    get_policies,
    get_policies_output,
    get_policy,
    get_policy_output,
)
from pulumi_dataprotection.functions.protections import (
    get_protection,
    get_protection_output,
    get_protections,
    get_protections_output,
)
from pulumi_dataprotection.functions.resources import (
    get_resource,
    get_resource_output,
    get_resource_stats,
    get_resource_stats_output,
    get_resources,
    get_resources_output,
)
from pulumi_dataprotection.functions.rules import Assignments, Rule, assign
from pulumi_dataprotection.functions.tasks import get_task, get_task_output, get_task_stats, get_task_stats_output
from pulumi_dataprotection.functions.tenants import (
    get_tenant,
    get_tenant_output,
    get_tenant_quotas,
    get_tenant_quotas_output,
    get_tenants,
    get_tenants_output,
)

__all__ = [
    "Assignments",
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
