"""Decisions about the protection of one item: pure functions, each step with its reason."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.messages import item_label

__all__ = [
    "Adopt",
    "Observed",
    "OnConflict",
    "OnDestroy",
    "Step",
    "check_possible",
    "is_first_policy",
    "plan_protection",
    "plan_read",
    "plan_removal",
]

Adopt = Literal["keep", "own"]
OnConflict = Literal["fail", "take_over", "accept"]
OnDestroy = Literal["unprotect", "keep"]


@dataclass(frozen=True, slots=True)
class Observed:
    """One resource of a tenant, as the service shows it.

    Attributes:
        resource: the resource; None if it was not looked for, or is missing.
        policies: the ids of the policies that are on it; normally one at most.
        missing: the property that names what does not exist, the resource or its tenant.
        reason: how the service says so.
        label: names a policy in messages.
    """

    resource: client.records.Resource | None = None
    policies: Sequence[str] = ()
    missing: Literal["", "resource", "tenant_id"] = ""
    reason: str = ""
    label: Callable[[str], str] = str

    @property
    def name(self) -> str:
        """The resource, as messages name it."""
        return item_label(self.resource) if self.resource else "it"

    @property
    def archived(self) -> bool:
        """Whether it cannot be backed up any more."""
        return bool(self.resource and self.resource.archived)

    def labels(self, policies: Sequence[str]) -> str:
        """Policies, as messages name them."""
        return ", ".join(map(self.label, policies))


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do to a resource.

    Attributes:
        action: `protect` it with the policy, `unprotect` it from the policy, `adopt` the policy that is on it, `leave`
            all as it is, `forget` what is gone, or `refuse` to do anything.
        policy_id: the policy.
        reason: the reason, if the user should know it.
        advice: what to do about it.
        property: for `refuse`, the property that is at fault.
    """

    action: Literal["protect", "unprotect", "adopt", "leave", "forget", "refuse"]
    policy_id: str = ""
    reason: str = ""
    advice: str = ""
    property: str = ""

    def text(self) -> str:
        """Why, and what to do about it."""
        return f"{self.reason}: {self.advice}" if self.advice else self.reason


def plan_protection(
    wanted: str, observed: Observed, *, own: Collection[str] = (), on_conflict: OnConflict = "fail"
) -> tuple[Step, ...]:
    """Decide how a resource gets the policy that is wanted, when it is created or updated.

    Args:
        wanted: the policy's id.
        observed: the resource.
        own: ids of the policies that are ours to remove.
        on_conflict: what to do about a policy that is not ours.

    Returns:
        The step that gives it the policy, and then those that remove others; or only a refusal.
    """
    on = observed.policies
    if observed.missing:
        return (Step("refuse", reason=observed.reason, property=observed.missing),)
    ours = [policy for policy in on if policy in own and policy != wanted]
    if on and on_conflict == "accept":
        return (Step("adopt", next((policy for policy in (*ours, wanted) if policy in on), on[0])),)
    if wanted in on:
        return (Step("adopt", wanted), *(Step("unprotect", policy) for policy in ours))
    if observed.archived:
        reason = f"{observed.name} is archived and cannot be backed up any more"
        return (Step("refuse", reason=reason, advice="take it out of the program", property="resource"),)
    foreign = [policy for policy in on if policy not in own]
    if foreign and on_conflict == "fail":
        already = f"already has policy {observed.labels(on)}; the program wants"
        return (
            Step(
                "refuse",
                reason=f"{observed.name} {already} {observed.label(wanted)}",
                advice=(
                    'set on_conflict to "take_over" to swap it, or to "accept" to keep it. '
                    "If you renamed the Pulumi resource, add an alias. "
                    "If another resource is releasing this item, declare that resource first"
                ),
                property="policy",
            ),
        )
    displaced = [Step("unprotect", policy) for policy in ours]
    displaced += [Step("unprotect", policy, f"taken over from policy {observed.label(policy)}") for policy in foreign]
    return (Step("protect", wanted), *displaced)


def check_possible(steps: Sequence[Step]) -> None:
    """Check that no step is a refusal.

    Raises:
        DataProtectionError: One is; the text has its reason and its advice.
    """
    for step in steps:
        if step.action == "refuse":
            raise errors.DataProtectionError(step.text())


def is_first_policy(steps: Sequence[Step]) -> bool:
    """Return whether these steps protect an item that has no policy, and that needs a licence from now on."""
    return [step.action for step in steps] == ["protect"]


def plan_read(known: Sequence[str], observed: Observed, *, managed: bool) -> Step:
    """Decide what a resource's protection looks like now.

    Args:
        known: ids of the policies that may be ours, the likeliest first.
        observed: the resource.
        managed: whether the state has it; where not, it has to exist.
    """
    if observed.missing == "tenant_id":
        advice = "if it was deleted, take what is in it out of the program and run `pulumi up`, which then forgets it"
        return Step("refuse", reason=f"{observed.reason}. The tenant is not there: {advice}", property="tenant_id")
    if not observed.policies:
        return Step("forget") if managed else Step("refuse", reason="nothing protects it")
    return Step("adopt", next((policy for policy in known if policy in observed.policies), observed.policies[0]))


def plan_removal(
    own: str | None, observed: Observed, *, on_destroy: OnDestroy = "unprotect", declared_by: str = ""
) -> Step:
    """Decide what happens to a protection when its resource goes out of the program.

    Args:
        own: the id of the policy that the resource put there, if it did.
        observed: the resource.
        on_destroy: what the program wants.
        declared_by: the resource of this run that declares the same protection, if one does.
    """
    if on_destroy == "keep":
        return Step("leave")
    if declared_by:
        return Step("leave", reason=f"{declared_by} declares it now")
    if own is None:
        return Step("leave", reason="this resource did not make the protection, it adopted it")
    if observed.missing or not observed.policies:
        return Step("forget")
    if own in observed.policies:
        return Step("unprotect", own)
    return Step("leave", reason=f"another policy is on it now, {observed.labels(observed.policies)}")
