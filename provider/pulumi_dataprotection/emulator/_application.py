"""The ASGI application: the service and its control plane behind one address."""

from starlette.requests import Request as HTTPRequest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pulumi_dataprotection.emulator._clock import Clock
from pulumi_dataprotection.emulator._control import PREFIX, Control
from pulumi_dataprotection.emulator._dialect import Dialect
from pulumi_dataprotection.emulator._log import RequestLog
from pulumi_dataprotection.emulator._service import Incoming, Service
from pulumi_dataprotection.emulator._store import Store


class Application:
    """The emulator of one database.

    Requests are answered on the event loop itself, so they never overlap: each sees all of the one before.

    Args:
        store: the database, seeded.
        dialect: how the service reads what the interface leaves open.
    """

    def __init__(self, store: Store, dialect: Dialect) -> None:
        clock, log = Clock(store), RequestLog()
        self._service = Service(store, clock, log, dialect)
        self._control = Control(store, clock, log, self._service)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        http = HTTPRequest(scope, receive)
        incoming = Incoming(
            method=http.method,
            path=scope["raw_path"].decode("ascii"),
            query=scope["query_string"].decode("ascii"),
            authorization=http.headers.get("authorization", ""),
            content_type=http.headers.get("content-type", ""),
            body=await http.body(),
        )
        plane = self._control if incoming.path.startswith(PREFIX) else self._service
        answer = plane.answer(incoming)
        response = Response(answer.body, answer.status, answer.headers, answer.content_type)
        await response(scope, receive, send)
