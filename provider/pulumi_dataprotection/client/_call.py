"""A call: a request that is not sent yet, and the proof that an answer is its answer."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Generic, TypeVar, cast
from urllib.parse import quote, unquote, urlencode

import pydantic_core
from pydantic import ValidationError

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client._transport.response import Response
from pulumi_dataprotection.client.errors import InvalidIdError
from pulumi_dataprotection.spec import Operation

__all__ = [
    "DESCRIBES_AN_ERROR",
    "EXTERNAL_ID_PREFIX",
    "Call",
    "MisfitError",
    "Page",
    "asked_for",
    "has_control_characters",
    "no_error",
    "nothing",
    "path_problem",
    "reports_a_failure",
]

EXTERNAL_ID_PREFIX = "ext$"
"""The prefix of an external id if operation 18 gets it instead of an id."""

DESCRIBES_AN_ERROR = "it describes an error"

_END_OF_STEP = re.compile(r"[/\\?#;]")
_MAX_ID_BYTES = 1000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_FIRST_ERROR_STATUS = 400
_ERROR_FIELDS = {"code", "detail", "details", "error", "errors", "message", "status"}

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


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


@dataclass(frozen=True, slots=True)
class Call(Generic[T_co]):
    """A request of the service with a decoder of its answer.

    Attributes:
        operation: the row of the interface's table of endpoints.
        decode: turns the JSON value of the answer into the result; for a page, the list of its items.
        path: values of the path's parameters.
        query: values of the query's parameters, except those of paging. It holds names, so it is never shown.
    """

    operation: Operation
    decode: Callable[[object], T_co]
    path: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)

    def __post_init__(self) -> None:
        for name, value in (*self.path.items(), *self.query.items()):
            # An empty part would address the collection instead of one of its members, and an empty filter all of it.
            if not isinstance(cast("object", value), str) or not value.strip() or has_control_characters(value):
                raise InvalidIdError(
                    f"cannot {self.operation.does}: {name} must be text that is not empty, without control characters"
                )
        for name, value in self.path.items():
            if problem := path_problem(value):
                raise InvalidIdError(f'cannot {self.operation.does}: {name} "{printable(value)}" {problem}')

    @property
    def encoded_path(self) -> str:
        """The path, each parameter percent-encoded as one segment."""
        return self.operation.path.format_map({name: quote(value, safe="$") for name, value in self.path.items()})

    @property
    def request(self) -> str:
        """Method and path, as errors and logs name the call: a query may hold names."""
        return f"{self.operation.method} {self.encoded_path}"

    def target(self, **paging: str | int) -> str:
        """Return the target of the request: path and query."""
        query = {**self.query, **paging}
        return self.encoded_path + ("?" + urlencode(query, quote_via=quote, safe="") if query else "")

    def read_result(self, response: Response) -> T_co:
        """Read the result of an operation without pages.

        Raises:
            MisfitError: The response is not the answer to the call.
        """
        return self._decode(self._json_object(response))

    def read_page(self, response: Response) -> Page:
        """Read one page of a listing.

        Raises:
            MisfitError: The response is not a page of the listing.
        """
        body = self._json_object(response)
        items, token = body.get("items"), body.get("next_page_token") or ""
        if reports_a_failure(body) or (items is None and _describes_an_error(body)):
            raise MisfitError(DESCRIBES_AN_ERROR)
        if not isinstance(token, str):
            raise MisfitError("its next_page_token is not text")
        explicit = "items" in body or token != ""
        if not explicit and body.keys() - {"next_page_token"}:
            raise MisfitError("it has no items, and no next_page_token")
        # Servers write an empty list as a list, as null, or not at all.
        found = self._decode([] if items is None else items)
        return Page(cast("list[object]", found), token, explicit)

    def _json_object(self, response: Response) -> dict[str, object]:
        if response.status not in self.operation.success:
            expected = ", ".join(map(str, sorted(self.operation.success)))
            raise MisfitError(f"its status is not {expected}")
        if not response.complete:
            raise MisfitError("it is longer than 64 MiB")
        # Some services answer a write without a body: a success without a result.
        body = response.body or (b"{}" if self.operation.writes else b"")
        try:
            value: object = pydantic_core.from_json(body, allow_inf_nan=False)
        except ValueError:
            raise MisfitError("it is not JSON") from None
        if not isinstance(value, dict):
            raise MisfitError("it is not a JSON object")
        return cast("dict[str, object]", value)

    def _decode(self, value: object) -> T_co:
        try:
            return self.decode(value)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "it"
            problem = f"{place}{_id_at(value, first['loc'])}: {first['msg']}"
        except ValueError as error:
            problem = str(error)
        if isinstance(value, dict) and _describes_an_error(cast("dict[str, object]", value)):
            problem = DESCRIBES_AN_ERROR
        raise MisfitError(problem)


def has_control_characters(text: str) -> bool:
    """Return whether a text holds a line break or another control character, which no name and no id has.

    Half a character of UTF-16 counts as a control character: it cannot be sent.
    """
    return _CONTROL.search(text) is not None


def path_problem(value: str) -> str:
    """Return the reason for which an id cannot stand in the path of a request; empty if it can.

    A gateway may decode a path again, remove its steps of dots, and drop blanks and dots at the end of a step. The
    request would then address the parent of the entity, or another entity.
    """
    decoded = value
    while (again := unquote(decoded)) != decoded:
        decoded = again
    steps = _END_OF_STEP.split(decoded)
    ends = decoded == decoded.strip() and not decoded.endswith(".")
    if ends and all(step.strip(". ") for step in steps) and len(value.encode()) <= _MAX_ID_BYTES:
        return ""
    return (
        'cannot stand in a path. An id has no step such as "..", no blank or dot at its end, and at most '
        f"{_MAX_ID_BYTES:,} bytes"
    )


def asked_for(decode: Callable[[object], T], **values: str) -> Callable[[object], T]:
    """Reject a record that differs from the requested record, or a list with such a record.

    Args:
        decode: decodes the record, or the list.
        values: the values of its fields; a field that the service leaves empty is let pass.
    """

    def decode_and_compare(answer: object) -> T:
        decoded = decode(answer)
        records: object = decoded
        for record in cast("list[object]", records) if isinstance(records, list) else [records]:
            for name, value in values.items():
                found = cast("str | None", getattr(record, name))
                if found and found != value:
                    raise ValueError(f"its {name} is '{printable(found)}', not '{printable(value)}'")
        return decoded

    return decode_and_compare


def _is_an_error(body: Mapping[str, object]) -> bool:
    """Return whether an object whose fields the interface leaves open is an error in its place."""
    has_data = any(isinstance(value, (dict, list)) for name, value in body.items() if name not in _ERROR_FIELDS)
    return reports_a_failure(body) or (_describes_an_error(body) and not has_data)


def reports_a_failure(body: Mapping[str, object]) -> bool:
    """Return whether an object with the fields of a result says that the operation failed."""
    status, error = body.get("status"), body.get("error")
    failed = isinstance(status, int) and status >= _FIRST_ERROR_STATUS
    return failed or (isinstance(error, (str, dict)) and error not in ("", {}))


@cache  # The decoders are few, and each call needs its own.
def no_error(
    decode: Callable[[object], T], is_error: Callable[[Mapping[str, object]], bool] = _is_an_error
) -> Callable[[object], T]:
    """Reject an error in the place of a record.

    Args:
        decode: decodes the record.
        is_error: recognizes the error; by default, as one in the place of a record whose fields may all be missing.
    """

    def decode_no_error(answer: object) -> T:
        if is_error(cast("dict[str, object]", answer)):
            raise ValueError(DESCRIBES_AN_ERROR)
        return decode(answer)

    return decode_no_error


def nothing(answer: object) -> None:
    """Accept the empty object of a deletion, which a body that is empty stands for, too."""
    if answer != {}:
        raise ValueError("it is not an empty object")


def _describes_an_error(body: Mapping[str, object]) -> bool:
    """Return whether an object without the fields of a result has those of an error."""
    # A number under these names is a count of tasks with this status.
    in_words = any(
        isinstance(body.get(name), (str, dict, list)) and body[name] for name in ("error", "errors", "message")
    )
    values = [body.get(name) for name in ("code", "status")]
    return in_words or any(isinstance(value, (str, int)) and value not in {"", 0, True} for value in values)


def _id_at(value: object, location: tuple[int | str, ...]) -> str:
    """Return the id of the item of a list in which something is wrong; empty if it has none."""
    match value, location:
        case list(), (int(number), *_):
            item = cast("list[object]", value)[number]
            id = cast("dict[str, object]", item).get("id") if isinstance(item, dict) else None
            return f" (id '{printable(id)}')" if isinstance(id, str) else ""
        case _:
            return ""
