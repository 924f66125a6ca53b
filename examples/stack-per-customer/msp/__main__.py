"""All customers of a service provider, each of whom has a stack of their own next door.

    pulumi stack init prod
    pulumi config set parentOrgId org-alpine     # or leave it to the organization that the key is installed for
    pulumi up

A new customer is a new line here, and then a new stack of ../customer.
"""

import pulumi

from pulumi_dataprotection import Org

# By their numbers in the CRM.
CUSTOMERS = {
    "contoso": ("crm-1002", "Contoso"),
    "northwind": ("crm-1001", "Northwind Traders"),
}

parent_org_id = pulumi.Config().get("parentOrgId") or None
orgs = {
    customer: Org(
        customer,
        external_id=number,
        name=name,
        parent_org_id=parent_org_id,
        opts=pulumi.ResourceOptions(protect=True),
    )
    for customer, (number, name) in CUSTOMERS.items()
}

pulumi.export("orgs", {customer: org.id for customer, org in orgs.items()})
