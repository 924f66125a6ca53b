"""Runs of programs in one process: each run reads the service again, and closes its connections at its end."""

import gc
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from socket import create_server, socket
from threading import Thread
from typing import Any, cast

import grpc
import pulumi
import pytest
from pulumi.runtime import settings
from pulumi.runtime.proto import engine_pb2_grpc

from pulumi_dataprotection import get_installations, get_org
from pulumi_dataprotection.core.handover import read_handover
from pulumi_dataprotection.functions._data_source import open_program_account
from support import HANG, Emulator
from support.functions.program import Program, use_service
from support.resources.servicer import Engine


class Run(pulumi.Resource):
    """The stack of a run without an engine."""

    def __init__(self) -> None:
        """Register nothing."""


ReadInstallation = Callable[[Callable[[], None]], socket]
"""Runs a program that does something and reads an installation; returns the service's end of the connection."""


def begin(root: Run, engine: str = "") -> None:
    """Become a run of this stack, with the engine at this address, if there is one."""
    pulumi.runtime.settings.set_root_resource(root)
    if engine:
        cast("Any", settings.SETTINGS).engine = engine_pb2_grpc.EngineStub(grpc.insecure_channel(engine))


def name_in_a_run() -> str | None:
    """Read an organization twice in a run, and return its name."""
    begin(Run())
    first, second = get_org("org-contoso"), get_org("org-contoso")
    assert first is second
    return first.name


def test_a_run_does_not_use_the_cache_of_another_run(shop: Program, emulator: Emulator) -> None:
    before = shop.run(name_in_a_run)
    emulator.patch({"orgs": [{"id": "org-contoso", "name": "Renamed"}]})
    assert ("Contoso", "Renamed") == (before, shop.run(name_in_a_run))
    assert 2 == len(emulator.requests())


def test_a_run_does_not_use_the_cache_outside_of_runs(shop: Program, emulator: Emulator) -> None:
    shop.run(lambda: get_org("org-contoso"))
    emulator.patch({"orgs": [{"id": "org-contoso", "name": "Renamed"}]})
    assert "Renamed" == shop.run(name_in_a_run)
    assert "Contoso" == shop.run(lambda: get_org("org-contoso").name)


@pytest.fixture
def read_installation(program: Program, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReadInstallation]:
    """A service with one installation, for one connection."""
    body = json.dumps({"items": [{"tenant_id": "t-1"}]}).encode()
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    connections: list[socket] = []

    def serve() -> None:
        connection, _ = service.accept()
        connections.append(connection)
        while not connection.recv(65536).endswith(b"\r\n\r\n"):
            pass
        connection.sendall(answer)
        connection.settimeout(HANG)

    def read(first: Callable[[], None]) -> socket:
        thread = Thread(target=serve)
        thread.start()

        def body_of_a_run() -> int:
            first()
            return len(get_installations().items)

        assert 1 == program.run(body_of_a_run)
        thread.join(timeout=HANG)
        return connections[0]

    with closing(create_server(("127.0.0.1", 0))) as service:
        use_service(monkeypatch, f"http://127.0.0.1:{service.getsockname()[1]}")
        yield read
        for connection in connections:
            connection.close()


def test_the_connections_of_a_run_are_closed_at_its_end(read_installation: ReadInstallation) -> None:
    connection = read_installation(lambda: begin(Run()))
    gc.collect()
    assert b"" == connection.recv(1)


def test_the_connections_of_a_run_are_closed_with_its_engine(read_installation: ReadInstallation) -> None:
    engine, kept = Engine(), Run()
    connection = read_installation(lambda: begin(kept, engine.address))
    engine.close()
    assert b"" == connection.recv(1)


def test_a_run_with_an_engine_hands_over_its_service(shop: Program) -> None:
    address = "127.0.0.1:9"

    def contradictions() -> list[bool]:
        begin(Run(), address)
        get_org("org-contoso")
        found, ours = read_handover(address), open_program_account(None).client.settings
        assert found
        return [found.contradicts(None, service) for service in (ours, replace(ours, api_key="another"))]

    assert [False, True] == shop.run(contradictions)
