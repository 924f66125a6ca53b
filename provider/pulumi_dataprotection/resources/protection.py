"""Protections: a policy on a resource."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import cast, get_args
from urllib.parse import quote, unquote

import pulumi
from pulumi.dynamic import CheckFailure, CheckResult, CreateResult, DiffResult, ReadResult, UpdateResult

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.resources._base import (
    SCHEMA,
    Properties,
    Provider,
    is_managed,
    is_unknown,
    operation,
    plain,
    text,
    text_failures,
)
from pulumi_dataprotection.resources._declared import DeclaredResource
from pulumi_dataprotection.resources._engine import warn
from pulumi_dataprotection.resources._executor import failing, unprotect
from pulumi_dataprotection.resources._planner import OnConflict, OnDestroy, plan_removal
from pulumi_dataprotection.resources._protecting import bring_policy, find_obstacles

__all__ = ["Protection", "ProtectionProvider"]

_INPUTS = ("tenant_id", "resource", "policy", "on_conflict", "on_destroy", "profile", "resource_id", "policy_id")
_CHOICES = {"on_conflict": get_args(OnConflict), "on_destroy": get_args(OnDestroy)}


class ProtectionProvider(Provider):
    """Puts a policy on a resource, swaps it, and takes it off again."""

    @operation
    def check(self, _olds: Properties, news: Properties) -> CheckResult:
        """Resolve the references, and find in a preview what `up` would fail on."""
        olds, inputs = plain(_olds), plain(news)
        failures = [
            *text_failures(inputs, required=("tenant_id", "resource", "policy"), optional=("profile",)),
            *_choice_failures(inputs),
        ]
        if olds.get("tenant_id") == inputs.get("tenant_id"):
            # A reference whose text did not change means what it meant before, even after a renaming.
            for reference, id_ in (("resource", "resource_id"), ("policy", "policy_id")):
                if id_ in olds and olds.get(reference) == inputs.get(reference):
                    inputs[id_] = olds[id_]
        if not failures and self.checks_online():
            failures = [*self._resolve(olds, inputs)]
        if inputs.get("on_conflict") == "accept":
            # Any policy will do, so the one that is named is no part of what is wanted.
            inputs.pop("policy_id", None)
        return CheckResult(inputs, failures)

    @operation
    def diff(self, _id: str, _olds: Properties, _news: Properties) -> DiffResult:
        """Compare what the references mean, not how they are written."""
        olds, inputs = plain(_olds), plain(_news)
        if _differs(olds, inputs, "tenant_id"):
            return DiffResult(changes=True, replaces=["tenant_id"])
        if "resource_id" in inputs and _differs(olds, inputs, "resource_id"):
            return DiffResult(changes=True, replaces=["resource"])
        policy = "policy_id" if "policy_id" in inputs else "policy"
        resource = "resource_id" if "resource_id" in inputs else "resource"
        compared = ("tenant_id", resource, policy, "on_conflict", "on_destroy", "profile")
        # Where something differs the engine finds it itself, and names just that.
        return DiffResult(changes=None if any(olds.get(name) != inputs.get(name) for name in compared) else False)

    @operation
    def create(self, props: Properties) -> CreateResult:
        """Adopt the protection that is wanted where it exists, else make it."""
        inputs = plain(props)
        estate = self.estate(inputs)
        view = estate.tenant(cast("str", inputs["tenant_id"]))
        resource = view.resource(cast("str", inputs["resource"]), text(inputs, "resource_id"))
        protection, own_policy_id = _apply(estate, resource, inputs)
        return CreateResult(_protection_id(view.id, resource.id), _state(inputs, protection, own_policy_id))

    @operation
    def read(self, id_: str, props: Properties) -> ReadResult:
        """Read which policy is on the resource now."""
        state = plain(props)
        tenant_id, resource_id = _parts(id_)
        view = self.estate(state).tenant(tenant_id)
        protections = view.certain_protections_of(resource_id)
        if not protections:
            if is_managed(state):
                return ReadResult("", {})
            raise errors.DataProtectionError(f"nothing protects {resource_id} in tenant {tenant_id}")
        known = (state.get("own_policy_id"), state.get("policy_id"))
        protection = next((one for one in protections if one.policy_id in known), protections[0])
        if not is_managed(state):
            state |= {"tenant_id": tenant_id, "resource": resource_id}
        accepts = state.get("on_conflict") == "accept"
        if not accepts and protection.policy_id not in known:
            state["policy"] = protection.policy_id
        outs = _state(state, protection, text(state, "own_policy_id"))
        inputs = {name: outs[name] for name in _INPUTS if outs.get(name) is not None}
        if accepts:
            inputs.pop("policy_id")
        return ReadResult(id_, outs, inputs)

    @operation
    def update(self, _id: str, _olds: Properties, _news: Properties) -> UpdateResult:
        """Swap the policy where another one is wanted, and never leave the resource without one."""
        olds, inputs = plain(_olds), plain(_news)
        estate = self.estate(inputs)
        tenant_id, resource_id = _parts(_id)
        resource = estate.tenant(tenant_id).resource(cast("str", inputs["resource"]), text(inputs, "resource_id"))
        if resource.id != resource_id:
            raise errors.DataProtectionError(
                f'"{inputs["resource"]}" is {resource.id}, and this resource protects {resource_id}: '
                "set previewChecks to true, so that the preview can see that another one is meant"
            )
        # What the preview showed as the policy that changes is ours to remove, whoever put it there.
        shown = None if olds.get("on_conflict") == "accept" else text(olds, "policy_id")
        own = {policy_id for policy_id in (shown, text(olds, "own_policy_id")) if policy_id}
        protection, own_policy_id = _apply(estate, resource, inputs, own)
        if protection.policy_id == text(olds, "own_policy_id"):
            own_policy_id = protection.policy_id
        return UpdateResult(_state({**inputs, "resource_id": resource_id}, protection, own_policy_id))

    @operation
    def delete(self, _id: str, _props: Properties) -> None:
        """Take our policy off, where it is still on."""
        state = plain(_props)
        tenant_id, resource_id = _parts(_id)
        own_policy_id = text(state, "own_policy_id")
        label = f"{state.get('resource')} in tenant {tenant_id}"
        if state.get("on_destroy") == "keep":
            return
        if own_policy_id is None:
            warn(f"{label} stays protected: this resource did not make the protection, it adopted it.")
            return
        estate = self.estate(state)
        view = estate.tenant(tenant_id)
        if resource_id in view.claimed:
            return
        with failing(f"cannot unprotect {label}"):
            try:
                observed = [protection.policy_id for protection in view.certain_protections_of(resource_id)]
            except errors.NotFoundError:
                estate.confirm()
                return
            plan = plan_removal(own_policy_id, observed)
            if plan.action == "unprotect":
                unprotect(estate, tenant_id, resource_id, own_policy_id)
            elif observed:
                warn(f"{label} stays protected: {plan.reason}.")

    def _resolve(self, olds: Properties, inputs: Properties) -> Iterator[CheckFailure]:
        tenant_id, reference, policy = (text(inputs, name) for name in ("tenant_id", "resource", "policy"))
        if not tenant_id:
            return
        view = self.estate(inputs).tenant(tenant_id)
        try:
            view.resources()
        except errors.NotFoundError as error:
            yield CheckFailure("tenant_id", str(error))
            return
        resource = wanted = None
        try:
            if reference:
                resource = view.resource(reference, text(inputs, "resource_id"))
                inputs["resource_id"] = resource.id
        except errors.UnresolvedReferenceError as error:
            yield CheckFailure("resource", str(error))
        try:
            if policy:
                wanted = view.policy(policy, text(inputs, "policy_id"))
                inputs["policy_id"] = wanted.id
        except errors.UnresolvedReferenceError as error:
            yield CheckFailure("policy", str(error))
        if resource and wanted:
            managed = olds.get("resource_id") == resource.id
            before = text(olds, "policy_id") if managed else None
            for property_, reason in find_obstacles(view, resource, wanted, before, _on_conflict(inputs)):
                yield CheckFailure(property_, reason)


def _apply(
    estate: client.Estate, resource: client.records.Resource, inputs: Properties, own: Collection[str] = ()
) -> tuple[client.records.Protection, str | None]:
    view = estate.tenant(cast("str", inputs["tenant_id"]))
    wanted = view.policy(cast("str", inputs["policy"]), text(inputs, "policy_id"))
    return bring_policy(estate, view, resource, wanted, own=own, on_conflict=_on_conflict(inputs))


def _state(inputs: Properties, protection: client.records.Protection, own_policy_id: str | None) -> Properties:
    """Map a protection to its outputs."""
    return {
        **inputs,
        "resource_id": protection.resource_id,
        "policy_id": protection.policy_id,
        "job_id": protection.job_id,
        "protection_id": protection.id or None,
        "own_policy_id": own_policy_id,
        "schema_version": SCHEMA,
    }


def _choice_failures(inputs: Properties) -> Iterator[CheckFailure]:
    for name, choices in _CHOICES.items():
        value = inputs.get(name)
        if value not in choices and not is_unknown(value):
            yield CheckFailure(name, f"must be one of: {', '.join(choices)}")


def _differs(olds: Properties, inputs: Properties, name: str) -> bool:
    return not is_unknown(inputs.get(name)) and olds.get(name) != inputs.get(name)


def _on_conflict(inputs: Properties) -> OnConflict:
    return cast("OnConflict", inputs["on_conflict"])


def _protection_id(tenant_id: str, resource_id: str) -> str:
    return f"{quote(tenant_id, safe='')}/{quote(resource_id, safe='')}"


def _parts(id: str) -> tuple[str, str]:
    parts = [unquote(part) for part in id.split("/")]
    if len(parts) != 2 or not all(part.strip() for part in parts):  # noqa: PLR2004 - tenant and resource
        raise errors.DataProtectionError(f'"{id}" is no id of a protection, which is TENANT_ID/RESOURCE_ID')
    return parts[0], parts[1]


class Protection(DeclaredResource, module="dataprotection", name="Protection"):
    """A policy on one resource of a tenant: on a user, on a shared drive.

    The protection that is wanted is adopted where it exists, and then stays when this resource is destroyed; one that
    this resource made goes with it. Backups that were made are never touched. A changed policy is swapped in place.

    Example:
        ```python
        from pulumi_dataprotection import Protection, get_tenant

        tenant = get_tenant(name="Contoso Workspace", org_id="org-contoso")
        Protection("jane", tenant_id=tenant.id, resource="jane@contoso.example", policy="Gold")
        ```

    Args:
        resource_name: the name in the program.
        tenant_id: the tenant that owns the resource.
        resource: what to protect: an id, `ext$` and an external id, or a name.
        policy: the policy: an id or a name.
        on_conflict: what to do where another policy is on it: `fail` (in the preview), `take_over` (swap it), or
            `accept` (any policy will do, nothing is ever written then).
        on_destroy: `unprotect`, or `keep` it protected.
        profile: the profile of the config whose key is used.
        opts: the usual options of a resource.
    """

    provider_class = ProtectionProvider
    outputs = (*_INPUTS, "job_id", "protection_id", "own_policy_id")

    tenant_id: pulumi.Output[str]
    resource: pulumi.Output[str]
    policy: pulumi.Output[str]
    on_conflict: pulumi.Output[str]
    on_destroy: pulumi.Output[str]
    resource_id: pulumi.Output[str]
    """What `resource` means."""
    policy_id: pulumi.Output[str]
    """The policy that is on the resource."""
    job_id: pulumi.Output[str | None]
    protection_id: pulumi.Output[str | None]
    """Empty as long as the service did not show it."""
    own_policy_id: pulumi.Output[str | None]
    """The policy that this resource put there, the only one that destroying it takes off; empty where it adopted."""

    def __init__(
        self,
        resource_name: str,
        *,
        tenant_id: pulumi.Input[str],
        resource: pulumi.Input[str],
        policy: pulumi.Input[str],
        on_conflict: pulumi.Input[OnConflict] = "fail",
        on_destroy: pulumi.Input[OnDestroy] = "unprotect",
        profile: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        inputs: dict[str, object] = {
            "tenant_id": tenant_id,
            "resource": resource,
            "policy": policy,
            "on_conflict": on_conflict,
            "on_destroy": on_destroy,
            "profile": profile,
        }
        super().__init__(resource_name, inputs, opts)
