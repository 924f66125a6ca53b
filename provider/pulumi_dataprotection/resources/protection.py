"""Protections: a policy on a resource."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import ClassVar, cast

import pulumi
from pulumi.dynamic import CheckResult, CreateResult, DiffResult, ReadResult, UpdateResult

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.ids import joined_id, split_id
from pulumi_dataprotection.core.protection.apply import failing, unfinished_swap
from pulumi_dataprotection.core.protection.operations import assign_policy, must_exist, read_protection, remove_policy
from pulumi_dataprotection.core.protection.plan import Adopt, Observed, OnConflict, OnDestroy
from pulumi_dataprotection.core.protection_set.members import is_living, listed
from pulumi_dataprotection.core.protection_set.preview import FORCED, PASSED_ON
from pulumi_dataprotection.core.registered import Registered
from pulumi_dataprotection.core.registry import Registry, declared_twice, name_of, resource_key
from pulumi_dataprotection.resources._declarations import after_earlier_ones, declare
from pulumi_dataprotection.resources._protection_inputs import (
    choice_failures,
    find_resource,
    foresee_failures,
    on_conflict,
    written_anew,
)
from pulumi_dataprotection.resources._provider import (
    SCHEMA,
    Properties,
    Provider,
    changes_in,
    inputs_among,
    is_managed,
    is_unknown,
    operation,
    plain,
    registry_of,
    text,
    text_failures,
)
from pulumi_dataprotection.resources._resource import DeclaredResource
from pulumi_dataprotection.resources._sdk import fail_half_done, known_inputs, tell, urn, warn

__all__ = ["Protection", "ProtectionProvider"]

_CHOICES = ("on_conflict", "on_destroy", "adopt", "profile")
_INPUTS = ("tenant_id", "resource", "policy", *_CHOICES, "resource_id", "policy_id")

_FORM = "a protection, which is TENANT_ID/RESOURCE_ID"


class ProtectionProvider(Provider):
    """Puts a policy on a resource, swaps it, and takes it off again."""

    defaults: ClassVar[Mapping[str, object]] = {"on_conflict": "fail", "on_destroy": "unprotect"}
    names_in_id = ("tenant_id", "resource_id")

    @operation
    def check(self, _olds: Properties, news: Properties) -> CheckResult:
        """Resolve the references, and find in a preview what `up` would fail on."""
        olds, inputs = plain(_olds), plain(news)
        self.begin_check(olds, inputs)
        failures = [
            *text_failures(inputs, required=("tenant_id", "resource", "policy"), optional=("profile",)),
            *choice_failures(inputs),
        ]
        if olds.get("tenant_id") == inputs.get("tenant_id"):
            # A reference whose text did not change means what it meant before, even after a renaming.
            for reference, id_ in (("resource", "resource_id"), ("policy", "policy_id")):
                if id_ in olds and olds.get(reference) == inputs.get(reference):
                    inputs[id_] = olds[id_]
        if not olds:
            inputs |= self._policy_before(inputs)
        tenant_id = text(inputs, "tenant_id")
        if tenant_id and not failures and self.checks_online():
            failures = [*foresee_failures(self.account(inputs), tenant_id, olds, inputs)]
        if inputs.get("on_conflict") == "accept":
            # Any policy will do, so the one that is named is no part of what is wanted.
            inputs.pop("policy_id", None)
        return CheckResult(inputs, failures)

    def _policy_before(self, inputs: Properties) -> Properties:
        """Return what the name of the policy meant for the resource whose place this resource takes."""
        with suppress(errors.ConfigurationError):
            replaced = self.registry(inputs).outputs(urn())
            same = all(replaced.get(name) == inputs.get(name) for name in ("tenant_id", "policy", "on_conflict"))
            if replaced and same:
                return {"policy_id": replaced["policy_id"]}
        return {}

    @operation
    def diff(self, _id: str, _olds: Properties, _news: Properties) -> DiffResult:
        """Compare what the references mean, not how they are written."""
        olds, inputs = self.stored(_id, _olds), plain(_news)
        with suppress(errors.ConfigurationError):
            self.registry(inputs).note_diff(urn())
        replaces: list[str] = []
        if _differs(olds, inputs, "tenant_id"):
            replaces = ["tenant_id"]
        elif "resource_id" in inputs and _differs(olds, inputs, "resource_id"):
            replaces = ["resource"]
        moves = replaces or any(is_unknown(inputs.get(name)) for name in ("tenant_id", "resource"))
        with suppress(errors.ConfigurationError):
            self._note(_id, olds, inputs, stays=not moves)
            self._report_passed_on(_id, olds, inputs)
        if replaces:
            return DiffResult(changes=True, replaces=replaces)
        if not moves and _displaced(olds, inputs):
            # The inputs do not show it.
            tell(f"1 taken over with the displaced policy still on, which is removed now: {olds['resource']}.")
            return DiffResult(changes=True)
        with suppress(errors.ConfigurationError):
            if not moves and self.checks_online() and self._is_bare(_id, inputs):
                return DiffResult(changes=True)
        policy = "policy_id" if "policy_id" in inputs else "policy"
        resource = "resource_id" if "resource_id" in inputs else "resource"
        changes = changes_in(olds, inputs, ("tenant_id", resource, policy, *_CHOICES))
        if inputs.get("adopt") == "own" and text(olds, "own_policy_id") is None:
            tell("1 to own: this resource adopted the policy.")
            changes = None if changes is None else True
        return DiffResult(changes=changes)

    def _report_passed_on(self, id_: str, olds: Properties, inputs: Properties) -> None:
        """Report items that keep a policy of ours, since other items have their names now."""
        account = self.account(inputs)
        passed_on = _passed_on(account, olds, inputs, text(inputs, "resource_id"))
        if not passed_on or not registry_of(account).in_program(urn()) or not self.checks_online():
            return
        _warn_of(passed_on, account.tenant(split_id(id_, _FORM)[0]), registry_of(account))

    def _is_bare(self, id_: str, inputs: Properties) -> bool:
        """Whether what the program declares could be backed up, and has no policy: the inputs do not show it."""
        account = self.account(inputs)
        # A refresh compares too, and has just looked.
        if not registry_of(account).in_program(urn()):
            return False
        tenant_id, resource_id = split_id(id_, _FORM)
        tenant = account.tenant(tenant_id)
        found = find_resource(tenant, inputs, follow=not self.checks_online())
        if found.resource is None or found.archived or not tenant.protections.bare([resource_id]):
            return False
        tell(f"1 to protect again, without any policy now: {found.name}.")
        return True

    def _note(self, id_: str, olds: Properties, inputs: Properties, *, stays: bool) -> None:
        """Tell the others of this run what the state has, and whether it stays."""
        key, registry = resource_key(*split_id(id_, _FORM)), self.registry(inputs)
        registry.note_outputs(urn(), olds)
        # A replacement does not learn by itself what the resource had that it takes the place of.
        shown = text(olds, "policy_id") if olds.get("on_conflict") != "accept" else None
        registry.note_state(key, shown=shown, made=text(olds, "own_policy_id"))
        # A refresh compares too, also what the program does not have any more.
        if stays and registry.in_program(urn()):
            registry.declare(key, urn())

    @operation
    def create(self, props: Properties) -> CreateResult:
        """Adopt the protection that is wanted where it exists, else make it."""
        inputs = plain(props)
        account = self.account(inputs)
        tenant = account.tenant(cast("str", inputs["tenant_id"]))
        found = find_resource(tenant, inputs, follow=not self.checks_online())
        key, registry = resource_key(tenant.id, must_exist(found).id), registry_of(account)
        if other := registry.declare(key, urn()):
            raise errors.DataProtectionError(declared_twice(found.name, other))
        with _keeping(joined_id(tenant.id, key[-1]), inputs):
            protection, made = self._assign(account, tenant, found, inputs, registry.own(key))
        if protection.policy_id in registry.made(key) or inputs.get("adopt") == "own":
            made = protection.policy_id
        outs = _state(inputs, protection, made)
        if passed_on := _passed_on(account, registry.outputs(urn()), inputs, protection.resource_id):
            outs["passed_on"] = passed_on
        return CreateResult(joined_id(tenant.id, protection.resource_id), outs)

    @operation
    def read(self, id_: str, props: Properties) -> ReadResult:
        """Read which policy is on the resource now."""
        state = self.stored(id_, props)
        managed = is_managed(props)
        tenant_id, resource_id = split_id(id_, _FORM)
        known = [policy for policy in (text(state, "own_policy_id"), text(state, "policy_id")) if policy]
        protection = read_protection(self.account(state), tenant_id, resource_id, known=known, managed=managed)
        if protection is None:
            return ReadResult("", {})
        if not managed:
            state |= {"tenant_id": tenant_id, "resource": resource_id}
        accepts = state.get("on_conflict") == "accept"
        if not accepts and protection.policy_id not in known:
            state["policy"] = protection.policy_id
        if displaced := cast("Sequence[str]", state.pop("displaced", ())):
            on = self.account(state).tenant(tenant_id).protections.policy_ids_on(resource_id)
            state |= _displacing([policy for policy in displaced if policy in on])
        made = text(state, "own_policy_id")
        # Whoever took ours off, and put it on again later, is another one.
        outs = _state(state, protection, made if made == protection.policy_id else None)
        inputs = inputs_among(outs, _INPUTS)
        if accepts:
            inputs.pop("policy_id")
        # What was written anew and means the same is in the inputs alone.
        inputs |= written_anew(known_inputs(), outs) if managed else {}
        return ReadResult(id_, outs, inputs)

    @operation
    def update(self, _id: str, _olds: Properties, _news: Properties) -> UpdateResult:
        """Swap the policy where another one is wanted, and never leave the resource without one."""
        olds, inputs = self.stored(_id, _olds), plain(_news)
        account = self.account(inputs)
        tenant_id, resource_id = split_id(_id, _FORM)
        tenant = account.tenant(tenant_id)
        found = find_resource(tenant, inputs, follow=not self.checks_online())
        if (meant := must_exist(found).id) != resource_id:
            raise errors.DataProtectionError(
                f'"{inputs["resource"]}" is {meant}, and this resource protects {resource_id}: '
                "set previewChecks to true, so that the preview can see that another one is meant"
            )
        # What the preview showed as the policy that changes is ours to remove, whoever put it there.
        shown = None if olds.get("on_conflict") == "accept" else text(olds, "policy_id")
        made = text(olds, "own_policy_id")
        registry_of(account).declare(resource_key(tenant_id, resource_id), urn())
        displaced = _displaced(olds, inputs)
        own = {policy for policy in (shown, made, *displaced) if policy}
        inputs["resource_id"] = resource_id
        passed_on = _passed_on(account, olds, inputs, resource_id)
        kept = {**inputs, "passed_on": passed_on} if passed_on else inputs
        with _keeping(_id, kept, made):
            protection, made_now = self._assign(account, tenant, found, inputs, own)
        if protection.policy_id == made or inputs.get("adopt") == "own":
            made_now = protection.policy_id
        elif protection.policy_id in displaced:
            # The program wants the policy back that it had displaced.
            made_now = None
        return UpdateResult(_state(kept, protection, made_now))

    def _assign(
        self,
        account: client.Account,
        tenant: client.TenantCache,
        found: Observed,
        inputs: Properties,
        own: Collection[str],
    ) -> tuple[client.records.Protection, str | None]:
        known_id = text(inputs, "policy_id")
        wanted = tenant.policies.find(cast("str", inputs["policy"]), known_id, follow=not self.checks_online())
        return assign_policy(account, tenant, found, wanted, own=own, on_conflict=on_conflict(inputs))

    @operation
    def delete(self, _id: str, _props: Properties) -> None:
        """Take our policy off, where it is still on."""
        state = self.stored(_id, _props)
        tenant_id, resource_id = split_id(_id, _FORM)
        label = f"{state.get('resource') or resource_id} in tenant {tenant_id}"
        forced = self.is_forced(state)
        account = self.account(state)
        registry, named, own = registry_of(account), text(state, "resource"), text(state, "own_policy_id")
        known_as = [named] if named else []
        if forced:
            warn(f"{label}: {FORCED}")
            return
        _warn_of(cast("dict[str, str]", state.get("passed_on") or {}), account.tenant(tenant_id), registry)
        registered = Registered(account.tenant(tenant_id), registry, deleted=urn())
        other = registered.declared_by(resource_id, known_as=known_as, own=own)
        with failing(f"cannot unprotect {label}"):
            step = remove_policy(
                account,
                tenant_id,
                resource_id,
                own=own,
                on_destroy=cast("OnDestroy", state["on_destroy"]),
                declared_by="" if other is None else f'the resource "{other}"',
            )
        declared_as = registry.declared_by(resource_key(tenant_id, resource_id))
        passed_on = declared_as is None and registry.in_program(urn()) and other == name_of(urn())
        # A resource that takes its own place, or whose name passed on, has reported so.
        if step.action == "leave" and step.reason and declared_as != urn() and not passed_on:
            warn(f"{label} stays protected: {step.reason}.")


def _passed_on(
    account: client.Account, olds: Mapping[str, object], inputs: Properties, resource_id: str | None
) -> dict[str, str]:
    """Return the policies of ours on living items that a reference of the program meant before, by the item's id.

    Args:
        account: the service.
        olds: the outputs of before.
        inputs: the inputs.
        resource_id: the item that the reference means now; None if it is unknown.
    """
    if olds.get("tenant_id") != inputs.get("tenant_id"):
        return {}
    passed_on = {**cast("dict[str, str]", olds.get("passed_on") or {})}
    own, before = text(olds, "own_policy_id"), text(olds, "resource_id")
    if own and before and resource_id and olds.get("resource") == inputs.get("resource"):
        passed_on[before] = own
    passed_on.pop(resource_id or "", None)
    tenant = account.tenant(cast("str", inputs["tenant_id"]))
    return {id: policy for id, policy in passed_on.items() if is_living(tenant, id)}


def _warn_of(passed_on: Mapping[str, str], tenant: client.TenantCache, registry: Registry) -> None:
    """Report the items that keep a policy of ours, since other items have their names now."""
    if names := [f"{tenant.items.find(id, id).name} ({id})" for id in Registered(tenant, registry).still_on(passed_on)]:
        warn(PASSED_ON.format(f"{len(names):,}", listed(names)))


@contextmanager
def _keeping(id_: str, inputs: Properties, made: str | None = None) -> Generator[None]:
    """Let the engine keep a take-over that failed before the displaced policies were removed: the next `up` does it.

    Args:
        id_: the id of the protection.
        inputs: the inputs, with `resource_id`.
        made: the policy that the state says was put there by this resource.
    """
    try:
        yield
    except errors.DataProtectionError as error:
        swap = unfinished_swap(error)
        if swap is None or on_conflict(inputs) != "take_over":
            raise
        own = swap.protection.policy_id if swap.made else made
        fail_half_done(str(error), id_, {**_state(inputs, swap.protection, own), **_displacing(swap.displaced)})


def _displaced(olds: Properties, inputs: Properties) -> Sequence[str]:
    """The policies that an earlier `up` displaced and could not remove, as long as the program takes over."""
    wanted = on_conflict(inputs) == "take_over"
    return cast("Sequence[str]", olds.get("displaced", ())) if wanted else ()


def _displacing(policy_ids: Sequence[str]) -> Properties:
    return {"displaced": policy_ids} if policy_ids else {}


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


def _differs(olds: Properties, inputs: Properties, name: str) -> bool:
    # A refresh compares the inputs of the state, which may lack any of them.
    return inputs.get(name) is not None and not is_unknown(inputs[name]) and olds.get(name) != inputs[name]


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
        adopt: whether a policy that was there before stays when the resource goes (`keep`), or belongs to this resource
            from now on (`own`), also if it was adopted earlier. `keep` takes nothing back.
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
    adopt: pulumi.Output[str | None]
    resource_id: pulumi.Output[str]
    """What `resource` means."""
    policy_id: pulumi.Output[str]
    """The policy that is on the resource."""
    job_id: pulumi.Output[str | None]
    """The job that backs the resource up, as a `BackupRun` takes it."""
    protection_id: pulumi.Output[str | None]
    """The protection's own id; empty as long as the service did not show it."""
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
        adopt: pulumi.Input[Adopt] = "keep",
        profile: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        names = [resource] if isinstance(resource, str) else pulumi.Output.all(resource).apply(lambda known: [*known])
        ours = declare(self, resource_name, tenant_id, names)
        inputs: dict[str, object] = {
            "tenant_id": after_earlier_ones(ours, tenant_id),
            "resource": resource,
            "policy": policy,
            "on_conflict": on_conflict,
            "on_destroy": on_destroy,
            "adopt": None if adopt == "keep" else adopt,
            "profile": profile,
        }
        super().__init__(resource_name, inputs, opts)
