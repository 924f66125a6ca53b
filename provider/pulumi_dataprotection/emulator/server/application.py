"""The ASGI application: the service and its control plane behind one address."""

from email.utils import format_datetime

from starlette.requests import Request as HTTPRequest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pulumi_dataprotection.emulator._service import Incoming, Service
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.faults.pending import Outgoing
from pulumi_dataprotection.emulator.requests.log import RequestLog
from pulumi_dataprotection.emulator.server.control import PREFIX, Control
from pulumi_dataprotection.emulator.server.delivery import Delivery
from pulumi_dataprotection.emulator.server.guard import check_sender
from pulumi_dataprotection.emulator.store.clock import Clock
from pulumi_dataprotection.emulator.store.store import Store


class Application:
    """The emulator of one database.

    Requests are answered on the event loop itself, so they never overlap: each sees all of the one before.

    Args:
        store: the database, seeded.
        dialect: how the service reads what the interface leaves open.
        host: the name or address to listen on, which clients may use.
    """

    def __init__(self, store: Store, dialect: Dialect, host: str) -> None:
        self._host = host.lower()
        self._clock, log = Clock(store), RequestLog()
        self._service = Service(store, self._clock, log, dialect)
        self._delivery = Delivery()
        self._control = Control(store, self._clock, log, self._service, self._delivery)

    def end(self) -> None:
        """Hold back no answer any longer."""
        self._delivery.end()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        http = HTTPRequest(scope, receive)
        incoming = Incoming(
            method=http.method,
            path=scope["raw_path"].decode("ascii"),
            query=scope["query_string"].decode("ascii"),
            # A header that comes twice is one with both values, which is neither of them.
            authorization=", ".join(http.headers.getlist("authorization")),
            content_type=", ".join(http.headers.getlist("content-type")),
            body=await http.body(),
        )
        if incoming.path.startswith(PREFIX):
            refusal = check_sender(http.headers, {self._host, scope["server"][0]}, incoming.body)
            outgoing = Outgoing(refusal or self._control.answer(incoming))
        else:
            outgoing = self._service.answer(incoming)
        answer = outgoing.answer
        response = Response(answer.body, answer.status, answer.headers, answer.content_type)
        response.headers.setdefault("Date", format_datetime(self._clock.now(), usegmt=True))
        await self._delivery.send(response, outgoing.fault, scope, receive, send)
