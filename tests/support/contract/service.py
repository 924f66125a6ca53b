"""The services that promises are tested on: the emulator in each dialect, and a real one."""

import dataclasses
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, TypeVar, cast

from pulumi_dataprotection.client import Account, Call, Client, Clock, Settings, calls
from pulumi_dataprotection.client.records import Protection
from pulumi_dataprotection.testing._control import send
from support import Emulator
from support.contract.account import note_called
from support.contract.content import additions
from support.contract.matrix import DIALECTS, NUMBERS, Variant
from support.contract.scene import Scene, find_scene
from support.scripted import DrivenClock

__all__ = ["SMALL", "Content", "EmulatedService", "Pool", "Service", "Stage"]

T = TypeVar("T")

Content = dict[str, list[dict[str, Any]]]

SMALL = 2
"""Items in a page of a list with several pages; every dialect grants this limit."""


class _NotingClient(Client):
    """A client that notes the operations that it sends."""

    def __init__(self, settings: Settings, clock: Clock, note: Callable[[str], None]) -> None:
        super().__init__(settings, clock=clock)
        self._note = note

    def send(self, call: Call[T]) -> T:
        self._note(call.operation.id)
        return super().send(call)


class Pool:
    """The connections of all services of a run: to open one takes longer than twenty calls."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._clients: dict[tuple[str, Settings], Client] = {}
        self._user = ""

    def client(self, user: str, settings: Settings) -> Client:
        """Return the client of a service, named by who uses it, with these settings."""
        self._user = user
        # A client remembers of a service that it refuses large pages, and of small ones there is nothing to remember.
        key = (user if settings.page_size > min(NUMBERS["largest_limit"]) else "", settings)
        if key not in self._clients:
            self._clients[key] = _NotingClient(settings, self.clock, self._called)
        return self._clients[key]

    def _called(self, operation_id: str) -> None:
        note_called(self._user, operation_id)

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients.values():
            client.close()


class Service:
    """A service, and how it is called.

    Args:
        name: the dialect's name, or "real".
        pool: its connections.
        settings: how it is reached.
        tenant_id: the tenant to look at; any by default.
        task_id: a task in it, if one is known.

    Attributes:
        name: the same.
        pool: the same.
        settings: the same.
        variants: the variants of its dialect; none are known of a real one.
    """

    variants: Mapping[str, Variant] = {}

    def __init__(
        self, name: str, pool: Pool, settings: Settings, *, tenant_id: str | None = None, task_id: str | None = None
    ) -> None:
        self.name = name
        self.pool = pool
        self.settings = settings
        self._look_around = partial(find_scene, self.read, tenant_id=tenant_id, task_id=task_id)
        self._results: dict[tuple[str, int], object] = {}

    @cached_property
    def scene(self) -> Scene:
        """The objects of the service before any change."""
        return self._look_around()

    def wait_out_lag(self) -> None:
        """Wait until reads show all writes, if the lag is known."""

    def client(self, **settings: Any) -> Client:  # noqa: ANN401 - as those of `Settings`
        """Return a client, which may have some settings of its own."""
        return self.pool.client(self.name, dataclasses.replace(self.settings, **settings))

    def account(self) -> Account:
        """Return what a process begins with: a client that has read nothing yet."""
        return Account(self.client())

    def send(self, call: Call[T]) -> T:
        """Send a call."""
        return self.client().send(call)

    def read(self, call: Call[T], *, page_size: int = 500) -> T:
        """Return what a call brings as long as nobody changes anything; so it is sent once."""
        key = (call.operation.method + call.target(), page_size)
        if key not in self._results:
            self._results[key] = self.client(page_size=page_size).send(call)
        return cast("T", self._results[key])

    def eventually(self, call: Call[T], done: Callable[[T], bool]) -> T:
        """Read until a write shows, or until reads cannot be behind it any more."""
        results: list[T] = []
        for _ in self.client().reads_within_lag():
            results.append(self.send(call))
            if done(results[-1]):
                break
        return results[-1]

    def policies_on(self, resource_id: str, expected: list[str]) -> list[str]:
        """Return the policies on a resource, once reads cannot be behind a write that led to those expected."""

        def ids(protections: list[Protection]) -> list[str]:
            return sorted(protection.policy_id for protection in protections)

        self.wait_out_lag()
        call = calls.list_protections(self.scene.tenant_id, resource_id=resource_id)
        return ids(self.eventually(call, lambda found: ids(found) == sorted(expected)))


class EmulatedService(Service):
    """The emulator as it speaks one dialect.

    Args:
        name: the dialect's name.
        pool: its connections.
        emulator: the emulator.
        task_id: a task in it.

    Attributes:
        emulator: the emulator.
    """

    def __init__(self, name: str, pool: Pool, emulator: Emulator, task_id: str) -> None:
        super().__init__(name, pool, Settings(emulator.api_key, emulator.url, calls_per_second=0), task_id=task_id)
        self.variants = DIALECTS[name]
        self.emulator = emulator

    def wait_out_lag(self) -> None:
        """Move the emulator's clock on by its lag."""
        if lag := self.variants["read_lag"]:
            self.pool.clock.sleep(float(lag))


class _Clock(DrivenClock):
    """A client's clock; while it waits, the time of the emulator goes on."""

    def __init__(self, emulator: Emulator) -> None:
        super().__init__()
        self._emulator = emulator

    def sleep(self, seconds: float, /) -> None:
        super().sleep(seconds)
        self._emulator.advance(seconds)


class Stage:
    """An emulator that speaks one dialect after the other about the same content.

    Attributes:
        content: what it holds before anybody changes anything.
        changed: whether somebody may have changed it; set by whoever is about to.
    """

    def __init__(self, emulator: Emulator) -> None:
        self.changed = True
        self._emulator = emulator
        self._pool = Pool(_Clock(emulator))
        self._services: dict[str, Service] = {}
        self._shown: Service | None = None
        emulator.reset()
        emulator.patch(additions(emulator.now()))
        self.content: Content = emulator.state()
        emulator.reset(self.content)

    def show(self, name: str) -> Service:
        """Return the emulator as it speaks a dialect, about the content as it was."""
        if name not in self._services:
            self._services[name] = EmulatedService(name, self._pool, self._emulator, self.content["tasks"][0]["id"])
        service = self._services[name]
        if self.changed:
            send(self._emulator.url, "POST", "reset")
        if self.changed or service is not self._shown:
            self._emulator.set_dialect(**cast("dict[str, Any]", service.variants))
        self.changed, self._shown = False, service
        return service

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()
