"""A new customer's organization, and every person of a workspace protected."""

import pulumi

from pulumi_dataprotection import Org, Protection, ProtectionSet, get_resource, get_resources

# The new customer. A second `pulumi up` finds it by its number in the CRM and makes no second one.
fabrikam = Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email="it@fabrikam.example")

# An existing customer's workspace, and a person there with a policy of her own. Names may change, ids do not.
WORKSPACE = "tenant-contoso"
boss = get_resource(WORKSPACE, "ext$usr-1012")

# Everybody else gets Silver. A person who already has a policy keeps it.
people = get_resources(WORKSPACE, kind="office_user", archived=False).items
everybody = ProtectionSet(
    "everybody",
    tenant_id=WORKSPACE,
    resources=[person.id for person in people if person.id != boss.id],
    policy="Silver",
    on_conflict="accept",
    opts=pulumi.ResourceOptions(protect=True),
)
Protection("boss", tenant_id=WORKSPACE, resource=boss.id, policy="Gold")

pulumi.export("customer", fabrikam.id)
pulumi.export("invitation", fabrikam.invitation_url)
pulumi.export("protected by the set", everybody.protected.apply(len))
