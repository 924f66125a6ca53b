"""What a process does that wants something: it looks, plans, and carries the plan out, as the resources do."""

from collections.abc import Collection

from pulumi_dataprotection.client.records import Org, Policy, Protection, Resource
from pulumi_dataprotection.core.orgs import create_org
from pulumi_dataprotection.core.protection import apply
from support.contract.service import Service

__all__ = ["EXTERNAL_ID", "ORG_NAME", "assign_policy", "ensure_org", "remove_policy"]

EXTERNAL_ID = "crm-4711 /?#"
# Its accent is a character of its own, which some services put together with the letter.
ORG_NAME = "Fourth Cafe\u0301 & Co"


def assign_policy(service: Service, policy_id: str, *, own: Collection[str] = ()) -> Protection:
    """Bring a policy onto the scene's free resource.

    Args:
        service: the service.
        policy_id: the policy.
        own: the policies that this process may take off.
    """
    protection, _ = apply.assign_policy(
        service.account().tenant(service.scene.tenant_id),
        Resource(id=service.scene.free_id, name="the free resource"),
        Policy(id=policy_id, name="the wanted policy"),
        own=own,
        on_conflict="take_over",
    )
    return protection


def remove_policy(service: Service, policy_id: str) -> None:
    """Take a policy off the scene's free resource, if it is on it."""
    account = service.account()
    tenant_id, resource_id = service.scene.tenant_id, service.scene.free_id
    apply.remove_policy(account.tenant(tenant_id), resource_id, own=policy_id, on_destroy="unprotect")


def ensure_org(service: Service, *, external_id: str = EXTERNAL_ID, name: str = ORG_NAME) -> tuple[Org, str | None]:
    """Bring an organization about, below the one that the application is installed for."""
    return create_org(
        service.account(),
        parent_org_id=service.scene.org_id,
        external_id=external_id,
        name=name,
        admin_email="it@fourth.example",
    )
