"""A service that answers each path as a test wrote it down."""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

from pulumi_dataprotection.client import Account
from support.scripted import LOST, Reply, Request, Scripted, told

__all__ = ["LOST", "NOT_FOUND", "NOT_THE_SERVICE", "Reply", "Script", "ScriptedServer", "Serve", "reply"]

Script = Mapping[str, Sequence[Reply]]
"""The replies for each "METHOD /path"."""


def reply(status: int = 200, body: object = None) -> Reply:
    """Answer with text as a page of HTML, and with anything else as JSON."""
    if isinstance(body, str):
        return Reply(status, (body.encode(),), {"Content-Type": "text/html"})
    return told({} if body is None else body, status)


NOT_FOUND = reply(404, "<h1>404 page not found</h1>")

NOT_THE_SERVICE = {
    "404 page": NOT_FOUND,
    "404 JSON": reply(404, {"message": "no route"}),
    "empty object": reply(200, {}),
    "page": reply(200, "<h1>Welcome</h1>"),
    "no permission": reply(403),
    "no key": reply(401),
}
"""Answers of something that is not the service."""


class ScriptedServer(Scripted):
    """Gives prepared answers by path.

    Args:
        script: for "METHOD /path" the replies, in order; the last one is given again and again.
        otherwise: the reply to all other requests.
    """

    def __init__(self, script: Script | None = None, otherwise: Reply = NOT_FOUND) -> None:
        self._by_path = {key: list(replies) for key, replies in (script or {}).items()}
        self._otherwise = otherwise
        super().__init__()

    @property
    def writes(self) -> list[str]:
        """The method and target of each request that is not a read."""
        return [f"{request.method} {request.target}" for request in self.requests if request.method != "GET"]

    def take(self, request: Request) -> Reply:
        """Note a request, and choose its answer by its path."""
        with self._lock:
            self.requests.append(request)
            replies = self._by_path.get(f"{request.method} {urlsplit(request.target).path}", [self._otherwise])
            return replies.pop(0) if len(replies) > 1 else replies[0]


Serve = Callable[[Script], tuple[ScriptedServer, Account]]
"""Starts a service that answers by a script, and opens its account."""
