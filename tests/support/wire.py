"""Requests of the service as they go over the wire."""

from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from itertools import pairwise
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from pulumi_dataprotection.spec import OPERATIONS, Operation
from support import HANG, Emulator

# An existing id of the demo content for each part of a path.
_EXISTING = {
    "orgs": "org-contoso",
    "tenants": "tenant-contoso",
    "archives": "archive-contoso-01",
    "jobs": "job-contoso-01",
    "resources": "res-contoso-user-01",
    "tasks": "task-contoso-waiting",
}

ADDED = {
    "tasks": [
        {
            "tenant_id": "tenant-contoso",
            "id": "task-contoso-waiting",
            "job_id": "job-contoso-01",
            "resource_id": "res-contoso-user-01",
            "created_at": "2999-01-31T12:00:00Z",
        }
    ]
}
"""The additions to the demo content: a task that time does not start, because some operations need such a task."""


def existing_ids(operation: Operation) -> dict[str, str]:
    """Return an existing id for each parameter of a path."""
    parts = operation.path.split("/")
    return {part[1:-1]: _EXISTING[before] for before, part in pairwise(parts) if part.startswith("{")}


def existing_path(operation: Operation, **changed: str) -> str:
    """Fill a path with existing ids, except for the given ones."""
    encoded = {name: quote(id, safe="") for name, id in {**existing_ids(operation), **changed}.items()}
    return operation.path.format(**encoded).removeprefix("/api/v1/")


LISTINGS = {
    operation.id: existing_path(operation, **({"org_id": "org-alpine"} if operation.path.endswith("/orgs") else {}))
    for operation in OPERATIONS
    if operation.answers == "page"
}
"""The path of a list with items, by operation."""


def required(operation: Operation) -> dict[str, str]:
    """Return a value of the right type for each required query parameter."""
    now = datetime.now(UTC)
    start, end = (now - timedelta(days=2)).isoformat(), now.isoformat()
    given = {"policy_id": "policy-contoso-silver", "reason": "left", "start_time": start, "end_time": end}
    return {query.name: given[query.name] for query in operation.query if query.required}


def call(client: httpx.Client, operation: Operation, **changed: str) -> httpx.Response:
    """Send an operation as the interface describes it, with existing ids, except for the given path and query."""
    path = {name: id for name, id in changed.items() if name in operation.path_parameters}
    query = {name: value for name, value in changed.items() if name not in path}
    return client.request(
        operation.method,
        existing_path(operation, **path),
        params={**required(operation), **query},
        json={} if operation.body else None,
    )


def pages(client: httpx.Client, listing: str, **parameters: int) -> list[list[dict[str, Any]]]:
    """Return the items of each page of a list."""
    url = httpx.URL(listing)
    found: list[list[dict[str, Any]]] = []
    token: str | None = ""
    while token or not found:
        page = client.get(url.copy_merge_params({**parameters, "page_token": token})).raise_for_status().json()
        found.append(page["items"])
        token = page["next_page_token"]
    return found


def message(response: httpx.Response, status: int = 400) -> str:
    """Return the message of a refusal."""
    assert status == response.status_code
    text: str = response.json()["message"]
    return text


def send(
    emulator: Emulator,
    method: str,
    target: str,
    body: bytes | Iterable[bytes] = b"",
    *,
    skip_host: bool = False,
    **headers: str | list[str],
) -> tuple[int, str]:
    """Send a request unchanged, without the corrections of an HTTP library; return the status and the body.

    Args:
        emulator: the emulator.
        method: the method.
        target: path and query, unchanged.
        body: the body, or its chunks.
        skip_host: whether to send only the Host that is among the headers.
        headers: the headers, written with underscores; a list is sent as a header per value.
    """
    address = urlsplit(emulator.url)
    with closing(HTTPConnection(address.hostname or "", address.port, timeout=HANG)) as connection:
        connection.putrequest(method, target, skip_host=skip_host, skip_accept_encoding=True)
        for name, values in headers.items():
            for value in [values] if isinstance(values, str) else values:
                connection.putheader(name.replace("_", "-"), value)
        if body and isinstance(body, bytes):
            connection.putheader("Content-Length", str(len(body)))
        elif body:
            connection.putheader("Transfer-Encoding", "chunked")
        connection.endheaders(body or None, encode_chunked=not isinstance(body, bytes))
        response = connection.getresponse()
        return response.status, response.read().decode()
