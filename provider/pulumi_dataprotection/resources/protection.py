"""Protections: a policy on a resource."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, cast, get_args

import pulumi
from pulumi.dynamic import CheckFailure, CheckResult, CreateResult, DiffResult, ReadResult, UpdateResult

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.drift import Status, compare_policy, known_policies
from pulumi_dataprotection.core.messages import FORCED, PASSED_ON, declared_twice, item_label, listed, name_of
from pulumi_dataprotection.core.outcomes import PurposeError, UnfinishedSwapError, cause_of
from pulumi_dataprotection.core.protection.apply import assign_policy, remove_policy
from pulumi_dataprotection.core.protection.observe import find_item, preview, read_protection, require_item
from pulumi_dataprotection.core.protection.plan import (
    Adopt,
    Observed,
    OnConflict,
    OnDestroy,
    Step,
    is_first_policy,
)
from pulumi_dataprotection.core.registry import DeclaredItems
from pulumi_dataprotection.core.session import Context
from pulumi_dataprotection.resources._declarations import after_earlier_ones, declare
from pulumi_dataprotection.resources._provider import (
    SCHEMA,
    Properties,
    Provider,
    changes_in,
    differing,
    inputs_among,
    is_managed,
    is_unknown,
    joined_id,
    on_conflict,
    optional_str,
    report_errors,
    split_id,
    text_failures,
    without_provider,
)
from pulumi_dataprotection.resources._resource import DeclaredResource
from pulumi_dataprotection.resources._sdk import fail, fail_half_done, info, known_inputs, warn

__all__ = ["Protection", "ProtectionProvider", "choice_failures"]

_ALLOWED = {"on_conflict": get_args(OnConflict), "on_destroy": get_args(OnDestroy), "adopt": get_args(Adopt)}
_NAMES = ("tenant_id", "resource", "policy")
_CHOICES = (*_ALLOWED, "profile")
_INPUTS = (*_NAMES, *_CHOICES, "resource_id", "policy_id")
_IDS = (("resource", "resource_id"), ("policy", "policy_id"))
_FORM = "a protection, which is TENANT_ID/RESOURCE_ID"


@dataclass(frozen=True, slots=True)
class _Target:
    """The item and the policy that the inputs of a protection name.

    Attributes:
        names: the inputs that name them.
        tenant: the tenant.
        item: the item.
        policy: the policy.
    """

    names: Sequence[object]
    tenant: client.TenantCache
    item: client.records.Resource
    policy: client.records.Policy


class ProtectionProvider(Provider):
    """The provider of `Protection`: it assigns a policy to a resource, swaps it, and removes it."""

    defaults: ClassVar[Mapping[str, object]] = {"on_conflict": "fail", "on_destroy": "unprotect"}
    names_in_id = ("tenant_id", "resource_id")

    @report_errors
    def check(self, _olds: Properties, news: Properties) -> CheckResult:
        """Resolve the references, and find in a preview the reasons for which `up` would fail."""
        olds, inputs = without_provider(_olds), without_provider(news)
        self.begin_check(olds, inputs)
        failures = [
            *text_failures(inputs, required=_NAMES, optional=("profile",)),
            *choice_failures(inputs),
        ]
        if olds.get("tenant_id") == inputs.get("tenant_id"):
            # A reference whose text did not change means what it meant before, even after a renaming.
            for reference, id_ in _IDS:
                if id_ in olds and olds.get(reference) == inputs.get(reference):
                    inputs[id_] = olds[id_]
        if not olds:
            inputs |= self._policy_before(inputs)
        if optional_str(inputs, "tenant_id") and not failures and self.online:
            failures = [*_preview_failures(self.context(inputs), olds, inputs, self.licence_problem)]
        if inputs.get("on_conflict") == "accept":
            # Any policy will do, so the program does not ask for the policy that it names.
            inputs.pop("policy_id", None)
        return CheckResult(inputs, failures)

    def _policy_before(self, inputs: Properties) -> Properties:
        """Return the meaning of the policy's name for the resource whose place this resource takes."""
        with suppress(errors.ConfigurationError):
            replaced = self.context(inputs).resource.outputs
            same = all(replaced.get(name) == inputs.get(name) for name in ("tenant_id", "policy", "on_conflict"))
            if replaced and same:
                return {"policy_id": replaced["policy_id"]}
        return {}

    @report_errors
    def diff(self, _id: str, _olds: Properties, _news: Properties) -> DiffResult:
        """Compare the meanings of the references, not their texts."""
        olds, inputs = self.stored(_id, _olds), without_provider(_news)
        self.begin_diff(inputs)
        replaces: list[str] = []
        if _differs(olds, inputs, "tenant_id"):
            replaces = ["tenant_id"]
        elif _differs(olds, inputs, "resource_id"):
            replaces = ["resource"]
        moves = replaces or any(is_unknown(inputs.get(name)) for name in ("tenant_id", "resource"))
        bare: client.records.Resource | None = None
        with suppress(errors.ConfigurationError):
            context = self.context(inputs)
            self._note(context, _id, olds, stays=not moves)
            # A refresh compares, too, and has just read.
            if context.resource.in_program and self.online:
                _warn_of(_passed_on(context, olds, inputs, optional_str(inputs, "resource_id")), context, _id)
                bare = None if moves or _displaced(olds, inputs) else _bare(context, _id, inputs)
                kinds = {bare.id: bare.kind or ""} if bare else {}
                if problem := self.licence_problem(context, split_id(_id, _FORM)[0], kinds):
                    fail(problem)
        if replaces:
            return DiffResult(changes=True, replaces=replaces)
        if not moves and _displaced(olds, inputs):
            # The inputs do not show it.
            info(f"1 to finish, with a displaced policy that is removed now: {printable(olds['resource'])}.")
            return DiffResult(changes=True)
        if bare:
            info(f"1 to protect again, without any policy now: {item_label(bare)}.")
            return DiffResult(changes=True)
        compared = [id_ if id_ in inputs else reference for reference, id_ in _IDS]
        changes = changes_in(olds, inputs, ("tenant_id", *compared, *_CHOICES))
        if inputs.get("adopt") == "own" and optional_str(olds, "own_policy_id") is None:
            info("1 to own: this resource adopted the policy.")
            changes = None if changes is None else True
        return DiffResult(changes=changes)

    def _note(self, context: Context, id_: str, olds: Properties, *, stays: bool) -> None:
        """Note the state of the resource, and whether it stays, for the other resources of this run."""
        context.resource.outputs = olds
        key = ("protection", *split_id(id_, _FORM))
        # A replacement does not know the policies of the resource whose place it takes.
        shown = optional_str(olds, "policy_id") if olds.get("on_conflict") != "accept" else None
        context.registry.note_state(*key, shown=shown, made=optional_str(olds, "own_policy_id"))
        # A refresh compares, too, even a resource that the program does not have any more.
        if stays and context.resource.in_program:
            context.registry.declare(context.urn, *key)

    @report_errors
    def create(self, props: Properties) -> CreateResult:
        """Adopt the protection that the program wants if it exists, else make it."""
        inputs = without_provider(props)
        context = self.context(inputs)
        target = self._target(context, inputs)
        item_id = target.item.id
        item, other = context.registry.declare(context.urn, "protection", target.tenant.id, item_id)
        if other:
            raise errors.DataProtectionError(declared_twice(item_label(target.item), other))
        id_ = joined_id(target.tenant.id, item_id)
        outs = _assign(id_, inputs, target, own=item.own, made_before=item.made)
        if passed_on := _passed_on(context, context.resource.outputs, inputs, item_id):
            outs["passed_on"] = passed_on
        return CreateResult(id_, outs)

    @report_errors
    def read(self, id_: str, props: Properties) -> ReadResult:
        """Read the policy that the resource has now."""
        state = self.stored(id_, props)
        managed = is_managed(props)
        tenant_id, item_id = split_id(id_, _FORM)
        tenant = self.context(state).account.tenant(tenant_id)
        known = known_policies(state)
        protection = read_protection(tenant, item_id, known=known, managed=managed)
        if protection is None:
            return ReadResult("", {})
        if not managed:
            state |= {"tenant_id": tenant_id, "resource": item_id}
        accepts = state.get("on_conflict") == "accept"
        if compare_policy(protection.policy_id, known, any_policy=accepts) is Status.DRIFTED:
            state["policy"] = protection.policy_id
        if displaced := cast("Sequence[str]", state.pop("displaced", ())):
            on = tenant.protections.policy_ids_on(item_id)
            state |= _displacing([policy for policy in displaced if policy in on])
        made = optional_str(state, "own_policy_id")
        # If somebody removed our policy, and assigned it again later, then it is not ours any more.
        outs = _state(state, protection, made if made == protection.policy_id else None)
        inputs = inputs_among(outs, _INPUTS)
        if accepts:
            inputs.pop("policy_id")
        if managed:
            # References that have another text and the same meaning exist in the inputs only.
            now = known_inputs()
            same = [name for name, id_of in _IDS if now.get(id_of) == outs[id_of]]
            inputs |= {name: now[name] for name in same if optional_str(now, name)}
        return ReadResult(id_, outs, inputs)

    @report_errors
    def update(self, _id: str, _olds: Properties, _news: Properties) -> UpdateResult:
        """Swap the policy if the program wants another policy, and never leave the resource without a policy."""
        olds, inputs = self.stored(_id, _olds), without_provider(_news)
        context = self.context(inputs)
        tenant_id, item_id = split_id(_id, _FORM)
        target = self._target(context, inputs)
        if target.item.id != item_id:
            raise errors.DataProtectionError(
                f'"{printable(inputs["resource"])}" is {printable(target.item.id)}, and this resource protects '
                f"{printable(item_id)}: set previewChecks to true, so that the preview finds the other resource"
            )
        context.registry.declare(context.urn, "protection", tenant_id, item_id)
        # The preview shows the policy of the state as the policy that changes: it is ours to remove, whoever assigned
        # it.
        shown = None if olds.get("on_conflict") == "accept" else optional_str(olds, "policy_id")
        made, displaced = optional_str(olds, "own_policy_id"), _displaced(olds, inputs)
        inputs["resource_id"] = item_id
        if passed_on := _passed_on(context, olds, inputs, item_id):
            inputs["passed_on"] = passed_on
        own = {policy for policy in (shown, made, *displaced) if policy}
        made_before = {made} if made else set[str]()
        outs = _assign(_id, inputs, target, own=own, made=made, made_before=made_before, displaced=displaced)
        return UpdateResult(outs)

    def _target(self, context: Context, inputs: Properties) -> _Target:
        """Return what the check of this run resolved, or resolve it now."""
        names = [inputs[name] for name in _NAMES]
        resolved = context.resource.resolved
        if isinstance(resolved, _Target) and resolved.names == names:
            return resolved
        tenant_id, reference, policy = cast("list[str]", names)
        tenant, follow = context.account.tenant(tenant_id), not self.online
        found = find_item(tenant, reference, optional_str(inputs, "resource_id"), follow=follow)
        item = require_item(found)
        wanted = tenant.policies.find(policy, optional_str(inputs, "policy_id"), follow=follow)
        return _Target(names, tenant, item, wanted)

    @report_errors
    def delete(self, _id: str, _props: Properties) -> None:
        """Remove our policy, if the resource has it."""
        state = self.stored(_id, _props)
        context = self.context(state)
        tenant_id, item_id = split_id(_id, _FORM)
        label = f"{printable(state.get('resource') or item_id)} in tenant {printable(tenant_id)}"
        if self.is_forced(context):
            warn(f"{label}: {FORCED}")
            return
        own, tenant = optional_str(state, "own_policy_id"), context.account.tenant(tenant_id)
        _warn_of(cast("dict[str, str]", state.get("passed_on") or {}), context, _id)
        named = optional_str(state, "resource")
        declared = DeclaredItems(tenant, context.registry, deleted=context.urn)
        other = declared.declared_by(item_id, known_as=[named] if named else [], own=own)
        on_destroy = cast("OnDestroy", state["on_destroy"])
        declared_by = "" if other is None else f'the resource "{printable(other)}"'
        try:
            step = remove_policy(tenant, item_id, own=own, on_destroy=on_destroy, declared_by=declared_by)
        except errors.DataProtectionError as error:
            raise PurposeError(f"cannot unprotect {label}", error) from error
        declared_as = context.registry.item("protection", tenant_id, item_id).declared_by
        passed_on = not declared_as and context.resource.in_program and other == name_of(context.urn)
        # A resource that takes its own place, or whose name passed on, has reported so.
        if step.action == "leave" and step.reason and not passed_on and (not declared_as or declared_as != context.urn):
            warn(f"{label} stays protected: {step.reason}.")


