"""A new customer, from the contract to the first backup.

    pulumi stack init fabrikam
    pulumi config set externalId crm-1042
    pulumi config set customer Fabrikam
    pulumi config set adminEmail it@fabrikam.example
    pulumi up
    pulumi stack output invitation --show-secrets

The first run makes the organization. The customer then connects a workspace in the portal, and the next run, tonight's
for example, protects everybody in it; until then `missing` says what is being waited for.
"""

from collections.abc import Mapping

import pulumi

from pulumi_dataprotection import Org, ProtectionSet, Rule, assign, get_orgs, get_resources, get_tenants

RULES = [
    Rule(None, name="test-*"),  # left out on purpose
    Rule("Gold", kind="office_user"),
    Rule("Silver", kind="office_teamdrive"),
]

config = pulumi.Config()
external_id = config.require("externalId")

# No operation deletes an organization: one that falls out of the program by mistake is to fail in the preview.
customer = Org(
    "customer",
    external_id=external_id,
    name=config.require("customer"),
    admin_email=config.require("adminEmail"),
    opts=pulumi.ResourceOptions(protect=True),
)

# Looked up rather than taken from `customer`: so a preview knows the workspaces and shows who will be protected.
workspaces = [
    workspace for org in get_orgs().items if org.external_id == external_id for workspace in get_tenants(org.id).items
]

missing = [] if workspaces else ["no workspace is connected yet: the customer follows the invitation to the portal"]
members: list[pulumi.Output[Mapping[str, str]]] = []
for workspace in workspaces:
    baseline = assign(get_resources(workspace.id).items, RULES)
    # Nothing is listed in a workspace that was connected just now.
    if not baseline.assignments:
        missing.append(f"nothing to protect in {workspace.name} yet")
    # Who got a policy in the portal meanwhile keeps it. A workspace that the lists above lack must not lose its set.
    people = ProtectionSet(
        workspace.id,
        tenant_id=workspace.id,
        assignments=baseline.assignments,
        on_conflict="accept",
        opts=pulumi.ResourceOptions(protect=True),
    )
    members += [people.protected, people.adopted]

pulumi.export("invitation", customer.invitation_url)  # a secret: whoever follows it becomes the administrator
pulumi.export("missing", missing)
pulumi.export("protected", pulumi.Output.all(*members).apply(lambda found: sum(map(len, found))))
