"""Faults of reads: pages that are wrong, and a record other than the requested one."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from pulumi_dataprotection.emulator._errors import EmulatorError, ServerFault
from pulumi_dataprotection.emulator.faults.pending import Turn
from pulumi_dataprotection.emulator.requests.parameters import Value
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.document import patch_content
from pulumi_dataprotection.emulator.store.store import Store
from pulumi_dataprotection.spec import Operation

# An alias of the token behind the "~"; the first page has nothing there.
_ALIAS = re.compile(r"again-(\d{1,9})~(.*)", re.DOTALL | re.ASCII)
_FIRST_PAGE = "again-1~"

_PAGING = {"limit", "page_token"}


def resolve_token(query: Mapping[str, Value]) -> Mapping[str, Value]:
    """Replace a page token that a fault made by the service's own page token."""
    token = query.get("page_token")
    alias = _ALIAS.fullmatch(token) if isinstance(token, str) else None
    if alias is None:
        return query
    rest = {name: value for name, value in query.items() if name != "page_token"}
    return {**rest, "page_token": alias[2]} if alias[2] else rest


def distort(
    turn: Turn | None, request: Request, token: object, payload: Payload, list_page: Callable[[Request], Payload]
) -> Payload:
    """Apply a fault of listings to a page; if the page has nothing to harm, the fault stays.

    Args:
        turn: the fault, if any.
        request: the request for the page.
        token: the page token as it came, if one did.
        payload: the page.
        list_page: the handler, for what came before the page.

    Raises:
        ServerFault: The fault is a page token that expired.
    """
    if turn is None or turn.used or not turn.fault.of_listings:
        return payload
    items, following = payload["items"], payload["next_page_token"]
    match turn.fault.name:
        case "repeat_token":
            following = token or _FIRST_PAGE
        case "token_cycle":
            following = _FIRST_PAGE
        case "empty_page":
            items, following = [], _other_token(request, token)
        case "short_list":
            items, following = items[: turn.fault.argument], ""
        case "no_items":
            turn.use()
            return {}
        case "expired_token" if token is not None:
            turn.use()
            raise ServerFault(turn.fault.argument)
        case "doubled_item" if doubled := _item_before(request, items, list_page) or items[:1]:
            items = [*doubled, *items]
        case _:
            return payload
    turn.use()
    return {**payload, "items": items, "next_page_token": following}


def without_filters(turn: Turn | None, request: Request) -> Request:
    """Return the request for the whole list, if the fault is `unfiltered`; a request without filters stays."""
    if turn is None or turn.fault.name != "unfiltered" or not request.query.keys() - _PAGING:
        return request
    turn.use()
    return replace(request, query={name: value for name, value in request.query.items() if name in _PAGING})


def shrink(turn: Turn | None, request: Request, payload: Payload, store: Store) -> bool:
    """Delete the row behind a page's first item, if the fault is `shrink`; return whether it is."""
    if turn is None or turn.fault.name != "shrink" or not payload["items"]:
        return False
    table, item = request.operation.id.removeprefix("list_"), payload["items"][0]
    identity = {**request.path, "id": item["id"]} if "id" in item else _installation(request, item, store)
    # Somebody else may have deleted the record in the meantime.
    with suppress(EmulatorError), store.transaction(write=True):
        patch_content(store, {table: [{**identity, "deleted": True}]}, request.now)
    turn.use()
    return True


def other_path(turn: Turn | None, operation: Operation, path: Mapping[str, str], store: Store) -> Mapping[str, str]:
    """Return the path of another record of the same kind, if the fault is `other_record`.

    Without another record, the path and the fault stay.
    """
    if turn is None or not turn.fault.of_records:
        return path
    table, name = operation.path.split("/")[-2], operation.path_parameters[-1]
    near = "AND tenant_id = :tenant_id" if "tenant_id" in path else ""
    statement = f"SELECT id FROM {table} WHERE id != :asked_for {near} ORDER BY id"  # noqa: S608 - ours
    row = store.one(statement, {**path, "asked_for": path[name]})
    if row is None:
        return path
    turn.use()
    return {**path, name: row["id"]}


def _other_token(request: Request, token: object) -> str:
    """Make another token than the given token for the start of a request's page."""
    alias = _ALIAS.fullmatch(token) if isinstance(token, str) else None
    number = 1 if alias is None else int(alias[1]) + 1
    return f"again-{number}~{request.text('page_token') or ''}"


def _item_before(request: Request, items: list[Payload], list_page: Callable[[Request], Payload]) -> list[Payload]:
    """List again up to the first item of a page, and return the item before it, if any."""
    last: list[Payload] = []
    query = dict(request.query)
    more = query.pop("page_token", None) is not None
    while more:
        page = list_page(replace(request, query=query))
        for item in page["items"]:
            if item in items[:1]:
                return last
            last = [item]
        query["page_token"] = page["next_page_token"]
        more = page["next_page_token"] != ""
    return last


# An installation is the only record that is listed without its id.
def _installation(request: Request, item: Payload, store: Store) -> Payload:
    statement = "SELECT id FROM installations WHERE key_name = ? AND org_id IS ? AND tenant_id IS ?"
    row = store.one(statement, (request.key.name, item["org_id"] or None, item["tenant_id"] or None))
    return {"id": row["id"] if row else ""}
