"""Protection sets: policies on many resources of a tenant."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar, cast
from urllib.parse import quote

import pulumi
from pulumi.dynamic import CheckFailure, CheckResult, CreateResult, DiffResult, ReadResult, UpdateResult

from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.protection.plan import Adopt, OnConflict, OnDestroy
from pulumi_dataprotection.core.protection_set.apply import Result
from pulumi_dataprotection.core.protection_set.context import Context
from pulumi_dataprotection.core.protection_set.members import SetInputs, listed, resolve_members
from pulumi_dataprotection.core.protection_set.operations import assign_policies, read_members, remove_policies
from pulumi_dataprotection.core.protection_set.plan import SetPlan, SetState, plan_set
from pulumi_dataprotection.core.protection_set.preview import (
    FORCED,
    LEFT_EARLIER,
    PASSED_ON,
    Preview,
    member_problems,
    preview_members,
    removal_problem,
)
from pulumi_dataprotection.core.registry import Leavers, leavers_since
from pulumi_dataprotection.resources._declarations import after_earlier_ones, declare
from pulumi_dataprotection.resources._protection_inputs import choice_failures, on_conflict
from pulumi_dataprotection.resources._provider import (
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
from pulumi_dataprotection.resources._resource import DeclaredResource
from pulumi_dataprotection.resources._sdk import fail, fail_half_done, known_inputs, show_progress, tell, urn, warn
from pulumi_dataprotection.resources._set_arguments import OnMissing, argument_failures, as_assignments
from pulumi_dataprotection.resources.member_removal import MemberRemoval

__all__ = ["ProtectionSet", "ProtectionSetProvider"]

_UP_DOES_THE_REST = "What was done is kept, and the next `pulumi up` does the rest"
_OPTIONS = ("tenant_id", "on_conflict", "on_destroy", "adopt", "on_missing", "max_removals", "profile")


class ProtectionSetProvider(Provider):
    """Puts policies on many resources, swaps them, and takes them off again."""

    defaults: ClassVar[Mapping[str, object]] = {"on_conflict": "fail", "on_destroy": "unprotect"}
    names_in_id = ("tenant_id",)

    @operation
    def check(self, _olds: Properties, news: Properties) -> CheckResult:
        """Resolve the references, and find in a preview what `up` would fail on."""
        olds, inputs = plain(_olds), plain(news)
        self.begin_check(olds, inputs)
        failures = [
            *text_failures(inputs, required=("tenant_id",), optional=("profile",)),
            *choice_failures(inputs),
            *argument_failures(inputs),
        ]
        if failures or is_unknown(inputs["assignments"]):
            return CheckResult(inputs, failures)
        given = SetInputs.of(inputs)
        members: Collection[str] = ()
        stays = olds.get("tenant_id") == inputs["tenant_id"]
        if stays:
            before = SetInputs.of(olds)
            given.carry_on(before)
            members = before.wanted().keys()
        if text(inputs, "tenant_id") and self.checks_online():
            failures = self._foresee(inputs, given, members, new=not stays)
        return CheckResult({**inputs, **given.ids()}, failures)

    def _foresee(
        self, inputs: Properties, given: SetInputs, members: Collection[str], *, new: bool
    ) -> list[CheckFailure]:
        context = self._context(inputs)
        try:
            resolved = resolve_members(context.tenant, given, members)
        except errors.NotFoundError as error:
            return [CheckFailure("tenant_id", str(error))]
        context.registry.note_passed_on(context.urn, resolved.passed_on)
        if not given.any_policy:
            context.note_wanted(resolved.wanted())
        problems = [*member_problems(context, resolved)]
        for what, found in (
            ("skipped", resolved.skipped.values()),
            ("archived, not backed up any more", resolved.archived),
        ):
            if found:
                warn(f"{len(found):,} {what}:{listed(found)}\nTake them out of the program.")
        if new and not is_unknown(inputs["on_conflict"]):
            before = context.replaced()
            preview = preview_members(context, resolved, resolved.members, _shown(before), on_conflict(inputs))
            problems += [preview.problem] if preview.problem else []
            own = preview.counts["adopt"] if inputs.get("adopt") == "own" else 0
            _tell_plan(context, preview, len(resolved.members), own=own)
        # The name of a property would make the engine print all of its value.
        return [CheckFailure("", problem) for problem in problems]

    @operation
    def diff(self, _id: str, _olds: Properties, _news: Properties) -> DiffResult:
        """Compare what the references mean with what the state has, and find in a preview what `up` would fail on."""
        olds, inputs = self.stored(_id, _olds), plain(_news)
        with suppress(errors.ConfigurationError):
            self.registry(inputs).note_diff(urn())
        # A refresh compares the inputs of the state, which may lack any of them.
        if not isinstance(inputs.get("assignments"), Mapping) or not text(inputs, "tenant_id"):
            return DiffResult(changes=None)
        moves = olds["tenant_id"] != inputs["tenant_id"]
        given = SetInputs.of(inputs)
        plan = _plan({} if moves else given.wanted(), olds, given)
        # A preview may be offline, without a key.
        with suppress(errors.ConfigurationError):
            plan = self._look_ahead(olds, inputs, plan, moves=moves)
        if moves:
            return DiffResult(changes=True, replaces=["tenant_id"])
        if plan.bare or plan.unfinished or (_to_own(plan, olds, inputs) and olds.get("adopt") == "own"):
            # The inputs do not show it.
            return DiffResult(changes=True)
        if plan.nothing and all(olds.get(name) == inputs.get(name) for name in _OPTIONS):
            return DiffResult(changes=False)
        # Where something differs the engine finds it itself, and names just that.
        return DiffResult(changes=None)

    def _look_ahead(self, olds: Properties, inputs: Properties, plan: SetPlan, *, moves: bool) -> SetPlan:
        """Tell the others of this run what the set gives up, and fail on what `up` would fail on."""
        context, state = self._context({**inputs, "tenant_id": olds["tenant_id"]}), SetState.of(olds)
        context.registry.note_outputs(context.urn, olds)
        for resource_id in plan.leaving:
            shown, made = _shown(olds).get(resource_id), state.protected.get(resource_id)
            context.registry.note_state(context.key(resource_id), shown=shown, made=made)
        # A refresh compares too, also what the program does not have any more.
        if not context.registry.in_program(context.urn):
            return plan
        if moves:
            _refuse(self._move_problem(context, plan, olds, inputs))
            return plan
        if not self.checks_online():
            # Offline the names are not resolved: the items that left are known after the update.
            _note_leavers(context, None, state, state, inputs)
            return plan
        given, passed_on = SetInputs.of(inputs), context.registry.passed_on(context.urn)
        plan = _plan(given.wanted(), olds, given, context, passed_on)
        if not plan.nothing or _to_own(plan, olds, inputs):
            resolved = resolve_members(context.tenant, given, state.policies.keys(), follow=False)
            plan = _plan(resolved.wanted(), olds, given, context, passed_on)
            if not is_unknown(inputs.get("on_conflict")):
                changing, conflict = [*plan.new, *plan.changed], on_conflict(inputs)
                preview = preview_members(context, resolved, changing, _shown(olds), conflict)
                _refuse(preview.problem)
                _tell_plan(context, preview, len(resolved.members), plan, own=_to_own(plan, olds, inputs))
        _note_leavers(context, plan, state, _left(context, state, plan, inputs), inputs)
        return plan

    def _move_problem(self, context: Context, plan: SetPlan, olds: Properties, inputs: Properties) -> str:
        """Return why the set cannot move to another tenant; empty if it can.

        If the engine had created the new set, the next run would delete the old one without a comparison.
        """
        online = self.checks_online()
        keeps = olds.get("on_destroy") == "keep"
        removed = dict[str, str]() if keeps else context.undeclared(plan.removed, by_name=online)
        members, moves_to = len(SetState.of(olds).policies), cast("str", inputs["tenant_id"])
        limit = inputs.get("max_removals")
        return removal_problem(context, removed, limit, members=members, stay=0, moves_to=moves_to, online=online)

    @operation
    def create(self, props: Properties) -> CreateResult:
        """Adopt the protections that are wanted where they exist, and make the others."""
        inputs = plain(props)
        id_ = quote(cast("str", inputs["tenant_id"]), safe="")
        return CreateResult(id_, self._apply(id_, {}, inputs))

    @operation
    def update(self, _id: str, _olds: Properties, _news: Properties) -> UpdateResult:
        """Do what differs, and never leave a member without a policy."""
        return UpdateResult(self._apply(_id, self.stored(_id, _olds), plain(_news)))

    def _apply(self, id_: str, olds: Properties, inputs: Properties) -> Properties:
        context, state, given = self._context(inputs), SetState.of(olds), SetInputs.of(inputs)
        # What takes the place of another one goes on with what that had made.
        before = olds or context.replaced()
        online = self.checks_online()
        # What a check found is not looked up anew.
        resolved = resolve_members(context.tenant, given, state.policies.keys(), follow=not online)
        passed_on = {*context.registry.passed_on(context.urn), *resolved.passed_on}
        plan = _plan(resolved.wanted(), olds, given, context if online else None, passed_on)
        if not given.any_policy:
            context.note_wanted(resolved.wanted())
        result = Result.after(state)
        result.failed |= resolved.refused
        if not given.takes_over:
            result.displaced.clear()
        assign_policies(
            context,
            resolved,
            plan.assigning,
            result,
            shown=_shown(before),
            made=SetState.of(before).made,
            on_conflict=on_conflict(inputs),
            show=show_progress,
        )
        if inputs.get("adopt") == "own":
            result.own_all(plan.wanted)
        left = _without_removed(context, state) if olds else context.begin()
        if olds and not result.problem:
            for resource_id in plan.leaving:
                result.forget(resource_id)
            left = _left(context, left, plan, inputs)
            _note_leavers(context, plan, state, left, inputs)
        kept = replace(left, protected=result.protected, adopted=result.adopted, displaced=result.displaced)
        outs = _outputs(inputs, kept)
        problem = f"{result.problem}\n{_UP_DOES_THE_REST}" if result.problem else ""
        if problem and (olds or result.protected or result.adopted):
            fail_half_done(problem, id_, outs)
        _refuse(problem)
        if result.summary:
            tell(f"{result.summary}.")
        return outs

    @operation
    def read(self, id_: str, props: Properties) -> ReadResult:
        """Read which policies are on the members now."""
        state = self.stored(id_, props)
        if not is_managed(props):
            fail("a ProtectionSet exists in a program alone, the service has none to get: use get_protections")
        before = SetState.of(state)
        inputs = SetInputs.of(plain(known_inputs()) or {"assignments": before.policies})
        after = read_members(self._context(state), before, inputs)
        options = {name: state[name] for name in _OPTIONS if name in state}
        return ReadResult(id_, _outputs(state, after), {**options, "assignments": inputs.assignments, **inputs.ids()})

    @operation
    def delete(self, _id: str, _props: Properties) -> None:
        """Take our policies off, where they are still on."""
        state = self.stored(_id, _props)
        if self.is_forced(state):
            warn(f"{len(SetState.of(state).policies):,} members: {FORCED}")
            return
        if state.get("on_destroy") == "keep":
            return
        context, before = self._context(state), SetState.of(state)
        generation = context.registry.generation(context.urn)
        if generation is None:
            # An earlier deletion failed after that of the `MemberRemoval`, which knew the items that left.
            generation = before.generation
            if left := leavers_since(_without_removed(context, before).leavers, 0):
                warn(LEFT_EARLIER.format(f"{len(left):,}", listed(map(context.label, left))))
        made = {**leavers_since(before.leavers, generation), **before.protected}
        ours = context.undeclared(made, deleted=context.urn, superseded=True)
        result = Result.after(before)
        stay = remove_policies(context, ours, result, show=show_progress)
        if stay:
            warn(f"{len(stay):,} stay protected:{listed(stay)}")
        if passed_on := context.still_on(before.passed_on):
            warn(PASSED_ON.format(f"{len(passed_on):,}", listed(map(context.label, passed_on))))
        if before.adopted:
            adopted = listed(before.adopted)
            warn(f"{len(before.adopted):,} stay protected, since the set adopted what was on them:{adopted}")
        if result.problem:
            fail(f"cannot unprotect all members in tenant {context.tenant.id}: {result.problem}\n{_deleted(result)}")

    def _context(self, properties: Properties) -> Context:
        return Context.of(
            self.account(properties), self.registry(properties), cast("str", properties["tenant_id"]), urn()
        )


def _plan(
    wanted: Mapping[str, str],
    olds: Properties,
    given: SetInputs,
    context: Context | None = None,
    passed_on: Collection[str] = (),
) -> SetPlan:
    """Plan what has to be done; with a scene also for the members that the service shows without a policy."""
    state, skipped = SetState.of(olds), given.missing.values()
    return plan_set(
        wanted,
        state,
        skipped=skipped,
        any_policy=given.any_policy,
        takes_over=given.takes_over,
        passed_on=passed_on,
        bare=context.bare if context else lambda _: (),
    )


def _without_removed(context: Context, state: SetState) -> SetState:
    """Return the state without the items of earlier updates that do not have the policy of the set any more."""

    def has(id: str, policy: str) -> bool:
        return policy in context.tenant.protections.policy_ids_on(id)

    leavers = {
        left_in: {id: policy for id, policy in gone.items() if has(id, policy)}
        for left_in, gone in state.leavers.items()
    }
    return replace(
        state, leavers=leavers, passed_on={id: policy for id, policy in state.passed_on.items() if has(id, policy)}
    )


def _left(context: Context, state: SetState, plan: SetPlan, inputs: Properties) -> SetState:
    """Return the state with the items whose policies are to be removed after a change."""
    keeps = inputs.get("on_destroy") == "keep"
    leaving = dict[str, str]() if keeps else plan.removed
    return state.without(leaving, plan.passed_on, plan.wanted, int(context.account.client.clock.time()))


def _note_leavers(
    context: Context, plan: SetPlan | None, before: SetState, left: SetState, options: Properties
) -> None:
    """Note the items that left the set, for its `MemberRemoval`.

    Args:
        context: the set.
        plan: the change; None if it is unknown.
        before: the state before the change.
        left: the state after it.
        options: the arguments of the set.
    """
    keeps = options.get("on_destroy") == "keep"
    members = plan.wanted if plan else before.policies
    context.registry.note_leavers(
        context.urn,
        Leavers(
            tenant_id=context.tenant.id,
            generation=left.generation,
            removed={} if keeps else left.leavers,
            adopted=plan.left if plan and not keeps else (),
            passed_on=left.passed_on,
            stay=len({*members} & {*before.policies, *before.made}),
            limit=options.get("max_removals"),
        ),
    )


def _to_own(plan: SetPlan, olds: Properties, inputs: Properties) -> int:
    """Return the number of members whose policies the set had adopted, and that become its own."""
    return len({*SetState.of(olds).adopted} & {*plan.wanted}) if inputs.get("adopt") == "own" else 0


def _tell_plan(context: Context, preview: Preview, members: int, plan: SetPlan | None = None, *, own: int = 0) -> None:
    bare, unfinished = (plan.bare, plan.unfinished) if plan else ((), ())
    if bare:
        tell(f"{len(bare):,} to protect again, without any policy now:{listed(map(context.label, bare))}")
    if unfinished:
        found = f"{len(unfinished):,} taken over with the displaced policy still on, which is removed now"
        tell(f"{found}:{listed(map(context.label, unfinished))}")
    if preview.notice:
        tell(preview.notice)
    counts = {**preview.counts, "protect again": len(bare), "own": own}
    if steps := ", ".join(f"{count:,} to {what}" for what, count in counts.items() if count):
        tell(f"{steps}, of {members:,} members.")


def _deleted(result: Result) -> str:
    """What a deletion that did not come to its end has done, and how to go on."""
    return (
        f"{result.taken_off:,} are unprotected, and the others stay as they are. Run the command again to unprotect "
        "the rest. If the set stays in the program, `pulumi up` protects all members again"
    )


def _shown(olds: Mapping[str, object]) -> Mapping[str, str]:
    """What the preview showed as the policies that change: they are ours to replace, whoever put them there."""
    state = SetState.of(olds)
    return state.protected if olds.get("on_conflict") == "accept" else state.policies


def _refuse(problem: str) -> None:
    if problem:
        fail(problem)


def _outputs(options: Properties, state: SetState) -> Properties:
    """Map a set to its outputs."""
    kept = {name: options[name] for name in _OPTIONS if options.get(name) is not None}
    outs = {
        **kept,
        "protected": state.protected,
        "adopted": state.adopted,
        "schema_version": SCHEMA,
    }
    if state.generation:
        outs["generation"] = state.generation
    if state.displaced:
        outs["displaced"] = state.displaced
    if state.passed_on:
        outs["passed_on"] = state.passed_on
    if state.leavers:
        outs["leavers"] = {str(left_in): gone for left_in, gone in state.leavers.items()}
    return outs


class ProtectionSet(DeclaredResource, module="dataprotection", name="ProtectionSet"):
    """Policies on many resources of a tenant, as one resource: thousands of them take no longer than their calls.

    Only its members are its own: nothing else in the tenant is ever touched. A protection that is wanted is adopted
    where it exists, and then stays when the resource is a member no more; one that the set made goes with it. Backups
    that were made are never touched. A changed policy is swapped in place. Each member succeeds or fails by itself:
    what was done is kept, and the next `up` does the rest.

    Example:
        ```python
        from pulumi_dataprotection import ProtectionSet, get_resources, get_tenant

        tenant = get_tenant(name="Contoso Workspace", org_id="org-contoso")
        people = get_resources(tenant.id, kind="office_user", archived=False).items
        ProtectionSet("people", tenant_id=tenant.id, resources=[person.name for person in people], policy="Gold")
        ```

    Args:
        resource_name: the name in the program.
        tenant_id: the tenant that owns the resources.
        assignments: the policy of each member, by an id, `ext$` and an external id, or a name; policies by id or name.
        resources: in place of assignments, members that all have one policy; who is named twice counts once.
        policy: that policy.
        on_conflict: what to do where another policy is on a member: `fail` (in the preview), `take_over` (swap it), or
            `accept` (any policy will do, nothing is ever written then).
        on_destroy: `unprotect` who is a member no more, or `keep` them protected.
        adopt: whether policies that were there before stay when a member or the set goes (`keep`), or belong to the set
            from now on (`own`), also if they were adopted earlier. `keep` takes nothing back.
        on_missing: what to do about members that do not exist or are archived: `fail` (in the preview), or `warn` and
            go on without them. Without it, new members have to exist, and those that were there before may leave.
        max_removals: so many members may be unprotected by one change, as a number or as a share ("10%"); a tenth and
            at least 5 where it is left out. More fails in the preview. It does not limit the removal of the whole set.
        profile: the profile of the config whose key is used.
        opts: the usual options of a resource.

    Raises:
        pulumi.RunError: neither assignments nor resources with a policy are given, or both, or of no use.
    """

    provider_class = ProtectionSetProvider
    outputs = (*_OPTIONS, "protected", "adopted")

    tenant_id: pulumi.Output[str]
    on_conflict: pulumi.Output[str]
    on_destroy: pulumi.Output[str]
    adopt: pulumi.Output[str | None]
    on_missing: pulumi.Output[str | None]
    max_removals: pulumi.Output[int | str | None]
    protected: pulumi.Output[Mapping[str, str]]
    """The policies that this set put on its members, by the resource's id."""
    adopted: pulumi.Output[Mapping[str, str]]
    """The policies that were on its members before it came; they stay when the set goes."""

    def __init__(
        self,
        resource_name: str,
        *,
        tenant_id: pulumi.Input[str],
        assignments: pulumi.Input[Mapping[str, pulumi.Input[str]]] | None = None,
        resources: pulumi.Input[Sequence[pulumi.Input[str]]] | None = None,
        policy: pulumi.Input[str] | None = None,
        on_conflict: pulumi.Input[OnConflict] = "fail",
        on_destroy: pulumi.Input[OnDestroy] = "unprotect",
        adopt: pulumi.Input[Adopt] = "keep",
        on_missing: pulumi.Input[OnMissing] | None = None,
        max_removals: pulumi.Input[int | str] | None = None,
        profile: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        policies, names = as_assignments(assignments, resources, policy)
        named = policies.apply(lambda known: [*known]) if isinstance(policies, pulumi.Output) else names
        ours = declare(
            self,
            resource_name,
            tenant_id,
            named,
            at_end=lambda: self._declare_removal(f"{resource_name}-removal", profile, opts),
        )
        inputs: dict[str, object] = {
            "tenant_id": after_earlier_ones(ours, tenant_id),
            "assignments": policies,
            "on_conflict": on_conflict,
            "on_destroy": on_destroy,
            "adopt": None if adopt == "keep" else adopt,
            "on_missing": on_missing,
            "max_removals": max_removals,
            "profile": profile,
        }
        super().__init__(resource_name, inputs, opts)

    def _declare_removal(self, name: str, profile: str | None, opts: pulumi.ResourceOptions | None) -> None:
        # A protected set lets members leave.
        options = pulumi.ResourceOptions(parent=self, provider=opts.provider if opts else None, protect=False)
        MemberRemoval(name, set_urn=self.urn, profile=profile, opts=options)
