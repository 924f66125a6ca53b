"""The tenant `t-1` of a service that answers each path as a script says."""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

from pulumi_dataprotection.client import TenantCache
from support.resources.scripted import ScriptedServer, reply
from support.scripted import Reply, Scripted

TENANT = "GET /api/v1/tenants/t-1"
RESOURCES = f"{TENANT}/resources"
PROTECTIONS = f"{TENANT}/protections"
STATISTICS = f"{RESOURCES}/statistics/summary"

EMPTY_OBJECT = reply(200, {})
GONE = reply(404, {"message": "no such resource"})
FOUND_TENANT = reply(200, {"id": "t-1"})

Script = Mapping[str, Sequence[Reply]]
Serve = Callable[[Script], tuple[TenantCache, ScriptedServer]]


def item(number: int) -> dict[str, object]:
    """Return an item of the tenant."""
    return {"id": f"r-{number}", "name": f"user{number}@contoso.example"}


def protection(number: int) -> dict[str, object]:
    """Return the protection of an item."""
    return {"id": f"p-{number}", "resource_id": f"r-{number}", "policy_id": "gold", "job_id": f"j-{number}"}


def single(number: int) -> str:
    """Return the request that reads one item by its id."""
    return f"{RESOURCES}/r-{number}"


def last_parts(server: Scripted) -> list[str]:
    """Return the last part of the path of each request."""
    return [urlsplit(request.target).path.rpartition("/")[2] for request in server.requests]
