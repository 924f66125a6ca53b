"""Carries plans out: the writes, and the reading that settles an unclear outcome."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from typing import cast

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.protection.plan import OrgPlan, Step, plan_org

__all__ = [
    "GRAVE",
    "SETTLED_BY_READING",
    "UnfinishedSwapError",
    "create_org",
    "failing",
    "protect",
    "unfinished_swap",
    "unprotect",
]

ORG_TRIES = 3
GRAVE = "IS NOT PROTECTED"
"""Stands in each message about a resource that had a policy and has none now."""

_REFUSED = (errors.InvalidArgumentError, errors.ConflictError, errors.UnexpectedStatusError)
_UNCLEAR = (errors.OutcomeUnclearError, errors.ServiceError)
SETTLED_BY_READING = (*_REFUSED, *_UNCLEAR, errors.AnswerError)
"""After these a write may be done all the same, or have been before: only reading can tell."""


class UnfinishedSwapError(errors.DataProtectionError):
    """A swap that assigned the new policy and failed before it removed the displaced policies.

    Attributes:
        protection: the new policy on the resource.
        made: whether this run assigned it.
        displaced: ids of the policies that may still be on the resource.
    """

    def __init__(
        self,
        cause: errors.DataProtectionError,
        protection: client.records.Protection,
        *,
        made: bool,
        displaced: Sequence[str],
    ) -> None:
        detail = cause.detail if isinstance(cause, errors.CallError) else str(cause)
        super().__init__(
            f"{detail}. The next `pulumi up` finishes the swap and removes the policy {', '.join(displaced)}"
        )
        self.protection = protection
        self.made = made
        self.displaced = [*displaced]


def unfinished_swap(error: BaseException | None) -> UnfinishedSwapError | None:
    """Return the unfinished swap among the causes of an error; None if there is none."""
    while error is not None and not isinstance(error, UnfinishedSwapError):
        error = error.__cause__
    return error


@contextmanager
def failing(what: str) -> Generator[None]:
    """Say of a failed call what it was for: "cannot protect jane@contoso.example …: 403 forbidden …"."""
    try:
        yield
    except errors.CallError as error:
        raise errors.DataProtectionError(f"{what}: {error.detail}") from error
    except errors.DataProtectionError as error:
        raise errors.DataProtectionError(f"{what}: {error}") from error


def protect(
    account: client.Account, tenant_id: str, resource_id: str, steps: Sequence[Step], *, read_back: bool = True
) -> client.records.Protection:
    """Carry out a plan that adopts or protects, and return the protection that is there afterwards.

    Args:
        account: the service.
        tenant_id: the tenant.
        resource_id: the resource.
        steps: the step that gives it the policy, and then those that remove others.
        read_back: whether to read the ids of a protection that was made, which costs a call.

    Raises:
        DataProtectionError: it failed; the policy that was there is there again, or the text says what is.
    """
    tenant = account.tenant(tenant_id)
    wanted, displaced = steps[0].policy_id, tuple(step.policy_id for step in steps[1:])
    assigned = None
    removed: Sequence[str] = ()
    if steps[0].action == "protect":
        assigned, removed = _assign(account, tenant_id, resource_id, wanted, displaced)
    left = [policy for policy in displaced if policy not in removed]
    if left or (displaced and read_back):
        # Half a swap is worse than one that goes on after Ctrl-C.
        with account.client.clock.shield():
            # Only where the new policy shows does a read tell whether an old one is still there; and one that was there
            # when all were listed may be gone by now.
            try:
                _read(tenant, resource_id, wanted, patiently=True)
                _remove(account, tenant_id, resource_id, wanted, left)
            except errors.DataProtectionError as error:
                if not left:
                    raise
                job_id = assigned.job_id if assigned else None
                protection = client.records.Protection(id="", resource_id=resource_id, policy_id=wanted, job_id=job_id)
                made = steps[0].action == "protect"
                raise UnfinishedSwapError(error, protection, made=made, displaced=left) from error
    elif assigned is not None and read_back:
        # The service's word counts, also where reading fails.
        with suppress(errors.CallError, errors.CanceledError):
            _read(tenant, resource_id, wanted, patiently=False)
    for protection in tenant.protections.of(resource_id):
        if protection.policy_id == wanted:
            return protection
    if assigned is None:
        raise errors.DataProtectionError("the policy was taken off again while this ran")
    return _note(tenant, resource_id, wanted, assigned)


def _remove(account: client.Account, tenant_id: str, resource_id: str, wanted: str, displaced: Sequence[str]) -> None:
    """Take off what is still on a resource beside the new policy: some accounts allow several."""
    tenant = account.tenant(tenant_id)
    for policy_id in displaced:
        if _has_policy(tenant.protections.of(resource_id), policy_id):
            if not _has_policy(tenant.protections.of(resource_id), wanted):
                raise errors.DataProtectionError(
                    f"the policy {wanted} does not show on it, and so the policy {policy_id} stays on"
                )
            try:
                unprotect(account, tenant_id, resource_id, policy_id)
            except errors.CallError as error:
                raise errors.DataProtectionError(
                    f"{error.detail}. The new policy is on it, and the policy {policy_id} still is too"
                ) from error


def unprotect(account: client.Account, tenant_id: str, resource_id: str, policy_id: str) -> None:
    """Remove a policy from a resource; one that is not on it any more is a success.

    Raises:
        CallError: the policy is still on it.
    """
    tenant = account.tenant(tenant_id)
    try:
        account.client.send(client.calls.unprotect_resource(tenant_id, resource_id, policy_id=policy_id))
    except errors.CallError as error:
        # Whatever the last try was answered, an earlier one may have done it.
        if error.attempts == 1 and not isinstance(error, (*SETTLED_BY_READING, errors.NotFoundError)):
            raise
        # Unless the service itself says that it is gone, one look is not enough.
        for _ in range(1 if isinstance(error, errors.NotFoundError) else 2):
            if _has_policy(tenant.protections.after_write(resource_id, until=_lacks(policy_id)), policy_id):
                raise
    tenant.protections.remove(resource_id, policy_id)


def create_org(
    account: client.Account, *, parent_org_id: str, external_id: str, name: str, admin_email: str | None
) -> tuple[client.records.Org, str | None]:
    """Take over the organization with this external id, or create it, and never make a second one.

    Returns:
        The organization, and the invitation URL where the service gave one.

    Raises:
        DataProtectionError: it could not be created, or another organization has the external id or the name.
    """
    failure: errors.CallError | None = None
    for _ in range(ORG_TRIES):
        plan = _look_up(account, parent_org_id, external_id, name, patiently=failure is not None)
        if plan.action == "refuse":
            raise errors.DataProtectionError(plan.reason)
        if plan.org:
            return plan.org, None
        if failure and not isinstance(failure, _UNCLEAR):
            raise failure
        call = client.calls.create_org(
            parent_org_id=parent_org_id, external_id=external_id, name=name, admin_email=admin_email
        )
        try:
            created = account.client.send(call)
        except SETTLED_BY_READING as error:
            failure = error
        else:
            _must_be_ours(plan_org(external_id, name, [created.org]), created.org, parent_org_id)
            # Some services know an external_id everywhere, and answer with an organization from elsewhere. Where that
            # cannot be seen, the answer has to do: its invitation is not given twice.
            with suppress(errors.CallError, errors.CanceledError):
                below = _look_up(account, parent_org_id, external_id, name, patiently=True)
                _must_be_ours(below, created.org, parent_org_id)
            return created.org, created.invitation_url or None
    raise cast("errors.CallError", failure)


def _must_be_ours(plan: OrgPlan, created: client.records.Org, parent_org_id: str) -> None:
    if plan.action == "refuse":
        raise errors.DataProtectionError(plan.reason)
    if plan.org is None or plan.org.id != created.id:
        raise errors.DataProtectionError(
            f"the service answers with the organization {created.id}, and does not list it below {parent_org_id}: the "
            "external_id belongs to an organization elsewhere, or a new one shows later than readLag says"
        )


def _look_up(account: client.Account, parent_org_id: str, external_id: str, name: str, *, patiently: bool) -> OrgPlan:
    def read() -> OrgPlan:
        return plan_org(external_id, name, account.client.send(client.calls.list_orgs(parent_org_id)))

    return account.client.read_until(read, lambda plan: plan.action != "create" or not patiently)


def _assign(
    account: client.Account, tenant_id: str, resource_id: str, wanted: str, displaced: Sequence[str]
) -> tuple[client.records.ProtectResourceResult | None, Sequence[str]]:
    """Put a policy on a resource: beside the displaced ones where the service allows it, else after them.

    Returns:
        The service's answer where there was one, and the policies that were removed to make room.
    """
    tenant = account.tenant(tenant_id)
    protect_again = client.calls.protect_resource(tenant_id, resource_id, policy_id=wanted)
    try:
        return account.client.send(protect_again), ()
    except (*SETTLED_BY_READING, errors.ForbiddenError, errors.NotFoundError) as error:
        if error.attempts == 1 and not isinstance(error, SETTLED_BY_READING):
            raise
        # A first try may have done it, and its answer got lost.
        clear = isinstance(error, _REFUSED) and error.attempts == 1
        if clear and not displaced:
            # What is refused where nothing was seen may be an earlier run's work, which does not show yet.
            tenant.protections.wait_out_lag()
        # What is refused where another policy is on it needs no look: that is what has to give way.
        if not (clear and displaced) and _has_policy(_read(tenant, resource_id, wanted, patiently=not clear), wanted):
            return None, ()
        if not displaced or not isinstance(error, _REFUSED):
            raise
    # Nothing is half done yet.
    account.client.clock.check()
    with account.client.clock.shield():
        removed: list[str] = []
        try:
            for policy_id in displaced:
                unprotect(account, tenant_id, resource_id, policy_id)
                removed.append(policy_id)
            return account.client.send(protect_again), displaced
        except errors.CallError as error:
            if not removed and error.operation.id == "unprotect_resource":
                # Nothing is missing; and where the refusal before was none, the new policy is on it all the same.
                with suppress(errors.CallError):
                    if _has_policy(_read(tenant, resource_id, wanted, patiently=False), wanted):
                        return None, ()
                raise
            _put_back(account, tenant_id, resource_id, wanted, displaced, error)
            return None, displaced


def _read(
    tenant: client.TenantCache, resource_id: str, policy_id: str, *, patiently: bool
) -> list[client.records.Protection]:
    return tenant.protections.after_write(resource_id, lambda found: _has_policy(found, policy_id) or not patiently)


def _put_back(  # noqa: PLR0917 - the arguments of a swap, and its failure
    account: client.Account,
    tenant_id: str,
    resource_id: str,
    wanted: str,
    displaced: Sequence[str],
    failure: errors.CallError,
) -> None:
    """After a swap that failed half way: the old policies again, and an error that tells what happened."""
    old = ", ".join(displaced)
    with suppress(errors.CallError):
        if _has_policy(_read(account.tenant(tenant_id), resource_id, wanted, patiently=True), wanted):
            return
    try:
        for policy_id in displaced:
            _protect_again(account, tenant_id, resource_id, policy_id)
    except errors.CallError as error:
        raise errors.DataProtectionError(
            f"{failure.detail}. The policy {old} was removed to make room and could not be put back "
            f"({error.detail}): {resource_id} {GRAVE}. Run `pulumi up` again"
        ) from failure
    raise errors.DataProtectionError(f"{failure.detail}. The policy {old} is on it again") from failure


def _protect_again(account: client.Account, tenant_id: str, resource_id: str, policy_id: str) -> None:
    tenant = account.tenant(tenant_id)
    try:
        again = account.client.send(client.calls.protect_resource(tenant_id, resource_id, policy_id=policy_id))
    except SETTLED_BY_READING:
        if not _has_policy(_read(tenant, resource_id, policy_id, patiently=True), policy_id):
            raise
    else:
        _note(tenant, resource_id, policy_id, again)


def _note(
    tenant: client.TenantCache, resource_id: str, policy_id: str, answer: client.records.ProtectResourceResult
) -> client.records.Protection:
    """Take the service's word for a policy that it put on, also where its reads lag behind."""
    protection = client.records.Protection(id="", resource_id=resource_id, policy_id=policy_id, job_id=answer.job_id)
    tenant.protections.add(protection)
    return protection


def _lacks(policy_id: str) -> Callable[[Iterable[client.records.Protection]], bool]:
    return lambda protections: not _has_policy(protections, policy_id)


def _has_policy(protections: Iterable[client.records.Protection], policy_id: str) -> bool:
    return any(protection.policy_id == policy_id for protection in protections)
