"""What the inputs of a protection mean, and what stands in their way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast, get_args

from pulumi.dynamic import CheckFailure

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.protection.operations import find, preview
from pulumi_dataprotection.core.protection.plan import Adopt, Observed, OnConflict, OnDestroy
from pulumi_dataprotection.core.registry import Registry, declared_twice, resource_key
from pulumi_dataprotection.resources._provider import Properties, differing, is_unknown, registry_of, text
from pulumi_dataprotection.resources._sdk import tell, urn, warn

__all__ = [
    "choice_failures",
    "find_resource",
    "foresee_failures",
    "on_conflict",
    "written_anew",
]

_CHOICES = {"on_conflict": get_args(OnConflict), "on_destroy": get_args(OnDestroy), "adopt": get_args(Adopt)}


def choice_failures(inputs: Properties) -> Iterator[CheckFailure]:
    """Find the choices that do not exist; what is not known yet is let pass."""
    if inputs.get("adopt") in {None, "keep"}:
        # The default is left out: states of before do not have it.
        inputs.pop("adopt", None)
    for name, choices in _CHOICES.items():
        value = inputs.get(name, "keep" if name == "adopt" else None)
        if value not in choices and not is_unknown(value):
            yield CheckFailure(name, f"must be one of: {', '.join(choices)}")


def foresee_failures(
    account: client.Account, tenant_id: str, olds: Properties, inputs: Properties
) -> Iterator[CheckFailure]:
    """Resolve what the inputs name, and find what stands in the way; what is not known yet is left for `up`.

    Args:
        account: the service.
        tenant_id: the tenant.
        olds: the inputs of the last run; empty where there are none.
        inputs: the inputs; gets the ids that they mean.
    """
    tenant = account.tenant(tenant_id)
    found = find_resource(tenant, inputs)
    if found.missing != "tenant_id":
        yield from _resolve_policy(tenant, inputs)
    own: set[str] = set()
    managed = False
    if found.resource:
        inputs["resource_id"] = found.resource.id
        managed = olds.get("resource_id") == found.resource.id
        key, registry = resource_key(tenant_id, found.resource.id), registry_of(account)
        if other := registry.declare(key, urn()):
            yield CheckFailure("resource", declared_twice(found.name, other))
        own |= registry.own(key)
        _note_wanted(registry, key, inputs)
    if managed and (before := text(olds, "policy_id")):
        own.add(before)
    # What to do about another policy has to be known as well.
    wanted = "" if is_unknown(inputs.get("on_conflict")) else text(inputs, "policy_id") or ""
    changes = managed and bool(differing(olds, inputs, ("on_conflict", "on_destroy", "profile")))
    for step in preview(tenant, found, wanted, own=own, on_conflict=on_conflict(inputs), changes=changes):
        if step.action == "refuse":
            yield CheckFailure(step.property, step.text())
        elif step.reason:
            tell(f"{step.reason}.")
        elif step.action == "adopt" and not managed and inputs.get("adopt") == "own":
            tell(f"1 to own: policy {found.label(step.policy_id)} is on {found.name} already.")
    if managed and found.archived:
        warn(f"{found.name} is archived: it is not backed up any more. Take it out of the program.")


def _note_wanted(registry: Registry, key: tuple[str, ...], inputs: Properties) -> None:
    if (policy_id := text(inputs, "policy_id")) and inputs.get("on_conflict") != "accept":
        registry.note_wanted(key, policy_id)


def find_resource(tenant: client.TenantCache, inputs: Properties, *, follow: bool = True) -> Observed:
    """Find the resource that the inputs name; nothing where that is not known yet.

    Args:
        tenant: the tenant.
        inputs: the inputs.
        follow: whether a reference passes on to another living item if the known item has lost it. What a check found
            is not looked up anew.
    """
    reference = text(inputs, "resource")
    return find(tenant, reference, text(inputs, "resource_id"), follow=follow) if reference else Observed()


def _resolve_policy(tenant: client.TenantCache, inputs: Properties) -> Iterator[CheckFailure]:
    if policy := text(inputs, "policy"):
        try:
            inputs["policy_id"] = tenant.policies.find(policy, text(inputs, "policy_id")).id
        except errors.NotFoundError as error:
            yield CheckFailure("tenant_id", str(error))
        except errors.UnresolvedReferenceError as error:
            yield CheckFailure("policy", str(error))


def written_anew(inputs: Properties, outs: Properties) -> Properties:
    """The references of the program that mean what the outputs have, however they are written."""
    return {
        reference: inputs[reference]
        for reference, id_ in (("resource", "resource_id"), ("policy", "policy_id"))
        if text(inputs, reference) and inputs.get(id_) == outs[id_]
    }


def on_conflict(inputs: Properties) -> OnConflict:
    """What to do about a policy that is not ours."""
    return cast("OnConflict", inputs.get("on_conflict") or "fail")
