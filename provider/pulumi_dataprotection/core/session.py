"""The process-wide state of a provider's process, or of a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Lock

from pulumi_dataprotection import client
from pulumi_dataprotection.core.registry import Registry, RunResource

__all__ = ["Context", "Session"]


class Session:
    """The accounts and registries that all resources, or all functions, of a process share.

    A thread that holds several locks takes them in this order: the lock of a program's objects, of the session, of the
    process's clock, of an account, of the proofs about a list, of a cached list or value, of the notes on its items, of
    the rate limit, and of its file. A thread that holds the lock of a registry or of the LRU bound takes no other lock.

    Args:
        engine: the address of the engine, in a provider's process.
        show: shows a text about a long wait to the user.

    Attributes:
        secrets: the secret texts of each resource by its URN, the longest text first.
    """

    def __init__(self, engine: str = "", show: Callable[[str], object] = lambda _text: None) -> None:
        self.secrets: dict[str, Sequence[str]] = {}
        self._show = show
        self._engine = engine
        self._lock = Lock()
        self._accounts: dict[client.Settings, client.Account] = {}
        self._registries: dict[client.Settings, Registry] = {}

    def account(self, settings: client.Settings) -> client.Account:
        """Return the account of these settings, the same one for all who ask."""
        with self._lock:
            if settings not in self._accounts:
                self._accounts[settings] = client.Account(client.Client(settings, show=self._show))
            return self._accounts[settings]

    def registry(self, settings: client.Settings) -> Registry:
        """Return the registry of all who use the same service, with whatever key."""
        any_key = replace(settings, api_key="any", key_source="any")
        with self._lock:
            return self._registries.setdefault(any_key, Registry(self._engine))

    def close(self) -> None:
        """Close the connections of all accounts, and forget what was read with them."""
        with self._lock:
            for account in self._accounts.values():
                account.client.close()
            self._accounts.clear()


@dataclass(frozen=True, slots=True)
class Context:
    """An operation on a resource: the account and the registry that it uses.

    Attributes:
        account: the account.
        registry: the registry.
        urn: the resource.
        resource: the registry's notes on the resource.
    """

    account: client.Account
    registry: Registry
    urn: str
    resource: RunResource