def choice_failures(inputs: Properties) -> Iterator[CheckFailure]:
    """Find the choices that do not exist; unknown values are skipped."""
    if inputs.get("adopt") in (None, "keep"):
        # The default is left out: older states do not have it.
        inputs.pop("adopt", None)
    for name, choices in _ALLOWED.items():
        value = inputs.get(name, "keep" if name == "adopt" else None)
        if value not in choices and not is_unknown(value):
            yield CheckFailure(name, f"must be one of: {', '.join(choices)}")


def _preview_failures(
    context: Context,
    olds: Properties,
    inputs: Properties,
    licence_problem: Callable[[Context, str, Mapping[str, str]], str],
) -> Iterator[CheckFailure]:
    """Resolve the names in the inputs, and find the reasons for which `up` would fail; unknown values are skipped.

    Args:
        context: the resource.
        olds: the inputs of the last run; empty for a new resource.
        inputs: the inputs; get the ids of the item and the policy.
        licence_problem: compares the item with the free licences.
    """
    tenant = context.account.tenant(cast("str", inputs["tenant_id"]))
    found, policy, failures = _resolve(tenant, inputs)
    yield from failures
    own = set[str]()
    managed = False
    if found.resource:
        inputs["resource_id"] = found.resource.id
        managed = olds.get("resource_id") == found.resource.id
        if managed and found.archived:
            warn(f"{found.name} is archived: it is not backed up any more. Take it out of the program.")
        item, other = context.registry.declare(context.urn, "protection", tenant.id, found.resource.id)
        if other:
            yield CheckFailure("resource", declared_twice(found.name, other))
        own |= item.own
        if managed and (before := optional_str(olds, "policy_id")):
            own.add(before)
        if policy:
            report_renamed(context, inputs.get("policy"), policy)
            context.resource.resolved = _Target([inputs[name] for name in _NAMES], tenant, found.resource, policy)
            if inputs.get("on_conflict") != "accept":
                item.wanted = policy.id
    # The choice about another policy has to be known, too.
    wanted = policy.id if policy and not is_unknown(inputs.get("on_conflict")) else ""
    changes = managed and bool(differing(olds, inputs, ("on_conflict", "on_destroy", "profile")))
    steps = preview(tenant, found, wanted, own=own, on_conflict=on_conflict(inputs), changes=changes)
    adopts = "" if managed else "own" if inputs.get("adopt") == "own" else "adopt"
    yield from _report(steps, found, policy, adopts)
    if found.resource and is_first_policy(steps):
        kinds = {found.resource.id: found.resource.kind or ""}
        if problem := licence_problem(context, tenant.id, kinds):
            yield CheckFailure("policy", problem)


