"""Protection sets: policies on many resources of a tenant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar, cast
from urllib.parse import quote

import pulumi
from pulumi.dynamic import CheckFailure, CheckResult, CreateResult, DiffResult, ReadResult, UpdateResult

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.messages import FORCED, LEFT_EARLIER, PASSED_ON, listed
from pulumi_dataprotection.core.outcomes import Severity
from pulumi_dataprotection.core.protection.plan import Adopt, OnConflict, OnDestroy
from pulumi_dataprotection.core.protection_set.apply import assign_policies, read_members, remove_policies
from pulumi_dataprotection.core.protection_set.inputs import OnMissing, SetInputs, input_problems
from pulumi_dataprotection.core.protection_set.members import ResolvedMembers, SetContext, resolve_members
from pulumi_dataprotection.core.protection_set.plan import Leavers, SetPlan, SetState, leavers_since, plan_set
from pulumi_dataprotection.core.protection_set.preview import Preview, member_problems, preview_members, removal_problem
from pulumi_dataprotection.core.protection_set.progress import Failure, Result
from pulumi_dataprotection.resources._declarations import after_earlier_ones, declare
from pulumi_dataprotection.resources._provider import (
    SCHEMA,
    Properties,
    Provider,
    is_managed,
    is_unknown,
    on_conflict,
    optional_str,
    report_errors,
    text_failures,
    without_provider,
)
from pulumi_dataprotection.resources._resource import DeclaredResource
from pulumi_dataprotection.resources._sdk import (
    fail,
    fail_half_done,
    info,
    known_inputs,
    secret_inputs,
    show_progress,
    warn,
)
from pulumi_dataprotection.resources.member_removal import MemberRemoval
from pulumi_dataprotection.resources.protection import choice_failures, report_renamed

__all__ = ["ProtectionSet", "ProtectionSetProvider", "as_assignments"]

_UP_DOES_THE_REST = "Completed work is kept, and the next `pulumi up` does the rest"
_OPTIONS = ("tenant_id", "on_conflict", "on_destroy", "adopt", "on_missing", "max_removals", "profile")


class ProtectionSetProvider(Provider):
    """The provider of `ProtectionSet`: it assigns policies to many resources, swaps them, and removes them."""

    defaults: ClassVar[Mapping[str, object]] = {"on_conflict": "fail", "on_destroy": "unprotect"}
    names_in_id = ("tenant_id",)

    @report_errors
    def check(self, _olds: Properties, news: Properties) -> CheckResult:
        """Resolve the references, and find in a preview the reasons for which `up` would fail."""
        olds, inputs = without_provider(_olds), without_provider(news)
        self.begin_check(olds, inputs)
        failures = [
            *text_failures(inputs, required=("tenant_id",), optional=("profile",)),
            *choice_failures(inputs),
            *(CheckFailure(*problem) for problem in input_problems(inputs, is_unknown)),
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
        if optional_str(inputs, "tenant_id") and self.online:
            self.context(inputs).resource.hides_names = "assignments" in secret_inputs()
            failures = self._preview_failures(inputs, given, members, new=not stays)
        return CheckResult({**inputs, **given.ids()}, failures)

    def _preview_failures(
        self, inputs: Properties, given: SetInputs, members: Collection[str], *, new: bool
    ) -> list[CheckFailure]:
        context = self._context(inputs)
        try:
            resolved = resolve_members(context.tenant, given, members)
        except errors.NotFoundError as error:
            return [CheckFailure("tenant_id", str(error))]
        context.run.resource.resolved = resolved
        context.run.resource.passed_on = resolved.passed_on
        for name, policy in {member.policy_name: member.policy for member in resolved.members.values()}.items():
            if policy:
                report_renamed(context.run, name, policy)
        problems = [*member_problems(context, resolved)]
        archived = resolved.archived.values()
        for what, found in (("skipped", resolved.skipped.values()), ("archived, not backed up any more", archived)):
            if found:
                warn(f"{len(found):,} {what}:{listed(found)}\nTake them out of the program.")
        if new and not is_unknown(inputs["on_conflict"]):
            own = None if inputs.get("adopt") == "own" else ()
            preview = preview_members(context, resolved, _shown(_replaced(context)), on_conflict(inputs), own=own)
            licences = self.licence_problem(context.run, context.tenant.id, preview.new)
            problems += filter(None, [preview.problem, licences])
            _report(preview)
        # The name of a property would make the engine print all of its value.
        return [CheckFailure("", problem) for problem in problems]

    @report_errors
    def diff(self, _id: str, _olds: Properties, _news: Properties) -> DiffResult:
        """Compare the meanings of the references with the state, and find the reasons for which `up` would fail."""
        olds, inputs = self.stored(_id, _olds), without_provider(_news)
        self.begin_diff(inputs)
        # A refresh compares the inputs of the state, which may lack any of them.
        if not isinstance(inputs.get("assignments"), Mapping) or not optional_str(inputs, "tenant_id"):
            return DiffResult(changes=None)
        moves = olds["tenant_id"] != inputs["tenant_id"]
        given, state = SetInputs.of(inputs), SetState.of(olds)
        plan = plan_set({} if moves else given.wanted(), state, given)
        # A preview may be offline, without a key.
        with suppress(errors.ConfigurationError):
            plan = self._preview_change(olds, inputs, given, plan, moves=moves)
        if moves:
            return DiffResult(changes=True, replaces=["tenant_id"])
        if plan.bare or plan.unfinished or (_to_own(plan, state, inputs) and olds.get("adopt") == "own"):
            # The inputs do not show it.
            return DiffResult(changes=True)
        if plan.nothing and all(olds.get(name) == inputs.get(name) for name in _OPTIONS):
            return DiffResult(changes=False)
        # The engine finds the difference itself, and names just that.
        return DiffResult(changes=None)

    def _preview_change(
        self, olds: Properties, inputs: Properties, given: SetInputs, plan: SetPlan, *, moves: bool
    ) -> SetPlan:
        """Note the policies that the set gives up, and fail if `up` would fail."""
        context, state = self._context({**inputs, "tenant_id": olds["tenant_id"]}), SetState.of(olds)
        context.run.resource.outputs, shown = olds, _shown(olds)
        for item_id in plan.leaving:
            made = state.protected.get(item_id)
            context.run.registry.note_state(*context.key(item_id), shown=shown.get(item_id), made=made)
        # A refresh compares, too, even a set that the program does not have any more.
        if not context.run.resource.in_program:
            return plan
        if moves:
            _fail_if(self._move_problem(context, plan, olds, inputs))
            return plan
        if not self.online:
            # Offline the names are not resolved: the items that left are known after the update.
            _note_leavers(context, None, state, state, inputs)
            return plan
        passed_on = context.run.resource.passed_on
        resolved = _resolved(context, given, state)
        plan = plan_set(resolved.wanted(), state, given, passed_on=passed_on, bare=context.bare)
        own = _to_own(plan, state, inputs)
        if (not plan.nothing or own) and not is_unknown(inputs.get("on_conflict")):
            preview = preview_members(context, resolved, shown, on_conflict(inputs), plan, own=own)
            _fail_if(preview.problem)
            _report(preview)
            _fail_if(self.licence_problem(context.run, context.tenant.id, preview.new))
        _note_leavers(context, plan, state, _left(context, state, plan, inputs), inputs)
        return plan

    def _move_problem(self, context: SetContext, plan: SetPlan, olds: Properties, inputs: Properties) -> str:
        """Return the reason for which the set cannot move to another tenant; empty if it can.

        If the engine had created the new set, the next run would delete the old set without a comparison.
        """
        keeps = olds.get("on_destroy") == "keep"
        removed = dict[str, str]() if keeps else context.undeclared(plan.removed, by_name=self.online)
        members, moves_to = len(SetState.of(olds).policies), cast("str", inputs["tenant_id"])
        limit = inputs.get("max_removals")
        return removal_problem(context, removed, limit, members=members, stay=0, moves_to=moves_to, online=self.online)

    @report_errors
    def create(self, props: Properties) -> CreateResult:
        """Adopt the protections that the program wants if they exist, and make the others."""
        inputs = without_provider(props)
        id_ = quote(cast("str", inputs["tenant_id"]), safe="")
        return CreateResult(id_, self._apply(id_, {}, inputs))

    @report_errors
    def update(self, _id: str, _olds: Properties, _news: Properties) -> UpdateResult:
        """Apply the changes, and never leave a member without a policy."""
        return UpdateResult(self._apply(_id, self.stored(_id, _olds), without_provider(_news)))

    def _apply(self, id_: str, olds: Properties, inputs: Properties) -> Properties:
        context, state, given = self._context(inputs), SetState.of(olds), SetInputs.of(inputs)
        # A set that takes the place of another set goes on with the policies of that set.
        replaced = olds or _replaced(context)
        before = state if olds else SetState.of(replaced)
        resolved = _resolved(context, given, state, follow=not self.online)
        passed_on = {*context.run.resource.passed_on, *resolved.passed_on}
        bare = {"bare": context.bare} if self.online else {}
        plan = plan_set(resolved.wanted(), state, given, passed_on=passed_on, **bare)
        if not self.online:
            context.note_wanted(resolved)
        result = Result.after(state)
        result.failed |= {name: Failure(Severity.FAILED, text, text, name) for name, text in resolved.refused.items()}
        if not given.takes_over:
            result.displaced.clear()
        assign_policies(
            context,
            resolved,
            plan.assigning,
            result,
            shown=before.protected if replaced.get("on_conflict") == "accept" else before.policies,
            made=before.made,
            on_conflict=on_conflict(inputs),
            show=show_progress,
        )
        if inputs.get("adopt") == "own":
            result.own_all(plan.wanted)
        left = state.filtered(_has_policy(context)) if olds else _begin(context)
        problem = result.problem
        if olds and not problem:
            for item_id in plan.leaving:
                result.forget(item_id)
            left = _left(context, left, plan, inputs)
            _note_leavers(context, plan, state, left, inputs)
        kept = replace(left, protected=result.protected, adopted=result.adopted, displaced=result.displaced)
        outs = _outputs(inputs, kept, len(given.assignments))
        problem = f"{problem}\n{_UP_DOES_THE_REST}" if problem else ""
        if problem and (olds or result.protected or result.adopted):
            fail_half_done(problem, id_, outs)
        _fail_if(problem)
        if summary := result.summary:
            info(f"{summary}.")
        return outs

    @report_errors
    def read(self, id_: str, props: Properties) -> ReadResult:
        """Read the policies that the members have now."""
        state = self.stored(id_, props)
        if not is_managed(props):
            fail("a ProtectionSet exists only in a program, and cannot be read from the service: use get_protections")
        before = SetState.of(state)
        inputs = SetInputs.of(without_provider(known_inputs()) or {"assignments": before.policies})
        # The inputs of an earlier refresh lack the members without a policy.
        counts = cast("Mapping[str, int]", state.get("counts") or {"members": len(inputs.assignments)})
        after = read_members(self._context(state), before, inputs)
        options = {name: state[name] for name in _OPTIONS if name in state}
        outs = _outputs(state, after, int(counts["members"]))
        return ReadResult(id_, outs, {**options, "assignments": inputs.assignments, **inputs.ids()})

    @report_errors
    def delete(self, _id: str, _props: Properties) -> None:
        """Remove our policies from the resources that have them."""
        state = self.stored(_id, _props)
        context, before = self._context(state), SetState.of(state)
        if self.is_forced(context.run):
            warn(f"{len(before.policies):,} members: {FORCED}")
            return
        if state.get("on_destroy") == "keep":
            return
        generation = context.run.resource.generation
        if generation is None:
            # An earlier deletion failed after that of the `MemberRemoval`, which knew the items that left.
            generation = before.generation
            if left := leavers_since(before.filtered(_has_policy(context)).leavers):
                warn(LEFT_EARLIER.format(f"{len(left):,}", listed(map(context.label, left))))
        made = {**leavers_since(before.leavers, generation), **before.protected}
        ours = context.undeclared(made, deleted=context.urn, superseded=True)
        result = Result.after(before)
        if stay := remove_policies(context, ours, result, show=show_progress):
            warn(f"{len(stay):,} stay protected:{listed(stay)}")
        if passed_on := context.still_on(before.passed_on):
            warn(PASSED_ON.format(f"{len(passed_on):,}", listed(map(context.label, passed_on))))
        if before.adopted:
            adopted = context.listed(before.adopted)
            warn(f"{len(before.adopted):,} stay protected, since the set adopted what was on them:{adopted}")
        if result.problem:
            fail(
                f"cannot unprotect all members in tenant {printable(context.tenant.id)}: {result.problem}\n"
                f"{result.removed:,} are unprotected, and the others stay as they are. Run the command again to "
                "unprotect the rest. If the set stays in the program, `pulumi up` protects all members again"
            )

    def _context(self, properties: Properties) -> SetContext:
        return SetContext.of(self.context(properties), properties["tenant_id"])


def _resolved(context: SetContext, given: SetInputs, state: SetState, *, follow: bool = False) -> ResolvedMembers:
    """Return the members that the check of this run resolved, or resolve them now."""
    members, kept = context.run.resource.resolved, state.policies.keys()
    if isinstance(members, ResolvedMembers) and members.holds_for(given, kept):
        return members
    return resolve_members(context.tenant, given, kept, follow=follow)


def _replaced(context: SetContext) -> Mapping[str, object]:
    """Return the state of the set whose place this set takes, or an empty state."""
    outputs = context.run.resource.outputs
    return outputs if outputs.get("tenant_id") == context.tenant.id else {}


def _begin(context: SetContext) -> SetState:
    """Return the items that left, and the generation, of a set that is created, perhaps in the place of another set."""
    noted = context.run.resource
    if noted.leavers is None or noted.leavers.tenant_id != context.tenant.id:
        noted.leavers = Leavers(context.tenant.id, SetState.of(noted.outputs).generation)
    leavers = noted.leavers
    return SetState(leavers=leavers.removed, generation=leavers.generation, passed_on=leavers.passed_on)


def _has_policy(context: SetContext) -> Callable[[str, str], bool]:
    def has(item_id: str, policy_id: str) -> bool:
        # A short list must not make the set forget a policy that is still to be removed.
        return any(found.policy_id == policy_id for found in context.tenant.protections.confirmed(item_id))

    return has


def _left(context: SetContext, state: SetState, plan: SetPlan, inputs: Properties) -> SetState:
    """Return the state with the items whose policies are to be removed after a change."""
    leaving = dict[str, str]() if inputs.get("on_destroy") == "keep" else plan.removed
    return state.without(leaving, plan.passed_on, plan.wanted, int(context.tenant.client.clock.time()))


def _note_leavers(
    context: SetContext, plan: SetPlan | None, before: SetState, left: SetState, options: Properties
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
    context.run.resource.leavers = Leavers(
        tenant_id=context.tenant.id,
        generation=left.generation,
        removed={} if keeps else left.leavers,
        adopted=plan.left if plan and not keeps else (),
        passed_on=left.passed_on,
        stay=len({*members} & {*before.policies, *before.made}),
        limit=options.get("max_removals"),
    )


def _to_own(plan: SetPlan, state: SetState, inputs: Properties) -> set[str]:
    """Return the members whose policies the set had adopted, and that become its own."""
    return {*state.adopted} & {*plan.wanted} if inputs.get("adopt") == "own" else set()


def _shown(olds: Mapping[str, object]) -> Mapping[str, str]:
    """Return the policies that the preview shows as those that change: they are ours to replace."""
    state = SetState.of(olds)
    return state.protected if olds.get("on_conflict") == "accept" else state.policies


def _report(preview: Preview) -> None:
    if preview.work:
        info(preview.work)


def _fail_if(problem: str) -> None:
    if problem:
        fail(problem)


def _outputs(options: Properties, state: SetState, members: int) -> Properties:
    """Map a set to its outputs."""
    kept = {name: options[name] for name in _OPTIONS if options.get(name) is not None}
    return {**kept, **state.outputs(members), "schema_version": SCHEMA}


_Assignments = pulumi.Input[Mapping[str, pulumi.Input[str]]]


def as_assignments(assignments: object, resources: object, policy: object) -> tuple[_Assignments, list[str]]:
    """Make a mapping of the members of a set, in whichever form they are given; a name that occurs twice counts once.

    Args:
        assignments: the policy of each member, or
        resources: the members, and
        policy: the policy of all of them.

    Returns:
        The mapping, and the names in it that are known while the program runs.

    Raises:
        pulumi.RunError: None of them is given, or both, or one is not a mapping or a list.
    """
    if assignments is not None and resources is None and policy is None:
        if isinstance(assignments, pulumi.Output):
            return cast("pulumi.Output[object]", assignments).apply(_member_mapping), []
        known = _member_mapping(assignments)
        return known, [*known]
    if assignments is not None or resources is None or policy is None:
        raise pulumi.RunError("ProtectionSet: give assignments, or resources and a policy")
    if isinstance(resources, pulumi.Output):
        return _all_with_later(cast("pulumi.Output[object]", resources), policy), []
    members = _member_list(resources)
    names = [member for member in members if isinstance(member, str)]
    if any(isinstance(part, pulumi.Output) for part in (*members, policy)):
        return _all_with_later(members, policy), names
    return _all_with(members, policy), names


def _all_with_later(members: pulumi.Input[object], policy: object) -> _Assignments:
    both = pulumi.Output.all(members, policy)
    return both.apply(lambda known: _all_with(*known))


def _all_with(members: object, policy: object) -> Mapping[str, pulumi.Input[str]]:
    names = _member_list(members)
    for name in names:
        _check_name(name)
    return _member_mapping(dict.fromkeys(names, policy))


def _member_list(members: object) -> list[object]:
    if isinstance(members, (str, Mapping)) or not isinstance(members, Iterable):
        raise pulumi.RunError("ProtectionSet: resources must be a list of members")
    return [*cast("Iterable[object]", members)]


def _member_mapping(assignments: object) -> Mapping[str, pulumi.Input[str]]:
    if not isinstance(assignments, Mapping):
        raise pulumi.RunError("ProtectionSet: assignments must be a mapping of members to policies")
    for name, policy in cast("Mapping[object, object]", assignments).items():
        _check_name(name)
        if policy is None:
            raise pulumi.RunError(f'ProtectionSet: "{printable(name)}" has no policy')
    return cast("Mapping[str, pulumi.Input[str]]", assignments)


def _check_name(name: object) -> None:
    if not isinstance(name, str):
        raise pulumi.RunError(f"ProtectionSet: {name!r} is not the name of a member, which is text")


class ProtectionSet(DeclaredResource, module="dataprotection", name="ProtectionSet"):
    """Policies on many resources of a tenant, as one resource: thousands of them take no longer than their calls.

    The set touches only its members. An existing protection with the policy is adopted, and stays when the resource
    leaves the set. A protection that the set made is removed then. Existing backups are never touched. A changed policy
    is swapped in place. Members succeed or fail independently: the work that was done is kept, and the next `up` does
    the rest.

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
        resources: in place of assignments, members that all have one policy; a name that occurs twice counts once.
        policy: that policy.
        on_conflict: what to do where another policy is on a member: `fail` (in the preview), `take_over` (swap it), or
            `accept` (any policy will do, nothing is ever written then).
        on_destroy: `unprotect` items that leave, or `keep` them protected.
        adopt: whether policies that were there before stay when a member or the set goes (`keep`), or belong to the set
            from now on (`own`), also if they were adopted earlier. `keep` takes nothing back.
        on_missing: what to do about members that do not exist or are archived: `fail` (in the preview), or `warn` and
            go on without them. Without it, new members have to exist, and those that were there before may leave.
        max_removals: the number of members that one change may unprotect, or a share such as "10%"; by default a
            tenth, and at least 5. More fails in the preview. It does not limit the removal of the whole set.
        profile: the profile of the config whose key is used.
        opts: the usual options of a resource.

    Raises:
        pulumi.RunError: neither assignments nor resources with a policy are given, or both, or of no use.
    """

    provider_class = ProtectionSetProvider
    outputs = (*_OPTIONS, "protected", "adopted", "counts")

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
    counts: pulumi.Output[Mapping[str, int]]
    """The number of members in the program (`members`), and of those that the set `protected`, `adopted`, or could not
    protect (`missing`: skipped, archived, failed, or without a policy at the last refresh)."""

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
