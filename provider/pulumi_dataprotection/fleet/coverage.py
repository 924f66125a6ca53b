"""The coverage of an estate: a walk over its tenants, which keeps the contents of one tenant at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic.dataclasses import dataclass as record

from pulumi_dataprotection.client import Account
from pulumi_dataprotection.client.errors import DataProtectionError
from pulumi_dataprotection.client.records import Org, Record, Resource, Tenant
from pulumi_dataprotection.core.coverage import Counts, count_by_kind
from pulumi_dataprotection.fleet.exclusions import Exclusion, excluded_ids
from pulumi_dataprotection.inventory import LEFT_OUT, OrgTenants, StackState, TenantContents, read_contents

__all__ = ["CoverageRow", "Declared", "TenantCoverage", "read_coverage", "stacks_by_item"]

Declared = Mapping[str, Mapping[str, Sequence[str]]]
"""The names of the stacks that declare a protection, by tenant and item."""


@dataclass(frozen=True, slots=True)
class TenantCoverage:
    """The coverage of one tenant.

    Attributes:
        org: its organization; None if the key is installed for the tenant only.
        tenant: the tenant.
        kinds: the counts by kind.
        stacks: the number of protected items by stack, by kind; None if no state was read.
        unprotected: the items that need a policy and have none.
        shared: the ids of the items that several stacks declare.
        error: the reason for which the tenant cannot be read.
    """

    org: Org | None
    tenant: Tenant
    kinds: Mapping[str, Counts] = field(default_factory=dict[str, Counts])
    stacks: Mapping[str, Mapping[str, int]] | None = None
    unprotected: Sequence[Resource] = ()
    shared: Sequence[str] = ()
    error: DataProtectionError | None = None

    def rows(self) -> list[CoverageRow]:
        """Return a row for each kind."""
        return [self._row(kind, counts) for kind, counts in self.kinds.items()]

    def _row(self, kind: str, counts: Counts) -> CoverageRow:
        with_states = self.stacks is not None
        return CoverageRow(
            org_id=self.org.id if self.org else None,
            org_name=self.org.name if self.org else None,
            tenant_id=self.tenant.id,
            tenant_name=self.tenant.name,
            kind=kind,
            count=counts.count,
            protected=counts.protected,
            by_code=counts.by_code if with_states else None,
            in_portal=counts.in_portal if with_states else None,
            unprotected=counts.unprotected,
            excluded=counts.excluded,
            archived_protected=counts.archived_protected,
            percent=counts.percent,
            stacks=None if self.stacks is None else dict(self.stacks.get(kind, {})),
        )


@record(frozen=True, slots=True, kw_only=True)
class CoverageRow(Record):
    """The coverage of one kind of item in a tenant; the counts are those of `core.coverage.Counts`."""

    org_id: str | None
    org_name: str | None
    tenant_id: str
    tenant_name: str | None
    kind: str
    count: int
    protected: int
    by_code: int | None
    in_portal: int | None
    unprotected: int
    excluded: int
    archived_protected: int
    percent: float
    stacks: Mapping[str, int] | None


def stacks_by_item(states: Iterable[StackState]) -> Declared:
    """Return the stacks that declare a protection, by tenant and item."""
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for state in states:
        for tenant_id, item_id in state.declared:
            found[tenant_id][item_id].append(state.name)
    return found


def read_coverage(
    account: Account, orgs: Iterable[OrgTenants], declared: Declared | None, exclusions: Sequence[Exclusion]
) -> Iterator[TenantCoverage]:
    """Yield the coverage of each tenant. A tenant that cannot be read has an error.

    Args:
        account: the account of the key.
        orgs: the organizations with their tenants.
        declared: the stacks by item; None if no state was read.
        exclusions: the lines of the ignore file that count.

    Raises:
        DataProtectionError: A call failed with another error than `LEFT_OUT`.
    """
    for found in orgs:
        for tenant in found.tenants:
            try:
                contents = read_contents(account, tenant)
            except LEFT_OUT as error:
                yield TenantCoverage(found.org, tenant, error=error)
            else:
                yield _measured(found.org, contents, declared, exclusions)


def _measured(
    org: Org | None, contents: TenantContents, declared: Declared | None, exclusions: Sequence[Exclusion]
) -> TenantCoverage:
    stacks = (declared or {}).get(contents.tenant.id, {})
    bare = [item for item in contents.items if not item.archived and item.id not in contents.policy_ids]
    excluded = excluded_ids(exclusions, contents.tenant, bare)
    by_stack: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for item in contents.items:
        if not item.archived and item.id in contents.policy_ids:
            by_stack[item.kind or ""].update(stacks.get(item.id, ()))
    return TenantCoverage(
        org,
        contents.tenant,
        count_by_kind(contents.items, contents.policy_ids, stacks, excluded),
        None if declared is None else by_stack,
        [item for item in bare if item.id not in excluded],
        [id for id, names in stacks.items() if len(names) > 1],
    )
