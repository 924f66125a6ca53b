"""The records of the interface (section 2) as data."""

from collections.abc import Mapping

# A field's type: "string", "boolean", "date-time", "int32"; "int64" and "uint64", which are carried as decimal
# texts; another record's name; or one of these in brackets for an array of it.
Fields = Mapping[str, str]


def _texts(*names: str) -> Fields:
    return dict.fromkeys(names, "string")


def _page(record: str) -> Fields:
    return {"items": f"[{record}]", "next_page_token": "string"}


# The records whose fields the interface does not show.
_OPEN = (
    *("Tenant", "TenantQuotas", "Subscription", "SubscriptionHistory"),
    *("Task", "TaskStats", "TriggerJobResult"),
)

RECORDS: Mapping[str, Fields] = {
    "Org": _texts("id", "external_id", "kind", "name"),
    "CreateOrgResult": {"org": "Org", "invitation_url": "string"},
    "Installation": _texts("tenant_id", "org_id"),
    "Resource": {**_texts("id", "external_id", "tenant_id", "name", "kind"), "archived": "boolean"},
    "Policy": _texts("id", "tenant_id", "name"),
    "Protection": _texts("id", "resource_id", "policy_id", "job_id"),
    "ProtectResourceResult": _texts("job_id"),
    "Archive": {
        **_texts("id", "tenant_id", "resource_id"),
        "delete_pending": "boolean",
        "created_at": "date-time",
        "stats": "ArchiveStats",
    },
    "ArchiveStats": {"size": "uint64"},
    "AuditEvent": {
        **_texts("id", "actor_email", "actor_name", "action", "subject", "details"),
        "created_at": "date-time",
    },
    "Quota": {"kind": "string", "count": "int64", "units": "string"},
    "ResourceStats": {"tenants": "[ResourceTenantStats]"},
    "ResourceTenantStats": {
        **_texts("tenant_id", "kind", "name"),
        "resource_details": "[ResourceStatsDetailedEntry]",
        "resources_total": "ResourceStatsTotalEntry",
    },
    "ResourceStatsDetailedEntry": {"kind": "string", "count": "int32", "protected_count": "int32"},
    "ResourceStatsTotalEntry": {"count": "int32", "protected_count": "int32", "size_total": "int64"},
    **dict.fromkeys(_OPEN, _texts()),
    "InstallationPage": _page("Installation"),
    "OrgsPage": _page("Org"),
    "TenantsPage": _page("Tenant"),
    "SubscriptionsPage": _page("Subscription"),
    "ArchivePage": _page("Archive"),
    "AuditEventsPage": _page("AuditEvent"),
    "PoliciesPage": _page("Policy"),
    "ProtectionPage": _page("Protection"),
    "ResourcePage": _page("Resource"),
}

NOTHING = "Nothing"
"""The record without fields, which deletions answer and protecting takes."""
