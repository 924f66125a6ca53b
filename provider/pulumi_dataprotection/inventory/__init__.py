"""The estate of a key: its organizations and tenants, and the contents of each tenant, read one tenant at a time."""

from pulumi_dataprotection.inventory.contents import TenantContents, open_contents, read_contents
from pulumi_dataprotection.inventory.tenants import LEFT_OUT, OrgTenants, Report, Scope, find_tenants, walk_orgs

__all__ = [
    "LEFT_OUT",
    "OrgTenants",
    "Report",
    "Scope",
    "TenantContents",
    "find_tenants",
    "open_contents",
    "read_contents",
    "walk_orgs",
]
