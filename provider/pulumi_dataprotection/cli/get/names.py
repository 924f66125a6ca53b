"""The names of ids, read with few calls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from pulumi_dataprotection.client import Account, calls, errors

__all__ = ["read_names"]

_Names = Mapping[str, str | None]


def read_names(
    account: Account,
    field: str,
    ids: Collection[str],
    arguments: Mapping[str, object],
    warn: Callable[[str, str], None],
) -> _Names:
    """Return the names of ids.

    Args:
        account: the account.
        field: the field of the ids, such as `policy_id`.
        ids: the ids.
        arguments: the arguments of the command, among them the tenant or the organization.
        warn: shows a text, which follows the kind of the names that cannot be read.

    Returns:
        The names by id; none if they cannot be read.
    """
    kind = field.removesuffix("_id")
    try:
        return _READ[kind](account, ids, arguments)
    except errors.DataProtectionError as error:
        warn(kind, f"{kind} names are left out: {error}")
        return {}


def _resources(account: Account, ids: Collection[str], arguments: Mapping[str, object]) -> _Names:
    items = account.tenant(str(arguments["tenant_id"])).items
    # A single resource is read without the list.
    found = [items.find(*ids)] if len(ids) == 1 else items.all()
    return {item.id: item.name for item in found}


def _policies(account: Account, _ids: Collection[str], arguments: Mapping[str, object]) -> _Names:
    return {policy.id: policy.name for policy in account.tenant(str(arguments["tenant_id"])).policies.all()}


def _tenants(account: Account, ids: Collection[str], arguments: Mapping[str, object]) -> _Names:
    if org_id := arguments.get("org_id"):
        return {tenant.id: tenant.name for tenant in account.ask(calls.list_tenants(str(org_id)))}
    return {id: account.ask(calls.get_tenant(id)).name for id in sorted(ids)}


def _orgs(account: Account, ids: Collection[str], _arguments: Mapping[str, object]) -> _Names:
    return {id: account.ask(calls.get_org(id)).name for id in sorted(ids)}


_READ = {"resource": _resources, "policy": _policies, "tenant": _tenants, "org": _orgs}
