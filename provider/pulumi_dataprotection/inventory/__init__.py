"""The estate of a key: its organizations and tenants, and the contents of each tenant, read one tenant at a time."""

from pulumi_dataprotection.inventory.contents import TenantContents, read_contents
from pulumi_dataprotection.inventory.tenants import LEFT_OUT, Report, Scope, find_tenants

__all__ = ["LEFT_OUT", "Report", "Scope", "TenantContents", "find_tenants", "read_contents"]
