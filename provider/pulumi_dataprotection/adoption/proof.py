"""The proof that an `up` of written files writes nothing: the checks of `pulumi preview`, without the engine."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.files import TenantSet
from pulumi_dataprotection.adoption.orgs_file import OrgsFile
from pulumi_dataprotection.client import Account, calls, errors
from pulumi_dataprotection.core.orgs import plan_org
from pulumi_dataprotection.core.protection_set.inputs import SetInputs, input_problems
from pulumi_dataprotection.core.protection_set.members import SetContext, resolve_members
from pulumi_dataprotection.core.protection_set.preview import member_problems, preview_members
from pulumi_dataprotection.core.registry import Registry
from pulumi_dataprotection.core.session import Context

__all__ = ["Proof", "prove_orgs", "prove_set"]


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of a preview.

    Attributes:
        adopt: the number of members or organizations to adopt.
        write: the number of members or organizations that an `up` would write to.
        problems: the reasons for which an `up` would fail or write.
    """

    adopt: int = 0
    write: int = 0
    problems: Sequence[str] = ()

    def at(self, place: str) -> Proof:
        """Return the same with the place in front of each problem."""
        return replace(self, problems=[f"{printable(place)}: {problem}" for problem in self.problems])

    @classmethod
    def total(cls, proofs: Iterable[Proof]) -> Proof:
        """Return the sum of several previews."""
        found = [*proofs]
        problems = [problem for proof in found for problem in proof.problems]
        return cls(sum(proof.adopt for proof in found), sum(proof.write for proof in found), problems)


def prove_set(account: Account, found: TenantSet) -> Proof:
    """Preview a new `ProtectionSet`.

    Args:
        account: the account of the key.
        found: the arguments of the set.

    Raises:
        CallError: The tenant cannot be read.
    """
    properties = {"assignments": found.assignments, "on_conflict": found.on_conflict}
    if problems := [problem for _, problem in input_problems(properties, lambda _: False)]:
        return Proof(problems=problems)
    urn = f"urn:pulumi:adopt::adopt::dataprotection:ProtectionSet::{found.tenant_id}"
    registry = Registry("")
    context = SetContext.of(Context(account, registry, urn, registry.resource(urn)), found.tenant_id)
    try:
        resolved = resolve_members(context.tenant, SetInputs.of(properties), ())
    except errors.NotFoundError as error:
        return Proof(problems=[str(error)])
    problems = [*member_problems(context, resolved)]
    preview = preview_members(context, resolved, {}, found.on_conflict, own=())
    adopt = preview.counts["adopt"]
    write = sum(preview.counts.values()) - adopt
    problems += [preview.problem] if preview.problem else []
    problems += [preview.work] if write else []
    return Proof(adopt, write, problems)


def prove_orgs(account: Account, orgs: OrgsFile, read: Collection[str] = ()) -> Proof:
    """Preview the organizations that a program declares or looks up.

    Args:
        account: the account of the key.
        orgs: the organizations.
        read: the ids of organizations that were just read.

    Raises:
        CallError: An organization above cannot be read.
    """
    adopt = write = 0
    problems: list[str] = []
    for slug, org in orgs.declared.items():
        plan = plan_org(org.external_id, org.name, account.children(org.parent_org_id))
        if plan.action == "adopt":
            adopt += 1
        else:
            write += plan.action == "create"
            reason = plan.reason or f"it does not exist below {printable(org.parent_org_id)}, and an `up` creates it"
            problems.append(f"{printable(slug)}: {reason}")
    for slug, id in orgs.by_id.items():
        if id not in read:
            try:
                account.ask(calls.get_org(id))
            except (errors.NotFoundError, errors.ForbiddenError) as error:
                problems.append(f"{printable(slug)}: {error}")
    return Proof(adopt, write, problems)
