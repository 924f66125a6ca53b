"""Everybody in the workspace of one customer: one program, and a stack for each customer.

    pulumi stack init contoso
    pulumi config set customer contoso
    pulumi up

What goes wrong at one customer stops no other, each stack can have a key of its own, and hundreds run side by side.
"""

from collections.abc import Mapping

import pulumi

from pulumi_dataprotection import ProtectionSet, get_resources_output, get_tenants

config = pulumi.Config()
customer = config.require("customer")


def find_workspace(orgs: Mapping[str, str]) -> str:
    """Find the customer's workspace, given the organizations of all customers."""
    if customer not in orgs:
        raise pulumi.RunError(f'the stack of all customers has no "{customer}"')
    workspaces = get_tenants(orgs[customer]).items
    if not workspaces:
        raise pulumi.RunError(f"{customer} has not connected a workspace yet")
    return workspaces[0].id


# The one thing that this stack takes from the other.
workspace_id = pulumi.StackReference(config.require("customers")).require_output("orgs").apply(find_workspace)
people = get_resources_output(workspace_id, kind="office_user", archived=False)
person_ids = people.apply(lambda found: [person.id for person in found.items])

# Who has a policy already keeps it. The set must not move to another workspace because a list lacks this one.
ProtectionSet(
    "people",
    tenant_id=workspace_id,
    resources=person_ids,
    policy=config.require("policy"),
    on_conflict="accept",
    opts=pulumi.ResourceOptions(protect=True),
)

pulumi.export("protected", person_ids.apply(len))