def report_renamed(context: Context, name: object, policy: client.records.Policy) -> None:
    """Report, once in a run, that a policy which the program names has another name now."""
    if name == policy.id or client.same_text(str(name), policy.name):
        return
    text = (
        f'The policy "{printable(name)}" is called "{printable(policy.name)}" now ({printable(policy.id)}), '
        "and the program still means it."
    )
    if context.registry.is_first(text):
        info(text)


def _report(
    steps: Sequence[Step], found: Observed, policy: client.records.Policy | None, adopts: str
) -> Iterator[CheckFailure]:
    """Report the steps of an `up`: a refusal as a failure, an adoption and a take-over as notes.

    Args:
        steps: the steps.
        found: the item.
        policy: the policy that the program names.
        adopts: the name of an adoption in messages; empty if the state has the policy.
    """
    for step in steps:
        if step.action == "refuse":
            yield CheckFailure(step.property, step.text())
        elif step.reason:
            info(f"1 to change: {found.name}; {step.reason}.")
        elif step.action == "adopt" and adopts:
            has = "this policy" if policy and policy.id == step.policy_id else "another policy"
            info(f"1 to {adopts}: it already has {has}, {found.label(step.policy_id)}.")


def _resolve(
    tenant: client.TenantCache, inputs: Properties
) -> tuple[Observed, client.records.Policy | None, list[CheckFailure]]:
    """Find the item and the policy that the inputs name; an unknown name is not an item or a policy yet."""
    reference, name = optional_str(inputs, "resource"), optional_str(inputs, "policy")
    found = find_item(tenant, reference, optional_str(inputs, "resource_id")) if reference else Observed()
    if found.missing == "tenant_id" or not name:
        return found, None, []
    try:
        policy = tenant.policies.find(name, optional_str(inputs, "policy_id"))
    except errors.NotFoundError as error:
        return found, None, [CheckFailure("tenant_id", str(error))]
    except errors.UnresolvedReferenceError as error:
        return found, None, [CheckFailure("policy", str(error))]
    inputs["policy_id"] = policy.id
    return found, policy, []


