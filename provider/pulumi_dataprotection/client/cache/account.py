"""The account of a key: what the key can see, read at most once per process."""

from contextlib import suppress
from threading import Lock
from typing import TypeVar, cast

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import calls
from pulumi_dataprotection.client._call import Call
from pulumi_dataprotection.client._client import Client
from pulumi_dataprotection.client.cache.listing import LruBound
from pulumi_dataprotection.client.cache.single_flight import CachedValue
from pulumi_dataprotection.client.cache.tenant import TenantCache
from pulumi_dataprotection.client.errors import (
    DataProtectionError,
    ForbiddenError,
    NotFoundError,
    UnresolvedReferenceError,
)
from pulumi_dataprotection.client.records import Installation, Org

__all__ = ["Account"]

T = TypeVar("T")

MAX_RECORDS = 300_000
"""Items and protections that are kept of all tenants together, each less than a kilobyte."""


class Account:
    """A client with a cache of its answers, which all threads of a process share.

    Args:
        client: sends calls.
        max_records: the number of items and protections that are kept of all tenants together. The list that was used
            least recently is dropped, and read again when it is needed.

    Attributes:
        client: sends calls.
    """

    def __init__(self, client: Client, *, max_records: int = MAX_RECORDS) -> None:
        self.client = client
        self._max_records = max_records
        self._bound = LruBound(max_records)
        self._lock = Lock()
        self._tenants: dict[str, TenantCache] = {}
        self._cached: dict[tuple[str, str], CachedValue[object]] = {}

    def tenant(self, id: str) -> TenantCache:
        """Return the cache of one tenant; nothing is read yet."""
        with self._lock:
            if id not in self._tenants:
                self._tenants[id] = TenantCache(self.client, id, self._bound, self.require_installation, self.ask)
            return self._tenants[id]

    def forget_tenants(self) -> None:
        """Forget the contents of all tenants: a walk over thousands of tenants needs the memory of a single tenant."""
        with self._lock:
            self._bound = LruBound(self._max_records)
            self._tenants.clear()
            self._cached = {key: cached for key, cached in self._cached.items() if "/tenants/" not in key[1]}

    def ask(self, call: Call[T]) -> T:
        """Return the cached result of a call that reads.

        Args:
            call: the call. A call with the same operation, path and query is the same.

        Raises:
            CallError: The call failed; the next caller sends it again.
            CanceledError: The process is to end.
        """
        key = (call.operation.id, call.target())
        with self._lock:
            cached = self._cached.setdefault(key, CachedValue(lambda: self.send(call)))
        return cast("T", cached.get())

    def send(self, call: Call[T]) -> T:
        """Send a call as the client does, and explain a refusal to a key that reaches no organization.

        Raises:
            UnresolvedReferenceError: The call needs an organization, and the key is installed for tenants only.
            CallError: The call failed.
            CanceledError: The process is to end.
        """
        try:
            return self.client.send(call)
        except (ForbiddenError, NotFoundError) as error:
            if call.operation.needs_org and (reason := self._why_no_organization()):
                raise UnresolvedReferenceError(f"cannot {call.operation.does}: {reason}") from error
            raise

    def installations(self) -> list[Installation]:
        """Return the installations of the application that the key identifies (operation 1), cached.

        Raises:
            CallError: They cannot be read.
        """
        return self.ask(calls.list_installations())

    def children(self, org_id: str) -> list[Org]:
        """Return the organizations below an organization (operation 4), cached.

        Raises:
            CallError: They cannot be read.
        """
        return self.ask(calls.list_orgs(org_id))

    def org(self, id: str) -> Org | None:
        """Read an organization (operation 3).

        Returns:
            The organization; None if it is gone. The proof is a second read after the lag of writes, by a service that
            lists an installation.

        Raises:
            DataProtectionError: It cannot be read.
        """
        org = self._org_if_there(id)
        if org is None:
            self.require_installation()
            for _ in self.client.reads_within_lag():
                if org := self._org_if_there(id):
                    break
        return org

    def _org_if_there(self, id: str) -> Org | None:
        try:
            return self.send(calls.get_org(id))
        except NotFoundError:
            return None

    def require_installation(self) -> None:
        """Require that the service lists an installation: only then does its 404 prove that something is gone.

        Raises:
            DataProtectionError: It does not, or it cannot be reached.
        """
        if not self.installations():
            raise DataProtectionError("the service lists no installation of this application: check the base URL")

    def home_org_id(self) -> str:
        """Return the organization that the key is installed for (operation 1).

        Raises:
            UnresolvedReferenceError: The key is installed for no organization, or for several.
            CallError: The installations cannot be read.
        """
        ids = [installation.org_id for installation in self.installations() if installation.org_id]
        if not ids and (reason := self._why_no_organization()):
            raise UnresolvedReferenceError(reason)
        if len(ids) != 1:
            found = f"for {len(ids)} ({', '.join(map(printable, ids))})" if ids else "for none"
            raise UnresolvedReferenceError(f"the key is installed {found} where one organization is needed: name it")
        return ids[0]

    def _why_no_organization(self) -> str:
        """Return why the key reaches no organization; empty if it may reach an organization."""
        with suppress(DataProtectionError):
            installations = self.installations()
            tenant_ids = [installation.tenant_id for installation in installations if installation.tenant_id]
            if tenant_ids and not any(installation.org_id for installation in installations):
                tenants = f"the tenant {tenant_ids[0]}" if len(tenant_ids) == 1 else f"{len(tenant_ids)} tenants"
                return (
                    f"the API key from {self.client.settings.key_source} is installed for {tenants} only, and this "
                    "needs an organization: use a key that is installed for the organization"
                )
        return ""
