"""The guard of the control plane: web pages of other sites must not drive an emulator of this machine."""

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from pulumi_dataprotection.emulator.answers.answer import JSON, Answer, json_answer

__all__ = ["check_sender"]


def check_sender(headers: Headers, addresses: Collection[str], body: bytes) -> Answer | None:
    """Check who sends a request of the control plane.

    A page of another site cannot forge these headers: DNS rebinding leaves its own name in Host, and a browser puts it
    into the Origin of whatever writes. A form cannot send JSON.

    Args:
        headers: the request's headers.
        addresses: the names and addresses that the emulator listens on.
        body: the request's body.

    Returns:
        The refusal, if the request is refused.
    """
    (host, origin, content_type) = (", ".join(headers.getlist(name)) for name in ("host", "origin", "content-type"))
    for header, value, url in (("Host", host, f"//{host}"), ("Origin", origin, origin)):
        if (value or header == "Host") and not _is_own(url, addresses):
            own = ", ".join(sorted({"localhost", "127.0.0.1", *addresses}))
            return json_answer(403, {"message": f'the control plane refuses the {header} "{value}"; it takes {own}'})
    if (content_type or body) and content_type.partition(";")[0].strip().lower() != JSON:
        message = f'the control plane takes {JSON} only, not "{content_type}": use curl --json'
        return json_answer(415, {"message": message})
    return None


def _is_own(url: str, addresses: Collection[str]) -> bool:
    try:
        name = urlsplit(url).hostname or ""
        return name == "localhost" or name in addresses or ip_address(name).is_loopback
    except ValueError:
        return False
