"""The emulator as an HTTP server."""

import contextlib
import errno
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from types import FrameType

import uvicorn

from pulumi_dataprotection.emulator._errors import EmulatorError
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.dialect.presets import parse_dialect
from pulumi_dataprotection.emulator.seeds import parse_seed
from pulumi_dataprotection.emulator.seeds.content import open_store
from pulumi_dataprotection.emulator.server.application import Application
from pulumi_dataprotection.emulator.server.delivery import ConnectionProtocol
from pulumi_dataprotection.emulator.store.store import Store

_BACKLOG = 2048


class Server(uvicorn.Server):
    """An HTTP server of one emulator.

    Args:
        store: the database, seeded.
        host: the address to listen on.
        port: the port; 0 for any that is free.
        on_ready: called once requests are answered.
        dialect: how the service reads what the interface leaves open.

    Raises:
        EmulatorError: The address cannot be listened on.
    """

    def __init__(
        self, store: Store, host: str, port: int, on_ready: Callable[[], None], dialect: Dialect | None = None
    ) -> None:
        self._application = Application(store, dialect or Dialect(), host)
        super().__init__(
            uvicorn.Config(
                self._application,
                loop="asyncio",
                http=ConnectionProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                date_header=False,  # the answers carry the time of the emulator's clock
            )
        )
        self._listener = _listen(host, port)
        self._on_ready = on_ready

    @property
    def url(self) -> str:
        """The address that clients use."""
        host, port = self._listener.getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer requests until a signal comes, or `should_exit` is set."""
        with self._listener:
            super().run([self._listener, *(sockets or [])])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then call `on_ready`."""
        await super().startup(sockets)
        self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End after the answers that have begun."""
        self._application.end()
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
    """Open the listening socket.

    Raises:
        EmulatorError: The address is in use, or it is not this machine's.
    """
    try:
        # asyncio sends small answers immediately only if the socket's protocol is TCP.
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise EmulatorError(f"cannot listen on {host}: {error.strerror}") from None
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        hint = "; port 0 takes any free one" if error.errno == errno.EADDRINUSE else ""
        raise EmulatorError(f"cannot listen on {host}:{port}: {error.strerror}{hint}") from None
    return listener


def serve(*, host: str, port: int, database: str, seed: str, dialect: str = "published") -> None:
    """Serve an emulator until SIGTERM or SIGINT, and print its address as one line of JSON.

    Args:
        host: the address to listen on.
        port: the port; 0 for any that is free.
        database: the database file, or ":memory:".
        seed: the seed of a new database: a seed's name or a document's file.
        dialect: a preset's name or a file of variants.

    Raises:
        EmulatorError: The address, the database, the seed or the dialect cannot be used.
    """
    chosen = parse_dialect(dialect)
    store = open_store(database, parse_seed(seed), datetime.now(UTC))
    with contextlib.closing(store):
        server = Server(store, host, port, lambda: _announce(server.url, store), chosen)
        logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s")
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _end)
        server.run()


def _announce(url: str, store: Store) -> None:
    keys: dict[bool, str] = {}
    for key in store.all("SELECT key, permissions FROM keys ORDER BY rowid"):
        keys.setdefault("write" in json.loads(key["permissions"]), key["key"])
    line = {"url": url, "api_key": keys.get(True), "read_only_key": keys.get(False), "pid": os.getpid()}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


# uvicorn raises the signal once more after its orderly end; dying of it would look like a failure.
def _end(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)
