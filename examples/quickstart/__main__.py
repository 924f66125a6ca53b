"""A new customer's organization, and every person of a workspace protected."""

import pulumi

from pulumi_dataprotection import Org, Protection, get_orgs, get_policy, get_resources, get_tenant

# The new customer. A second `pulumi up` finds it by its number in the CRM and makes no second one.
fabrikam = Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email="it@fabrikam.example")

# An existing customer's workspace, found by name, and the policy for its people.
contoso = next(org for org in get_orgs(recursive=True).items if org.name == "Contoso")
workspace = get_tenant(name="Contoso Workspace", org_id=contoso.id)
gold = get_policy(workspace.id, "Gold")

# Everybody who works there. Who has a policy already keeps it, the others get Gold.
people = get_resources(workspace.id, kind="office_user", archived=False).items
for person in people:
    Protection(
        f"contoso/{person.name}",
        tenant_id=workspace.id,
        resource=person.id,
        policy=gold.id,
        on_conflict="accept",
    )

pulumi.export("customer", fabrikam.id)
pulumi.export("invitation", fabrikam.invitation_url)
pulumi.export("protected people", len(people))
