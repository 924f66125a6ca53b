"""Pages of a listing: the items, their order, and the start of the next page."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Collection, Sequence
from hashlib import blake2b
from typing import Any

from pulumi_dataprotection.emulator._errors import InvalidArgument
from pulumi_dataprotection.emulator.answers.records import RECORDS
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Row, Store

# Where a page goes on: after the item with these values, or after this one number of items. Empty: at the start.
_Place = list[Any]

_DIGEST_SIZE = 8


def view_of(record: str) -> Callable[[Row], Payload]:
    """Return the view of rows whose columns are the fields of a record of the interface."""
    types = RECORDS[record]
    return lambda row: {name: bool(row[name]) if type == "boolean" else row[name] for name, type in types.items()}


def page(
    request: Request,
    store: Store,
    statement: str,
    view: Callable[[Row], Payload],
    *,
    order: Sequence[str] = ("id",),
    newest_first: bool = False,
    default_limit: int | None = None,
    **parameters: object,
) -> Payload:
    """Answer one page of a listing.

    Args:
        request: the request, with its limit and token.
        store: the database.
        statement: the query for all items.
        view: from a row to an item.
        order: the columns to order by: texts, and together unique in the listing.
        newest_first: whether the largest comes first.
        default_limit: the limit that the interface names for this listing (section 8); else the dialect has it.
        parameters: the statement's parameters besides those of the path.

    Raises:
        InvalidArgument: The limit or the token is invalid.
    """
    dialect, limit, token = request.dialect, _limit(request, default_limit), request.text("page_token")
    if dialect.page_fill == "short":
        if token is None:
            return {"items": [], "next_page_token": _token(request, [])}
        limit = (limit + 1) // 2
    place = [] if token is None else _place(request, token)
    skipped, last = (sum(place), []) if dialect.page_tokens == "offset" else (0, place)
    after = {f"after_{column}": value for column, value in zip(order, last, strict=False)}
    descending = newest_first != (dialect.page_order == "descending")
    rows = store.all(
        _query(statement, order, after, descending=descending),
        {**request.path, **parameters, **after, "limit": limit + 1, "skipped": skipped},
    )
    items, following = rows[:limit], ""
    if len(rows) > limit:
        next_place = [skipped + limit] if dialect.page_tokens == "offset" else [items[-1][column] for column in order]
        following = _token(request, next_place)
    return {"items": [view(row) for row in items], "next_page_token": following}


def _limit(request: Request, default: int | None) -> int:
    dialect, asked = request.dialect, request.query.get("limit")
    if not isinstance(asked, int):
        return default or dialect.default_limit
    if asked < 1:
        raise InvalidArgument('the query parameter "limit" must be at least 1')
    if asked > dialect.largest_limit and dialect.larger_limit == "invalid_argument":
        raise InvalidArgument(f'the query parameter "limit" must be at most {dialect.largest_limit}')
    return min(asked, dialect.largest_limit)


# Only our own names go into the text. SQLite looks through the subquery, so that it uses an index.
def _query(statement: str, order: Sequence[str], after: Collection[str], *, descending: bool) -> str:
    direction, beyond = ("DESC", "<") if descending else ("ASC", ">")
    rest = f"WHERE ({', '.join(order)}) {beyond} ({', '.join(f':{name}' for name in after)})" if after else ""
    ordered = ", ".join(f"{column} {direction}" for column in order)
    return f"SELECT * FROM ({statement}) {rest} ORDER BY {ordered} LIMIT :limit OFFSET :skipped"  # noqa: S608 - ours


def _token(request: Request, place: _Place) -> str:
    return _sealed(request, json.dumps(place))


def _place(request: Request, token: str) -> _Place:
    try:
        text = urlsafe_b64decode(token)[_DIGEST_SIZE:].decode()
    except ValueError:
        text = ""
    if token != _sealed(request, text):
        raise InvalidArgument('the query parameter "page_token" is not a token of this listing')
    place: _Place = json.loads(text)
    return place


def _sealed(request: Request, place: str) -> str:
    # The seal covers all that identifies the listing, so that a token of another listing is rejected.
    filters = {name: str(value) for name, value in request.query.items() if name not in {"limit", "page_token"}}
    kind = [request.dialect.page_tokens, request.dialect.page_order]
    listing = json.dumps([request.operation.id, dict(request.path), filters, kind, place], sort_keys=True)
    seal = blake2b(listing.encode(), digest_size=_DIGEST_SIZE).digest()
    return urlsafe_b64encode(seal + place.encode()).decode()
