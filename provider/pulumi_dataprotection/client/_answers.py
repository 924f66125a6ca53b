"""From the body of an answer to its result: an answer proves that it is the answer, or it is an error."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

import pydantic_core
from pydantic import ValidationError

from pulumi_dataprotection.client._call import Call
from pulumi_dataprotection.client._transport.http import Answer

__all__ = [
    "DESCRIBES_AN_ERROR",
    "MisfitError",
    "Page",
    "is_an_error",
    "read_page",
    "read_result",
    "reports_a_failure",
]

T = TypeVar("T")

DESCRIBES_AN_ERROR = "it describes an error"

_FIRST_ERROR_STATUS = 400
_ERROR_FIELDS = {"code", "detail", "details", "error", "errors", "message", "status"}


class MisfitError(Exception):
    """A successful answer is not the answer to the call; the text names the part that does not fit."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a listing (section 1, pagination).

    Attributes:
        items: its items, decoded.
        next_page_token: the token of the next page; empty on the last page.
        explicit: whether the page states its items or a next page. An empty object does neither: it reads as an
            empty page, and proves nothing.
    """

    items: list[object]
    next_page_token: str
    explicit: bool


def is_an_error(body: Mapping[str, object]) -> bool:
    """Return whether an object whose fields the interface leaves open is an error in its place."""
    has_data = any(isinstance(value, (dict, list)) for name, value in body.items() if name not in _ERROR_FIELDS)
    return reports_a_failure(body) or (_describes_an_error(body) and not has_data)


def reports_a_failure(body: Mapping[str, object]) -> bool:
    """Return whether an object with the fields of a result says that the operation failed."""
    status, error = body.get("status"), body.get("error")
    failed = isinstance(status, int) and status >= _FIRST_ERROR_STATUS
    return failed or (isinstance(error, (str, dict)) and error not in ("", {}))


def _describes_an_error(body: Mapping[str, object]) -> bool:
    """Return whether an object without the fields of a result has those of an error."""
    # A number under these names is a count of tasks with this status.
    in_words = any(
        isinstance(body.get(name), (str, dict, list)) and body[name] for name in ("error", "errors", "message")
    )
    values = [body.get(name) for name in ("code", "status")]
    return in_words or any(isinstance(value, (str, int)) and value not in {"", 0, True} for value in values)


def read_result(call: Call[T], answer: Answer) -> T:
    """Read the result of an operation without pages.

    Raises:
        MisfitError: The answer is not the answer to the call.
    """
    return _decode(call, _json_object(call, answer))


def read_page(call: Call[T], answer: Answer) -> Page:
    """Read one page of a listing.

    Raises:
        MisfitError: The answer is not a page of the listing.
    """
    body = _json_object(call, answer)
    items, token = body.get("items"), body.get("next_page_token") or ""
    if reports_a_failure(body) or (items is None and _describes_an_error(body)):
        raise MisfitError(DESCRIBES_AN_ERROR)
    if not isinstance(token, str):
        raise MisfitError("its next_page_token is not text")
    explicit = "items" in body or token != ""
    if not explicit and body.keys() - {"next_page_token"}:
        raise MisfitError("it has no items, and no next_page_token")
    # Servers write an empty list as a list, as null, or not at all.
    found = _decode(call, [] if items is None else items)
    return Page(cast("list[object]", found), token, explicit)


def _json_object(call: Call[T], answer: Answer) -> dict[str, object]:
    if answer.status not in call.operation.success:
        expected = ", ".join(map(str, sorted(call.operation.success)))
        raise MisfitError(f"its status is not {expected}")
    if not answer.complete:
        raise MisfitError("it is longer than 64 MiB")
    try:
        # Some services answer a write without a body: a success without a result. There is nothing to read then.
        value: object = pydantic_core.from_json(
            answer.body or (b"{}" if call.operation.writes else b""), allow_inf_nan=False
        )
    except ValueError:
        raise MisfitError("it is not JSON") from None
    if not isinstance(value, dict):
        raise MisfitError("it is not a JSON object")
    return cast("dict[str, object]", value)


def _decode(call: Call[T], value: object) -> T:
    try:
        return call.decode(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "it"
        problem = f"{place}{_id_at(value, first['loc'])}: {first['msg']}"
    except ValueError as error:
        problem = str(error)
    if isinstance(value, dict) and _describes_an_error(cast("dict[str, object]", value)):
        problem = DESCRIBES_AN_ERROR
    raise MisfitError(problem)


def _id_at(value: object, location: tuple[int | str, ...]) -> str:
    """Name the item of a list in which something is wrong, where it has an id."""
    match value, location:
        case list(), (int(number), *_):
            item = cast("list[object]", value)[number]
            id = cast("dict[str, object]", item).get("id") if isinstance(item, dict) else None
            return f" (id {id!r})" if isinstance(id, str) else ""
        case _:
            return ""
