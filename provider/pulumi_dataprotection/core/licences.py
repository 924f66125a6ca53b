"""The licences of a tenant: the quota that covers an item, its use, and the number of free licences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors

if TYPE_CHECKING:
    from pulumi_dataprotection.client.records import Quota, ResourceStats

__all__ = ["NewProtections", "covering_quota", "free_units", "is_exceeded", "read_quotas", "with_use"]

_ANY_ITEM = "resource"
"""The kind of a quota that covers each item of a tenant."""

_WITHOUT_STATISTICS = (errors.AnswerError, errors.ForbiddenError, errors.InvalidArgumentError, errors.NotFoundError)
"""The answers of a service that has no statistics, or does not show them to the key."""


def covering_quota(kind: str | None, quotas: Iterable[Quota]) -> Quota | None:
    """Return the quota that clearly covers the items of a kind; None if there is no such quota, or several.

    A quota of exactly this kind comes before a quota of its last word, such as `user` for `office_user`, and that comes
    before a quota of the kind `resource`. A quota with units of measure covers storage, not items.

    Args:
        kind: the kind of an item; None if it is unknown.
        quotas: the quotas of the tenant.
    """
    by_kind: dict[str, list[Quota]] = {}
    for quota in quotas:
        if quota.kind and not quota.units:
            by_kind.setdefault(client.folded(quota.kind), []).append(quota)
    exact = client.folded(kind or "")
    for name in (exact, exact.rpartition("_")[2], _ANY_ITEM):
        if found := by_kind.get(name):
            return found[0] if len(found) == 1 else None
    return None


def with_use(quotas: Sequence[Quota], statistics: ResourceStats) -> list[Quota]:
    """Return quotas with their use, which is counted if the service does not state it.

    Args:
        quotas: the quotas of a tenant.
        statistics: the statistics of the tenant. A quota that covers none of their kinds stays without a use.
    """
    protected: dict[str | None, int] = {}
    for entry in (entry for tenant in statistics.tenants for entry in tenant.resource_details):
        if quota := covering_quota(entry.kind, quotas):
            protected[quota.kind] = protected.get(quota.kind, 0) + entry.protected_count
    return [
        quota if quota.used is not None or quota.units or quota.kind not in protected
        else replace(quota, used=protected[quota.kind])
        for quota in quotas
    ]  # fmt: skip


def free_units(quota: Quota) -> int | None:
    """Return the number of units that are free; None without a limit, or if the limit or the use is unknown."""
    limit = _limit(quota)
    return None if limit is None or quota.used is None else max(0, limit - quota.used)


def is_exceeded(quota: Quota) -> bool | None:
    """Return whether a limit is exceeded: as the service states it, else by the use; None if that is unknown."""
    if quota.exceeded is not None or quota.unlimited:
        return bool(quota.exceeded)
    limit = _limit(quota)
    return None if limit is None or quota.used is None else quota.used > limit


def read_quotas(account: client.Account, tenant_id: str) -> list[Quota]:
    """Read the quotas of a tenant (operation 9), and its statistics (operation 17) if a use is missing.

    Args:
        account: the account, which remembers the answers.
        tenant_id: the tenant.

    Raises:
        CallError: The quotas cannot be read.
        CanceledError: The process is to end.
    """
    quotas = account.ask(client.calls.get_tenant_quotas(tenant_id)).quotas
    if any(quota.used is None and not quota.units for quota in quotas):
        try:
            return with_use(quotas, account.ask(client.calls.get_resource_stats(tenant_id)))
        except _WITHOUT_STATISTICS:
            pass
    return quotas


class NewProtections:
    """The items of a run that get their first policy, and that need a licence each; safe for several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._items: dict[str, set[str]] = {}
        self._counts: dict[str, dict[str, int]] = {}
        self._quotas: dict[tuple[client.Account, str], Sequence[Quota]] = {}

    def add(self, account: client.Account, tenant_id: str, kinds: Mapping[str, str]) -> str:
        """Add items, each only once, and compare all items of the run with the free licences of their tenant.

        Args:
            account: the account that reads the quotas, once for each tenant.
            tenant_id: the tenant.
            kinds: the kinds of the items, by id.

        Returns:
            The licences that are missing, as messages state them. It is empty if there are enough licences, if no quota
            clearly covers the items, or if the quotas cannot be read.

        Raises:
            CanceledError: The process is to end.
        """
        counts = self._count(tenant_id, kinds)
        quotas = self._quotas_of(account, tenant_id)
        covering = {kind: covering_quota(kind, quotas) for kind in counts}
        short: list[str] = []
        for quota in quotas:
            needed = sum(count for kind, count in counts.items() if covering[kind] is quota)
            free = free_units(quota)
            if free is not None and needed > free:
                short.append(
                    f"{needed:,} to protect, {free:,} licence{'' if free == 1 else 's'} free "
                    f'({quota.used:,} of {quota.limit:,} used) for the kind "{printable(quota.kind)}"'
                )
        if not short:
            return ""
        return (
            f"Too few licences in tenant {printable(tenant_id)}: {'; '.join(short)}. "
            "Add licences, or protect fewer items."
        )

    def _count(self, tenant_id: str, kinds: Mapping[str, str]) -> dict[str, int]:
        with self._lock:
            items, counts = self._items.setdefault(tenant_id, set()), self._counts.setdefault(tenant_id, {})
            for item_id, kind in kinds.items():
                if item_id not in items:
                    items.add(item_id)
                    counts[kind] = counts.get(kind, 0) + 1
            return dict(counts)

    def _quotas_of(self, account: client.Account, tenant_id: str) -> Sequence[Quota]:
        key = account, tenant_id
        if key not in self._quotas:
            try:
                self._quotas[key] = read_quotas(account, tenant_id)
            except errors.CallError:
                # The comparison is a courtesy: without quotas the preview goes on.
                self._quotas[key] = ()
        return self._quotas[key]


def _limit(quota: Quota) -> int | None:
    return None if quota.unlimited or quota.limit is None or quota.limit < 0 else quota.limit
