"""The contents of one tenant, read with few calls."""

from collections.abc import Callable

from pulumi_dataprotection.client import calls
from pulumi_dataprotection.client._call import Call
from pulumi_dataprotection.client._client import Client
from pulumi_dataprotection.client.cache.items import Items
from pulumi_dataprotection.client.cache.listing import POINT_READS, LruBound
from pulumi_dataprotection.client.cache.protections import Protections
from pulumi_dataprotection.client.cache.references import Policies
from pulumi_dataprotection.client.cache.witness import Witness
from pulumi_dataprotection.client.records import Resource, ResourceStats

__all__ = ["TenantCache"]


class TenantCache:
    """The contents of one tenant, read with few calls and kept up to date with our writes.

    Attributes:
        client: sends calls.
        id: the tenant.
        require_installation: as `Account.require_installation`.
        items: the items that can be protected.
        policies: the policies.
        protections: the protections.
        witness: proves that the tenant exists, and counts its items.
        gone: the service's answer for a tenant that does not exist; empty if it exists, as far as we know.
    """

    def __init__(
        self,
        client: Client,
        id: str,
        bound: LruBound,
        require_installation: Callable[[], None],
        ask: Callable[[Call[ResourceStats]], ResourceStats],
    ) -> None:
        self.client = client
        self.id = id
        self.require_installation = require_installation
        self.gone = ""
        self.witness = Witness(client, id, ask)
        self.policies = Policies(id, lambda: client.send(calls.list_policies(id)))
        self.items = Items(client, id, bound, self.witness)
        self.protections = Protections(client, id, bound, self.witness)

    def expect_lookups(self, lookups: int) -> None:
        """Note the number of items that are about to be looked up, with their protections.

        If there are many, both lists are read side by side: each page of a distant service is a wait.
        """
        self.items.expect_lookups(lookups)
        self.protections.expect_lookups(lookups)
        if lookups > POINT_READS:
            self.protections.read_ahead()

    def complete_items(self) -> list[Resource]:
        """Return all items, and never a part of them; see `Items.complete`."""
        return self.items.complete(lambda: [protection.resource_id for protection in self.protections.all()])
