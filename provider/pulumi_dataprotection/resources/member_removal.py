"""The removal of policies from items that left a protection set."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import cast

import pulumi
from pulumi.dynamic import CheckFailure, CheckResult, CreateResult, DiffResult, ReadResult, UpdateResult

from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.protection_set.apply import Result
from pulumi_dataprotection.core.protection_set.context import Context
from pulumi_dataprotection.core.protection_set.members import listed
from pulumi_dataprotection.core.protection_set.operations import remove_policies
from pulumi_dataprotection.core.protection_set.plan import SetState
from pulumi_dataprotection.core.protection_set.preview import LEFT_EARLIER, PASSED_ON, removal_problem
from pulumi_dataprotection.core.registry import Leavers, Registry
from pulumi_dataprotection.resources._provider import SCHEMA, Properties, Provider, operation, plain, text
from pulumi_dataprotection.resources._resource import DeclaredResource
from pulumi_dataprotection.resources._sdk import fail, show_progress, tell, urn, warn

__all__ = ["MemberRemoval", "MemberRemovalProvider"]


class MemberRemovalProvider(Provider):
    """Removes policies when the engine deletes the resource, after everything else in the program has succeeded."""

    @operation
    def check(self, _olds: Properties, news: Properties) -> CheckResult:
        """Find the items that left the set, and find in a preview if they are too many."""
        olds, inputs = plain(_olds), plain(news)
        generation = _generation(olds)
        inputs["generation"] = generation
        # A preview may be offline, without a key.
        with suppress(errors.ConfigurationError):
            registry = self.registry(inputs)
            registry.note_check(urn(), exists=bool(olds))
            if olds:
                registry.note_generation(_set(inputs), generation)
            if leavers := registry.leavers(_set(inputs)):
                inputs["generation"] = leavers.generation
                # The engine checks the new resource of a replacement once more.
                again = not olds and registry.is_compared(urn())
                problem = "" if again else self._look_ahead(inputs, registry, leavers)
                return CheckResult(inputs, [CheckFailure("", problem)] if problem else [])
        return CheckResult(inputs, [])

    def _look_ahead(self, inputs: Properties, registry: Registry, leavers: Leavers) -> str:
        """Report the items that left, and return why they are too many; empty if they are not."""
        online = self.checks_online()
        going = leavers.since(registry.generation(_set(inputs)) or 0)
        if not going and not leavers.adopted and not leavers.passed_on:
            return ""
        context = self._context(inputs, leavers)
        if online and (passed_on := context.still_on(leavers.passed_on)):
            names = _names(context, passed_on)
            warn(PASSED_ON.format(f"{len(passed_on):,}", names), _set(inputs))
        removed = context.undeclared(going, by_name=online)
        members = leavers.stay + len(going) + len(leavers.adopted)
        if problem := removal_problem(
            context, removed, leavers.limit, members=members, stay=leavers.stay, online=online
        ):
            return problem
        if removed:
            tell(
                f"{len(removed):,} to unprotect, of {members:,} members:{_names(context, removed, online=online)}",
                _set(inputs),
            )
        if kept := context.undeclared(dict.fromkeys(leavers.adopted, ""), by_name=online):
            names = _names(context, kept, online=online)
            warn(
                f"{len(kept):,} leave and stay protected, since the set adopted what was on them:{names}", _set(inputs)
            )
        return ""

    @operation
    def diff(self, _id: str, _olds: Properties, _news: Properties) -> DiffResult:
        """Replace the resource if items left: the engine deletes the old one at the end of the run.

        An item of an earlier run that still has the policy is a change too: either the engine has yet to delete an old
        resource, which it does not count as a change, or somebody assigned the policy again.
        """
        olds, inputs = plain(_olds), plain(_news)
        left = _generation(olds) != _generation(inputs)
        still = False
        with suppress(errors.ConfigurationError):
            self.registry(inputs).note_diff(urn())
            still = not left and bool(self._report_still_on(olds, inputs))
        return DiffResult(changes=left or still, replaces=["generation"] if left else [], delete_before_replace=False)

    def _report_still_on(self, olds: Properties, inputs: Properties) -> list[str]:
        """Report, once, the items of earlier runs that have the policy of the set."""
        leavers = self.registry(inputs).leavers(_set(inputs))
        if leavers is None or not self.checks_online():
            return []
        context = self._context(inputs, leavers)
        reported = cast("list[str]", olds.get("reported") or [])
        unseen = {id: policy for id, policy in leavers.since(0).items() if id not in reported}
        if found := [*context.still_on(unseen)]:
            tell(LEFT_EARLIER.format(f"{len(found):,}", _names(context, found)), context.urn)
        return found

    @operation
    def create(self, props: Properties) -> CreateResult:
        """Do nothing, except for items that left before the set had such a resource."""
        inputs = plain(props)
        registry = self.registry(inputs)
        leavers = registry.leavers(_set(inputs))
        if leavers and not registry.is_compared(urn()):
            self._remove(inputs, leavers, leavers.since(0))
        return CreateResult("removal", {**inputs, "schema_version": SCHEMA})

    @operation
    def read(self, id_: str, props: Properties) -> ReadResult:
        """Keep the state: the service does not know the resource."""
        state = plain(props)
        return ReadResult(
            id_, state, {name: state[name] for name in ("set_urn", "generation", "profile") if name in state}
        )

    @operation
    def update(self, _id: str, _olds: Properties, _news: Properties) -> UpdateResult:
        """Note the items that were reported."""
        olds, inputs = plain(_olds), plain(_news)
        reported = [*cast("list[str]", olds.get("reported") or []), *self._report_still_on(olds, inputs)]
        return UpdateResult({**inputs, "reported": reported, "schema_version": SCHEMA})

    @operation
    def delete(self, _id: str, _props: Properties) -> None:
        """Remove the policies of the set from the items that left, unless the program declares them."""
        state = plain(_props)
        registry = self.registry(state)
        registry.note_generation(_set(state), _generation(state))
        leavers = registry.leavers(_set(state))
        # If the set goes too, or moves to another tenant, its own deletion removes the policies.
        if leavers:
            self._remove(state, leavers, leavers.since(_generation(state)))

    def _remove(self, properties: Properties, leavers: Leavers, going: Mapping[str, str]) -> None:
        context = self._context(properties, leavers)
        result = Result.after(SetState())
        stay = remove_policies(context, context.undeclared(going, superseded=True), result, show=show_progress)
        if stay:
            warn(f"{len(stay):,} stay protected:{listed(stay)}", context.urn)
        if result.problem:
            fail(
                f"cannot unprotect all items that left in tenant {context.tenant.id}: {result.problem}\n"
                "The next `pulumi up` does the rest"
            )
        if result.summary:
            tell(f"{result.summary}.", context.urn)

    def _context(self, properties: Properties, leavers: Leavers) -> Context:
        return Context.of(self.account(properties), self.registry(properties), leavers.tenant_id, _set(properties))


def _set(properties: Properties) -> str:
    return text(properties, "set_urn") or ""


def _generation(properties: Properties) -> int:
    return cast("int", properties.get("generation") or 0)


def _names(context: Context, ids: Collection[str], *, online: bool = True) -> str:
    return listed(map(context.label, ids) if online else ids)


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
