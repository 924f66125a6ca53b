"""An existing estate under code: from the contents of the service to Pulumi projects, without a write."""

from pulumi_dataprotection.adoption.files import read_orgs_file, read_tenant_file

__all__ = ["read_orgs_file", "read_tenant_file"]
