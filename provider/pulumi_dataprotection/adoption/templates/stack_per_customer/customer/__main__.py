"""The protections of one customer. All customers share this program, and the stack has the name of the customer.

Each data file in `tenants/<customer>` lists the members of one tenant by policy, or has rules. To assign a policy to
somebody, add a line. To swap a policy, move the line.
"""

from pathlib import Path

import pulumi
from pulumi_dataprotection import ProtectionSet
from pulumi_dataprotection.adoption import read_tenant_file

customer = Path("tenants", pulumi.get_stack())
files = sorted(customer.glob("*.yaml"))
if not files:
    raise pulumi.RunError(f"{customer} has no data file: the stack must have the name of a customer")

for file in files:
    tenant = read_tenant_file(file)
    ProtectionSet(
        tenant.tenant_id,
        tenant_id=tenant.tenant_id,
        assignments=tenant.assignments,
        on_conflict=tenant.on_conflict,
        adopt="keep",
        opts=pulumi.ResourceOptions(protect=True),
    )
