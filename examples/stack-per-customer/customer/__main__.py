"""Everybody in all workspaces of one customer: one program, and a stack for each customer.

    pulumi stack init contoso
    pulumi config set externalId crm-1002
    pulumi config set parentOrgId org-alpine     # as in ../msp
    pulumi up

A failure at one customer stops no other stack, each stack can have a key of its own, and hundreds run side by side.
"""

import pulumi

from pulumi_dataprotection import ProtectionSet, get_org, get_resources, get_tenants

config = pulumi.Config()
policy = config.require("policy")

# The stack of all customers creates the organization. The number in the CRM leads to it.
customer = get_org(external_id=config.require("externalId"), parent_org_id=config.get("parentOrgId") or None)
workspaces = get_tenants(customer.id).items
if not workspaces:
    raise pulumi.RunError(f"{customer.name} has no workspace: the customer connects one in the portal")

# One set for each workspace, named by the workspace's id: names and the order of the list may change. A person who
# already has a policy keeps it. With protect=True, the preview fails if the list lacks a workspace.
sets = [
    ProtectionSet(
        workspace.id,
        tenant_id=workspace.id,
        resources=[person.id for person in get_resources(workspace.id, kind="office_user", archived=False).items],
        policy=policy,
        on_conflict="accept",
        opts=pulumi.ResourceOptions(protect=True),
    )
    for workspace in workspaces
]

# The people who have a policy now, from this program or from the portal.
members = [policies for people in sets for policies in (people.protected, people.adopted)]
pulumi.export("protected", pulumi.Output.all(*members).apply(lambda found: sum(map(len, found))))
