"""The estate of a key: its organizations, and its customers with their tenants."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.naming import slugs
from pulumi_dataprotection.adoption.orgs_file import DeclaredOrg, OrgsFile
from pulumi_dataprotection.client import Account, calls
from pulumi_dataprotection.client.errors import UnresolvedReferenceError
from pulumi_dataprotection.client.records import Org, Tenant
from pulumi_dataprotection.core.orgs import plan_org
from pulumi_dataprotection.core.protection_set.inputs import text_problem
from pulumi_dataprotection.inventory import LEFT_OUT, OrgTenants, Report, Scope, walk_orgs

__all__ = ["Estate", "Kept", "TenantPlace", "find_estate"]


@dataclass(frozen=True, slots=True)
class TenantPlace:
    """A tenant, and its place in the project.

    Attributes:
        tenant: the tenant.
        customer: the slug of its customer, which is the organization of the tenant.
        slug: its own slug, without a double in its customer.
    """

    tenant: Tenant
    customer: str
    slug: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The names that an existing project has.

    Attributes:
        tenants: the customer and the slug of each tenant, by the id of the tenant.
        orgs: the organizations.
    """

    tenants: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    orgs: OrgsFile = field(default_factory=OrgsFile)


@dataclass(frozen=True, slots=True)
class Estate:
    """The estate of a key, or the part of it that a command is run for.

    Attributes:
        orgs: the organizations, as the program has them.
        names: the names of the organizations by their ids.
        by_id: the reasons for which organizations are looked up by id, by their slugs.
        tenants: the tenants.
    """

    orgs: OrgsFile
    names: Mapping[str, str | None]
    by_id: Mapping[str, str]
    tenants: Sequence[TenantPlace]


def find_estate(
    account: Account, org_ids: Collection[str], tenant_ids: Collection[str], report: Report, kept: Kept | None = None
) -> Estate:
    """Find the organizations and tenants of a key, with two calls for each organization.

    Args:
        account: the account of the key.
        org_ids: the organizations whose tenants are meant, with all below; empty for all that the key reaches.
        tenant_ids: the only tenants that are meant; empty for all of these.
        report: shows an organization or a tenant that cannot be read, which is left out.
        kept: the names of a project that exists.

    Raises:
        UnresolvedReferenceError: A tenant of `tenant_ids` is not among the tenants.
        DataProtectionError: The service lists no installation, or a call failed with another error than `LEFT_OUT`.
    """
    scopes = [Scope(id, recursive=True) for id in org_ids] or [Scope(None, recursive=True)]
    walked: dict[str, OrgTenants] = {}
    tenants: dict[str, tuple[str, Tenant]] = {}
    for found in (found for scope in scopes for found in walk_orgs(account, scope, report)):
        chosen = [tenant for tenant in found.tenants if not tenant_ids or tenant.id in tenant_ids]
        tenants |= {tenant.id: (found.id or tenant.id, tenant) for tenant in chosen if tenant.id not in tenants}
        # The organization that a walk begins with is a customer if it has tenants; its parent is unknown.
        if found.id and (chosen or (found.org and not tenant_ids)) and not (found.id in walked and not found.org):
            walked[found.id] = found
    if missing := sorted({*tenant_ids} - tenants.keys()):
        raise UnresolvedReferenceError(f"{printable(missing[0])} is not a tenant that the key reaches")
    orgs = {id: found.org or _read_org(account, id, report) for id, found in walked.items()}
    names = {id: org.name for id, org in orgs.items()}
    kept = kept or Kept()
    unnamed = {owner: tenant.name for owner, tenant in tenants.values() if owner not in names}
    customers = slugs({**unnamed, **names}, _kept_customers(kept, orgs, tenants))
    declared: dict[str, DeclaredOrg] = {}
    reasons: dict[str, str] = {}
    for id, org in orgs.items():
        reason = _undeclarable(account, org, walked[id].parent_org_id)
        if reason:
            reasons[customers[id]] = reason
        else:
            declared[customers[id]] = DeclaredOrg(
                external_id=org.external_id or "", name=org.name or "", parent_org_id=walked[id].parent_org_id
            )
    by_id = {customers[id]: id for id in orgs if customers[id] in reasons}
    return Estate(OrgsFile(declared=declared, by_id=by_id), names, reasons, _places(tenants, customers, kept))


def _read_org(account: Account, id: str, report: Report) -> Org:
    try:
        return account.ask(calls.get_org(id))
    except LEFT_OUT as error:
        report(f"the name of organization {printable(id)}", error)
        return Org(id=id)


def _undeclarable(account: Account, org: Org, parent_org_id: str) -> str:
    """Return the reason for which no `Org` adopts an organization; empty if an `Org` does."""
    if not org.external_id:
        return "without an external_id"
    if not parent_org_id:
        return "the key or --org names it, so that the organization above it is unknown"
    name = org.name or ""
    if text_problem(org.external_id) or text_problem(name) or name != name.strip():
        return "with a name or an external_id that no Org can have"
    plan = plan_org(org.external_id, name, account.children(parent_org_id))
    return "" if plan.org and plan.org.id == org.id else "another organization has its external_id"


def _kept_customers(
    kept: Kept, orgs: Mapping[str, Org], tenants: Mapping[str, tuple[str, Tenant]]
) -> Mapping[str, str]:
    """Return the slugs of organizations that a project has, by the ids of the organizations."""
    by_external_id = {org.external_id: id for id, org in orgs.items() if org.external_id}
    found = [(slug, by_external_id.get(org.external_id)) for slug, org in kept.orgs.declared.items()]
    found += kept.orgs.by_id.items()
    found += [(customer, tenants[id][0]) for id, (customer, _) in kept.tenants.items() if id in tenants]
    customers: dict[str, str] = {}
    for slug, id in found:
        if id and id not in customers and slug not in customers.values():
            customers[id] = slug
    return customers


def _places(tenants: Mapping[str, tuple[str, Tenant]], customers: Mapping[str, str], kept: Kept) -> list[TenantPlace]:
    by_customer: defaultdict[str, dict[str, str | None]] = defaultdict(dict)
    for owner, tenant in tenants.values():
        by_customer[customers[owner]][tenant.id] = tenant.name
    places: list[TenantPlace] = []
    for customer, names in by_customer.items():
        files = slugs(names, {id: slug for id, (folder, slug) in kept.tenants.items() if folder == customer})
        # A file that somebody moved to another folder stays there.
        places += [TenantPlace(tenants[id][1], *kept.tenants.get(id, (customer, slug))) for id, slug in files.items()]
    return sorted(places, key=lambda place: (place.customer, place.slug))
