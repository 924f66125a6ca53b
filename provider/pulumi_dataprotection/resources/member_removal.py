"""The removal of policies from items that left a protection set."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import cast

import pulumi
from pulumi.dynamic import CheckFailure, CheckResult, CreateResult, DiffResult, ReadResult, UpdateResult

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.messages import LEFT_EARLIER, PASSED_ON, listed
from pulumi_dataprotection.core.protection_set.apply import remove_policies
from pulumi_dataprotection.core.protection_set.members import SetContext
from pulumi_dataprotection.core.protection_set.plan import Leavers, SetState, leavers_since
from pulumi_dataprotection.core.protection_set.preview import removal_problem
from pulumi_dataprotection.core.protection_set.progress import Result
from pulumi_dataprotection.core.registry import RunResource
from pulumi_dataprotection.core.session import Context
from pulumi_dataprotection.resources._provider import (
    SCHEMA,
    Properties,
    Provider,
    optional_str,
    report_errors,
    without_provider,
)
from pulumi_dataprotection.resources._resource import DeclaredResource
from pulumi_dataprotection.resources._sdk import fail, info, show_progress, warn

__all__ = ["MemberRemoval", "MemberRemovalProvider"]


class MemberRemovalProvider(Provider):
    """The provider of `MemberRemoval`: it works when the engine deletes the resource, after everything else."""

    @report_errors
    def check(self, _olds: Properties, news: Properties) -> CheckResult:
        """Find the items that left the set, and find in a preview if they are too many."""
        olds, inputs = without_provider(_olds), without_provider(news)
        generation = _generation(olds)
        inputs["generation"] = generation
        # A preview may be offline, without a key.
        with suppress(errors.ConfigurationError):
            context = self.context(inputs)
            noted, of_set = context.resource, _set(context, inputs)
            noted.in_program, noted.exists = True, noted.exists or bool(olds)
            if olds:
                _note_generation(of_set, generation)
            if leavers := of_set.leavers:
                inputs["generation"] = leavers.generation
                # The engine checks the new resource of a replacement once more.
                again = not olds and noted.compared
                problem = "" if again else self._preview(context, inputs, leavers, of_set.generation or 0)
                return CheckResult(inputs, [CheckFailure("", problem)] if problem else [])
        return CheckResult(inputs, [])

    def _preview(self, run: Context, inputs: Properties, leavers: Leavers, generation: int) -> str:
        """Report the items that left, and return the reason for which they are too many; empty if they are not."""
        going = leavers_since(leavers.removed, generation)
        if not going and not leavers.adopted and not leavers.passed_on:
            return ""
        context, online, stay = _context(run, inputs, leavers), self.online, leavers.stay
        if online and (passed_on := context.still_on(leavers.passed_on)):
            warn(PASSED_ON.format(f"{len(passed_on):,}", _names(context, passed_on)), context.urn)
        removed = context.undeclared(going, by_name=online)
        members = stay + len(going) + len(leavers.adopted)
        if problem := removal_problem(context, removed, leavers.limit, members=members, stay=stay, online=online):
            return problem
        if removed:
            names = "" if _set(run, inputs).hides_names else f":{_names(context, removed, online=online)}"
            info(f"{len(removed):,} to unprotect, of {members:,} members{names}", context.urn)
        if kept := context.undeclared(dict.fromkeys(leavers.adopted, ""), by_name=online):
            names = _names(context, kept, online=online)
            text = f"{len(kept):,} leave and stay protected, since the set adopted what was on them:{names}"
            warn(text, context.urn)
        return ""

    @report_errors
    def diff(self, _id: str, _olds: Properties, _news: Properties) -> DiffResult:
        """Replace the resource if items left: the engine deletes the old resource at the end of the run.

        An item of an earlier run that still has the policy is a change, too. Either the engine has yet to delete an old
        resource, which it does not count as a change, or somebody assigned the policy again.
        """
        olds, inputs = without_provider(_olds), without_provider(_news)
        self.begin_diff(inputs)
        left = _generation(olds) != _generation(inputs)
        still = False
        with suppress(errors.ConfigurationError):
            still = not left and bool(self._report_still_on(olds, inputs))
        return DiffResult(changes=left or still, replaces=["generation"] if left else [], delete_before_replace=False)

    def _report_still_on(self, olds: Properties, inputs: Properties) -> list[str]:
        """Report, once, the items of earlier runs that have the policy of the set."""
        run = self.context(inputs)
        leavers = _set(run, inputs).leavers
        if leavers is None or not self.online:
            return []
        context = _context(run, inputs, leavers)
        reported = cast("list[str]", olds.get("reported") or [])
        left = leavers_since(leavers.removed)
        found = [*context.still_on({id: policy for id, policy in left.items() if id not in reported})]
        if found:
            info(LEFT_EARLIER.format(f"{len(found):,}", _names(context, found)), context.urn)
        return found

    @report_errors
    def create(self, props: Properties) -> CreateResult:
        """Do nothing, except for items that left before the set had such a resource."""
        inputs = without_provider(props)
        run = self.context(inputs)
        leavers = _set(run, inputs).leavers
        if leavers and not run.resource.compared:
            _remove(_context(run, inputs, leavers), leavers_since(leavers.removed))
        return CreateResult("removal", {**inputs, "schema_version": SCHEMA})

    @report_errors
    def read(self, id_: str, props: Properties) -> ReadResult:
        """Keep the state: the service does not know the resource."""
        state = without_provider(props)
        names = ("set_urn", "generation", "profile")
        return ReadResult(id_, state, {name: state[name] for name in names if name in state})

    @report_errors
    def update(self, _id: str, _olds: Properties, _news: Properties) -> UpdateResult:
        """Note the items that were reported."""
        olds, inputs = without_provider(_olds), without_provider(_news)
        reported = [*cast("list[str]", olds.get("reported") or []), *self._report_still_on(olds, inputs)]
        return UpdateResult({**inputs, "reported": reported, "schema_version": SCHEMA})

    @report_errors
    def delete(self, _id: str, _props: Properties) -> None:
        """Remove the policies of the set from the items that left, unless the program declares them."""
        state = without_provider(_props)
        run, generation = self.context(state), _generation(state)
        of_set = _set(run, state)
        _note_generation(of_set, generation)
        # If the set goes, too, or moves to another tenant, its own deletion removes the policies.
        if leavers := of_set.leavers:
            _remove(_context(run, state, leavers), leavers_since(leavers.removed, generation))


def _remove(context: SetContext, going: Mapping[str, str]) -> None:
    result = Result.after(SetState())
    stay = remove_policies(context, context.undeclared(going, superseded=True), result, show=show_progress)
    if stay:
        warn(f"{len(stay):,} stay protected:{listed(stay)}", context.urn)
    if result.problem:
        fail(
            f"cannot unprotect all items that left in tenant {printable(context.tenant.id)}: {result.problem}\n"
            "The next `pulumi up` does the rest"
        )
    if result.summary:
        info(f"{result.summary}.", context.urn)


def _set(run: Context, properties: Properties) -> RunResource:
    """Return the registry's notes on the set."""
    return run.registry.resource(optional_str(properties, "set_urn") or "")


