"""Organizations: whether one exists already, and its creation, which never makes a second one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, cast

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.outcomes import SETTLED_BY_READING, UNCLEAR

__all__ = ["ORG_ATTEMPTS", "OrgPlan", "create_org", "plan_org"]

ORG_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class OrgPlan:
    """The plan for an organization: `create` it, `adopt` an existing organization, or `refuse`."""

    action: Literal["create", "adopt", "refuse"]
    org: client.records.Org | None = None
    reason: str = ""


def plan_org(external_id: str, name: str, siblings: Sequence[client.records.Org]) -> OrgPlan:
    """Plan an organization below its parent."""
    for org in siblings:
        if org.external_id == external_id:
            if client.same_text(org.name, name):
                return OrgPlan("adopt", org)
            reason = (
                f'the external_id "{printable(external_id)}" belongs to the organization "{printable(org.name)}" '
                f'({printable(org.id)}), and this asks for "{printable(name)}"'
            )
            return OrgPlan("refuse", org, reason)
    for org in siblings:
        if client.same_text(org.name, name):
            its = (
                f'with the external_id "{printable(org.external_id)}"' if org.external_id else "without an external_id"
            )
            reason = (
                f'an organization named "{printable(name)}" exists already, {its} ({printable(org.id)}), '
                f'and this asks for the external_id "{printable(external_id)}"'
            )
            return OrgPlan("refuse", org, reason)
    return OrgPlan("create")


def create_org(
    account: client.Account, *, parent_org_id: str, external_id: str, name: str, admin_email: str | None
) -> tuple[client.records.Org, str | None]:
    """Adopt the organization with this external id, or create it; never create a second organization.

    Returns:
        The organization, and the invitation URL if the service returned it.

    Raises:
        DataProtectionError: it could not be created, or another organization has the external id or the name.
    """
    failure: errors.CallError | None = None
    for _ in range(ORG_ATTEMPTS):
        plan = _look_up(account, parent_org_id, external_id, name, wait=failure is not None)
        if plan.action == "refuse":
            raise errors.DataProtectionError(plan.reason)
        if plan.org:
            return plan.org, None
        if failure and not isinstance(failure, (*UNCLEAR, errors.ConflictError)):
            raise failure
        call = client.calls.create_org(
            parent_org_id=parent_org_id, external_id=external_id, name=name, admin_email=admin_email
        )
        try:
            created = account.send(call)
        except SETTLED_BY_READING as error:
            failure = error
            if isinstance(error, (errors.BusyError, errors.ConflictError)):
                account.client.pause_after(error)
        else:
            _must_be_ours(plan_org(external_id, name, [created.org]), created.org, parent_org_id)
            # Some services know an external_id everywhere, and answer with an organization from elsewhere. Where that
            # cannot be seen, the answer has to do: its invitation is not given twice.
            with suppress(errors.CallError, errors.CanceledError, errors.UnresolvedReferenceError):
                below = _look_up(account, parent_org_id, external_id, name, wait=True)
                _must_be_ours(below, created.org, parent_org_id)
            return created.org, created.invitation_url or None
    raise cast("errors.CallError", failure)


def _must_be_ours(plan: OrgPlan, created: client.records.Org, parent_org_id: str) -> None:
    if plan.action == "refuse":
        raise errors.DataProtectionError(plan.reason)
    if plan.org is None or plan.org.id != created.id:
        raise errors.DataProtectionError(
            f"the service answers with the organization {printable(created.id)}, and does not list it below "
            f"{printable(parent_org_id)}: the "
            "external_id belongs to an organization elsewhere, or a new one shows later than readLag says"
        )


def _look_up(account: client.Account, parent_org_id: str, external_id: str, name: str, *, wait: bool) -> OrgPlan:
    """Plan an organization, and wait for one that may not be listed yet."""
    plan = OrgPlan("create")
    for _ in account.client.reads_within_lag():
        plan = plan_org(external_id, name, account.send(client.calls.list_orgs(parent_org_id)))
        if plan.action != "create" or not wait:
            break
    return plan
