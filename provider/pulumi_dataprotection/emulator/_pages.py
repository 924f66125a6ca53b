"""Pages of a listing, continued after the last item's position."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from hashlib import blake2b

from pulumi_dataprotection.emulator._errors import InvalidArgument
from pulumi_dataprotection.emulator._request import Payload, Request
from pulumi_dataprotection.emulator._store import Row, Store

DEFAULT_LIMIT = 100
MAX_LIMIT = 1000

_DIGEST_SIZE = 8


def page(
    request: Request,
    store: Store,
    statement: str,
    parameters: Mapping[str, object],
    view: Callable[[Row], Payload],
) -> Payload:
    """Answer one page of a listing.

    A page goes on after the position of the last item, not after a number of items: what is deleted while
    somebody lists makes nothing be skipped.

    Args:
        request: the request, with its limit and token.
        store: the database.
        statement: the query, ordered by its column "position", a text that is unique in the listing. It takes
            the parameters `:after`, the position to go on after or NULL, and `:limit`.
        parameters: the statement's further parameters.
        view: from a row to an item.

    Raises:
        InvalidArgument: The limit or the token is invalid.
    """
    limit = request.query.get("limit", DEFAULT_LIMIT)
    if not isinstance(limit, int) or limit < 1:
        raise InvalidArgument('the query parameter "limit" must be at least 1')
    limit = min(limit, MAX_LIMIT)
    token = request.text("page_token")
    after = None if token is None else _position(request, token)
    rows = store.all(statement, {**parameters, "after": after, "limit": limit + 1})
    more = len(rows) > limit
    return {
        "items": [view(row) for row in rows[:limit]],
        "next_page_token": _token(request, rows[limit - 1]["position"]) if more else "",
    }


def _token(request: Request, position: str) -> str:
    return urlsafe_b64encode(_seal(request, position) + position.encode()).decode()


def _position(request: Request, token: str) -> str:
    try:
        position = urlsafe_b64decode(token)[_DIGEST_SIZE:].decode()
    except ValueError:
        position = ""
    if token != _token(request, position):
        raise InvalidArgument('the query parameter "page_token" is not a token of this listing')
    return position


def _seal(request: Request, position: str) -> bytes:
    # What was listed is sealed into the token, so that a token of another listing is told from one of this.
    filters = {name: str(value) for name, value in request.query.items() if name not in {"limit", "page_token"}}
    listing = json.dumps([request.operation.id, dict(request.path), filters, position], sort_keys=True)
    return blake2b(listing.encode(), digest_size=_DIGEST_SIZE).digest()