def _context(run: Context, properties: Properties, leavers: Leavers) -> SetContext:
    return SetContext.of(run, leavers.tenant_id, optional_str(properties, "set_urn") or "")


def _note_generation(of_set: RunResource, generation: int) -> None:
    of_set.generation = generation if of_set.generation is None else min(generation, of_set.generation)


def _generation(properties: Properties) -> int:
    return cast("int", properties.get("generation") or 0)


def _names(context: SetContext, ids: Collection[str], *, online: bool = True) -> str:
    return listed(map(context.label if online else printable, ids))


class MemberRemoval(DeclaredResource, module="dataprotection", name="MemberRemoval"):
    """The part of a `ProtectionSet` that removes policies from items that left it; each set declares its own.

    Pulumi deletes last: after the program with its callbacks, and only if nothing failed. If members leave, the engine
    replaces this resource, and the deletion of the old one removes their policies.

    Args:
        resource_name: the name in the program.
        set_urn: the URN of the set.
        profile: the profile of the config whose key is used.
        opts: the usual options of a resource.
    """

    provider_class = MemberRemovalProvider
    outputs = ("set_urn", "generation", "profile")

    def __init__(
        self,
        resource_name: str,
        *,
        set_urn: pulumi.Input[str],
        profile: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__(resource_name, {"set_urn": set_urn, "profile": profile}, opts)
