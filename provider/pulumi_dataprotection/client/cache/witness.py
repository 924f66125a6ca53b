"""The witness of a tenant's listings: the tenant itself, and the service's own counts."""

from collections.abc import Callable
from http import HTTPStatus

from pulumi_dataprotection.client import calls
from pulumi_dataprotection.client._call import Call
from pulumi_dataprotection.client._client import Client
from pulumi_dataprotection.client.cache.single_flight import CachedValue
from pulumi_dataprotection.client.errors import NotFoundError, StatusError
from pulumi_dataprotection.client.records import ResourceStats, ResourceStatsTotalEntry

__all__ = ["Witness"]

_WITHOUT_COUNTS = {
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.NOT_IMPLEMENTED,
}
"""The statuses of a service that has no counts, or none for this key."""


class Witness:
    """Whether a tenant exists (operation 8), and how many items it has and protects (operation 17); read once.

    The counts may lag behind the listings, so that only a large difference is a contradiction.

    Args:
        client: sends calls.
        tenant_id: the tenant.
        ask: returns the cached counts.
    """

    def __init__(self, client: Client, tenant_id: str, ask: Callable[[Call[ResourceStats]], ResourceStats]) -> None:
        self._client = client
        self._tenant_id = tenant_id
        self._tenant = CachedValue(lambda: client.send(calls.get_tenant(tenant_id)))
        self._totals = CachedValue(lambda: self._read(ask))

    def require_tenant(self) -> None:
        """Require that the tenant exists: only then does an absence from its lists prove anything.

        Raises:
            CallError: It does not exist, or cannot be reached.
        """
        self._tenant.get()

    def tenant_exists(self) -> bool:
        """Return whether the tenant exists; a service may keep the record of a tenant that was deleted.

        Raises:
            CallError: The tenant cannot be read.
        """
        try:
            return not self._tenant.get().deleted
        except NotFoundError:
            return False

    def items(self) -> int | None:
        """Return the number of items; None if the service does not state it."""
        totals = self._totals.get()
        return sum(total.count for total in totals) if totals else None

    def protected_items(self) -> int | None:
        """Return the number of protected items; None if the service does not state it."""
        totals = self._totals.get()
        return sum(total.protected_count for total in totals) if totals else None

    def forget_counts(self) -> None:
        """Read the counts again on their next use."""
        self._totals = CachedValue(lambda: self._read(self._client.send))

    def _read(self, send: Callable[[Call[ResourceStats]], ResourceStats]) -> list[ResourceStatsTotalEntry]:
        try:
            statistics = send(calls.get_resource_stats(self._tenant_id))
        except StatusError as error:
            if error.status in _WITHOUT_COUNTS:
                return []
            raise
        return [tenant.resources_total for tenant in statistics.tenants if tenant.resources_total]
