"""The resource of the program that declares an item."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pulumi_dataprotection import client
from pulumi_dataprotection._handover import read_handover
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.resources._ledger import Ledger, name_of, thing_of

__all__ = ["declared_by", "still_on"]


def declared_by(
    view: client.TenantView,
    ledger: Ledger,
    resource_id: str,
    *,
    known_as: Collection[str] = (),
    deleted: str = "",
    own: str | None = None,
    by_name: bool = True,
) -> str | None:
    """Return the name of the resource of this run's program that declares an item; None if no resource does.

    Args:
        view: the tenant.
        ledger: the resources that the engine asked this process about.
        resource_id: the id of the item.
        known_as: references that mean the item in the state.
        deleted: the URN of the resource that is deleted. If the program declares that resource, then the command is
            `destroy --run-program`, and nothing stays declared.
        own: the policy that is to be removed. If the declaring resource wants another policy, and the item has both,
            nobody declares this one: some accounts allow several policies.
        by_name: whether to read the name of the item from the service.
    """
    thing = thing_of(view.id, resource_id)
    if (known := ledger.declared_by(thing)) is not None:
        wanted = ledger.wanted(thing)
        both = own and wanted and own != wanted and {own, wanted} <= {*view.policy_ids_on(resource_id)}
        return None if both else name_of(known)
    handover = read_handover()
    if handover is None or (deleted and handover.has_urn(deleted) and not ledger.in_program(deleted)):
        return None
    name = handover.declared_by(view.id, [resource_id])
    if name is None and by_name and handover.in_tenant(view.id):
        try:
            item = view.resource(resource_id, resource_id)
        except (errors.UnresolvedReferenceError, errors.NotFoundError):
            return None
        references = [f"{client.EXTERNAL_ID_PREFIX}{item.external_id}", item.name or "", *known_as]
        name = handover.declared_by(view.id, references)
    return name


def still_on(view: client.TenantView, ledger: Ledger, passed_on: Mapping[str, str]) -> dict[str, str]:
    """Return the policies that are still on items whose references mean other items now, and that nobody declares.

    Args:
        view: the tenant.
        ledger: the resources that the engine asked this process about.
        passed_on: the policies, by the item's id.
    """
    return {
        id: policy
        for id, policy in passed_on.items()
        if policy in view.policy_ids_on(id) and declared_by(view, ledger, id) is None
    }