def _bare(context: Context, id_: str, inputs: Properties) -> client.records.Resource | None:
    """Return the item if it could be backed up, and has no policy: the inputs do not show it."""
    tenant_id, item_id = split_id(id_, _FORM)
    tenant = context.account.tenant(tenant_id)
    reference = optional_str(inputs, "resource")
    found = find_item(tenant, reference, optional_str(inputs, "resource_id"), follow=False) if reference else Observed()
    bare = found.resource and not found.archived and tenant.protections.bare([item_id])
    return found.resource if bare else None


def _assign(
    id_: str,
    inputs: Properties,
    target: _Target,
    *,
    own: Collection[str],
    made: str | None = None,
    made_before: Collection[str],
    displaced: Collection[str] = (),
) -> Properties:
    """Assign the policy that the program wants, and return the outputs.

    The engine keeps a take-over that failed before it removed the displaced policies: the next `up` removes them.

    Args:
        id_: the id of the resource.
        inputs: its inputs.
        target: the item and the policy.
        own: the policies that are ours to replace.
        made: the policy that the state says this resource assigned.
        made_before: the policies that we assigned before.
        displaced: policies that an earlier take-over could not remove.
    """
    conflict = on_conflict(inputs)
    try:
        protection, assigned = assign_policy(target.tenant, target.item, target.policy, own=own, on_conflict=conflict)
    except errors.DataProtectionError as error:
        swap = cause_of(error, UnfinishedSwapError)
        if swap is None or conflict != "take_over":
            raise
        outs = _state(inputs, swap.protection, swap.protection.policy_id if swap.made else made)
        fail_half_done(str(error), id_, {**outs, **_displacing(swap.displaced)})
    if protection.policy_id in made_before or inputs.get("adopt") == "own":
        assigned = protection.policy_id
    elif protection.policy_id in displaced:
        # The program wants a policy back that it had displaced.
        assigned = None
    return _state(inputs, protection, assigned)


