"""What a key can see, read at most once per process."""

import atexit
from threading import Lock
from typing import TypeVar, cast

from pulumi_dataprotection.client import calls
from pulumi_dataprotection.client._call import Call
from pulumi_dataprotection.client._client import Client
from pulumi_dataprotection.client.cache.listing import LruBound
from pulumi_dataprotection.client.cache.single_flight import CachedValue
from pulumi_dataprotection.client.cache.tenant import TenantCache
from pulumi_dataprotection.client.errors import DataProtectionError, NotFoundError, UnresolvedReferenceError
from pulumi_dataprotection.client.records import Installation, Org
from pulumi_dataprotection.client.settings import Settings

__all__ = ["Account", "close_accounts", "open_account"]

T = TypeVar("T")

MAX_RECORDS = 300_000
"""Resources and protections that a process keeps of all tenants together, each less than a kilobyte."""


class Account:
    """A client, and what was read with it: all threads of a process share one for each key.

    Args:
        client: sends calls.
        most_records: so many resources and protections are kept of all tenants together; what was used longest ago is
            read anew where it is needed again.

    Attributes:
        client: sends calls.
    """

    def __init__(self, client: Client, *, max_records: int = MAX_RECORDS) -> None:
        self.client = client
        self._bound = LruBound(max_records)
        self._lock = Lock()
        self._tenants: dict[str, TenantCache] = {}
        self._asked: dict[tuple[str, str], CachedValue[object]] = {}

    def tenant(self, id: str) -> TenantCache:
        """The view of one tenant; nothing is read yet."""
        with self._lock:
            if id not in self._tenants:
                self._tenants[id] = TenantCache(self.client, id, self._bound)
            return self._tenants[id]

    def ask(self, call: Call[T]) -> T:
        """The result of a call that reads, as it was when it was first asked for; all who ask share it.

        Args:
            call: the call; one with the same operation, path and query is the same.

        Raises:
            CallError: it failed; the next one who asks tries again.
            CanceledError: the process is to end.
        """
        key = (call.operation.id, call.target())
        with self._lock:
            asked = self._asked.setdefault(key, CachedValue(lambda: self.client.send(call)))
        return cast("T", asked.get())

    def installations(self) -> list[Installation]:
        """The installations of the application that the key identifies (operation 1).

        Raises:
            CallError: they cannot be read.
        """
        return self.ask(calls.list_installations())

    def children(self, org_id: str) -> list[Org]:
        """The organizations below one, as they were when they were first asked for (operation 4).

        Raises:
            CallError: they cannot be read.
        """
        return self.ask(calls.list_orgs(org_id))

    def org(self, id: str) -> Org | None:
        """An organization, read anew (operation 3).

        Returns:
            The organization; None where it is gone: not found even when no write can be hidden any more, by a
            service that answers otherwise.

        Raises:
            DataProtectionError: it cannot be read.
        """
        org = self._org_if_there(id)
        if org is None:
            self.require_installation()
            org = self.client.read_until(lambda: self._org_if_there(id), lambda found: found is not None)
        return org

    def _org_if_there(self, id: str) -> Org | None:
        try:
            return self.client.send(calls.get_org(id))
        except NotFoundError:
            return None

    def require_installation(self) -> None:
        """Make sure that it is the service that answers: only then does its 404 mean that something is gone.

        Raises:
            DataProtectionError: it is not, or it cannot be reached.
        """
        if not self.installations():
            raise DataProtectionError("the service lists no installation of this application: check the base URL")

    def home_org_id(self) -> str:
        """The organization that the key is installed for (operation 1).

        Raises:
            UnresolvedReferenceError: there is none, or there are several.
            CallError: the installations cannot be read.
        """
        ids = [installation.org_id for installation in self.installations() if installation.org_id]
        if len(ids) != 1:
            found = f"for {len(ids)} ({', '.join(ids)})" if ids else "for none"
            raise UnresolvedReferenceError(f"the key is installed {found} where one organization is needed: name it")
        return ids[0]


_accounts: dict[Settings, Account] = {}
_accounts_lock = Lock()


def open_account(settings: Settings) -> Account:
    """Return the estate of these settings, the same one to all who ask in this process."""
    with _accounts_lock:
        if settings not in _accounts:
            _accounts[settings] = Account(Client(settings))
        return _accounts[settings]


@atexit.register
def close_accounts() -> None:
    """Close the connections of all estates of this process, and forget what was read with them."""
    with _accounts_lock:
        for account in _accounts.values():
            account.client.close()
        _accounts.clear()
