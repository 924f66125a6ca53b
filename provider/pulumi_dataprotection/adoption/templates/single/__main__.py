"""The organizations of all customers, from orgs.yaml, and their protections.

Each data file in `tenants/<customer>` lists the members of one tenant by policy, or has rules. To assign a policy to
somebody, add a line. To swap a policy, move the line.
"""

from pathlib import Path

import pulumi
from pulumi_dataprotection import Org, ProtectionSet, get_org
from pulumi_dataprotection.adoption import read_orgs_file, read_tenant_file

orgs = read_orgs_file(Path("orgs.yaml"))

declared = {
    name: Org(
        name,
        external_id=org.external_id,
        name=org.name,
        parent_org_id=org.parent_org_id,
        opts=pulumi.ResourceOptions(protect=True),
    )
    for name, org in orgs.declared.items()
}
pulumi.export("declared", {name: org.id for name, org in declared.items()})

# An organization without an external_id cannot be declared. Each of these must still exist.
pulumi.export("by_id", {name: get_org(org_id).id for name, org_id in orgs.by_id.items()})

for file in sorted(Path("tenants").glob("*/*.yaml")):
    tenant = read_tenant_file(file)
    ProtectionSet(
        tenant.tenant_id,
        tenant_id=tenant.tenant_id,
        assignments=tenant.assignments,
        on_conflict=tenant.on_conflict,
        adopt="keep",
        opts=pulumi.ResourceOptions(protect=True),
    )