def _passed_on(context: Context, olds: Mapping[str, object], inputs: Properties, item_id: str | None) -> dict[str, str]:
    """Return our policies on living items that a reference of the program meant before, by the item's id.

    Args:
        context: the resource.
        olds: the outputs of before.
        inputs: the inputs.
        item_id: the item that the reference means now; None if it is unknown.
    """
    if olds.get("tenant_id") != inputs.get("tenant_id"):
        return {}
    passed_on = {**cast("dict[str, str]", olds.get("passed_on") or {})}
    own, before = optional_str(olds, "own_policy_id"), optional_str(olds, "resource_id")
    if own and before and item_id and olds.get("resource") == inputs.get("resource"):
        passed_on[before] = own
    passed_on.pop(item_id or "", None)
    if not passed_on:
        return {}
    items = context.account.tenant(cast("str", inputs["tenant_id"])).items
    return {id: policy for id, policy in passed_on.items() if items.is_living(id)}


def _warn_of(passed_on: Mapping[str, str], context: Context, id_: str) -> None:
    """Report the items that keep our policy, since other items have their names now."""
    if passed_on:
        tenant = context.account.tenant(split_id(id_, _FORM)[0])
        still_on = DeclaredItems(tenant, context.registry).still_on(passed_on)
        if names := [item_label(tenant.items.find(id, id)) for id in still_on]:
            warn(PASSED_ON.format(f"{len(names):,}", listed(names)))


def _displaced(olds: Properties, inputs: Properties) -> Sequence[str]:
    """Return the policies that an earlier `up` displaced and could not remove, as long as the program takes over."""
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
        "own_policy_id": own_policy_id,
        "schema_version": SCHEMA,
    }


def _differs(olds: Properties, inputs: Properties, name: str) -> bool:
    # A refresh compares the inputs of the state, which may lack any of them.
    return inputs.get(name) is not None and not is_unknown(inputs[name]) and olds.get(name) != inputs[name]


class Protection(DeclaredResource, module="dataprotection", name="Protection"):
    """A policy on one resource of a tenant: on a user, on a shared drive.

    An existing protection with this policy is adopted, and stays when this resource is destroyed. A protection that
    this resource made is removed with it. Existing backups are never touched. A changed policy is swapped in place.

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
    outputs = (*_INPUTS, "job_id", "own_policy_id")

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
    own_policy_id: pulumi.Output[str | None]
    """The policy that this resource assigned, and removes when it is destroyed; empty if it adopted the policy."""

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
