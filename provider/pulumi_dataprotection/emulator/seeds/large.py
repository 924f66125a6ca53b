"""The seed `large`: many tenants of many resources, nothing protected."""

from datetime import datetime

from pulumi_dataprotection.emulator.seeds._common import keys, number_tenants, policies, tenant
from pulumi_dataprotection.emulator.store.document import Document


def large(tenants: int, resources: int, now: datetime) -> Document:
    """Return an estate of a given size; its records are made one by one, as they are stored.

    Args:
        tenants: how many tenants, all of one organization.
        resources: how many resources in each tenant, a tenth of them drives.
        now: the time at which the tenants are created.
    """
    org = {"id": "org-root", "kind": "distributor", "name": "Root Organization"}
    tenant_ids = number_tenants(tenants)
    return {
        "orgs": [org],
        **keys(org_id=org["id"]),
        "tenants": (tenant(id, org["id"], f"Workspace {id[-4:]}", now) for id in tenant_ids),
        "policies": policies(tenant_ids),
        "resources": (_resource(tenant_id, number) for tenant_id in tenant_ids for number in range(1, resources + 1)),
    }


def _resource(tenant_id: str, number: int) -> dict[str, object]:
    common = {"tenant_id": tenant_id, "id": f"res-{number:07}", "external_id": f"ext-{number:07}"}
    if number % 10:
        return {**common, "kind": "office_user", "name": f"user-{number}@{tenant_id}.example"}
    return {**common, "kind": "office_teamdrive", "name": f"Drive {number}"}
