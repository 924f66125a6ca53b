"""The delivery of an answer: as it is, late, in drops, cut off, or not at all."""

import asyncio
import os
import socket
import struct
from contextlib import suppress

from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pulumi_dataprotection.emulator.faults.fault import Fault

_EXTENSION = "dataprotection.connection"
_DROPS = 10

# To linger for no time is to end the connection with a reset, whatever is not sent yet.
_RESET = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)


class ConnectionProtocol(HttpToolsProtocol):
    """uvicorn's protocol; the application gets the connection, because some faults break it."""

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self.scope["extensions"] = {_EXTENSION: {"transport": self.transport}}


class Delivery:
    """The sender of answers, with the faults of connections."""

    def __init__(self) -> None:
        self._ended = False
        self._released = asyncio.Event()

    def release(self) -> None:
        """Send the answers that are held back now."""
        self._released.set()
        self._released = asyncio.Event()

    def end(self) -> None:
        """Close the connections whose answers are held back, now or later, without an answer."""
        self._ended = True
        self.release()

    async def send(self, response: Response, fault: Fault | None, scope: Scope, receive: Receive, send: Send) -> None:
        """Send an answer.

        Args:
            response: the answer.
            fault: what happens to it on its way.
            scope: the request's scope.
            receive: the request's channel.
            send: the answer's channel.
        """
        connection: asyncio.Transport = scope["extensions"][_EXTENSION]["transport"]
        match fault:
            case Fault(name="reset"):
                connection.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                connection.abort()
            case Fault(name="cut"):
                await _begin(response, send)
                await send(
                    {
                        "type": "http.response.body",
                        "body": bytes(response.body[: len(response.body) // 2]),
                        "more_body": True,
                    }
                )
                connection.close()
            case Fault(name="slow"):
                await self._drip(response, fault.argument, connection, send)
            case Fault(name="stall") if not await self._wait(fault.argument):
                connection.abort()
            case _:
                await response(scope, receive, send)
        if connection.is_closing():
            await _closed(receive)

    async def _drip(self, response: Response, seconds: float, connection: asyncio.Transport, send: Send) -> None:
        await _begin(response, send)
        size = -(-len(response.body) // _DROPS)
        drops = [bytes(response.body[start : start + size]) for start in range(0, len(response.body), size)]
        released = self._released
        for number, drop in enumerate(drops, start=1):
            if not released.is_set() and not await self._wait(seconds / len(drops)):
                connection.abort()
                return
            await send({"type": "http.response.body", "body": drop, "more_body": number < len(drops)})

    async def _wait(self, seconds: float) -> bool:
        """Wait, at most until the release; return whether the emulator goes on."""
        if not self._ended:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._released.wait()
        return not self._ended


async def _begin(response: Response, send: Send) -> None:
    await send({"type": "http.response.start", "status": response.status_code, "headers": response.raw_headers})


# Without having answered, the application must not return before uvicorn knows that the client is gone.
async def _closed(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
