"""A call: an operation with its arguments and a decoder, built without being sent."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast
from urllib.parse import quote, urlencode

from pulumi_dataprotection.client.errors import DataProtectionError
from pulumi_dataprotection.spec import Operation

__all__ = ["EXTERNAL_ID_PREFIX", "Call", "has_control_characters"]

EXTERNAL_ID_PREFIX = "ext$"
"""Stands before an external id where operation 18 takes an id."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Call(Generic[T_co]):
    """What to ask the service, and how to read its answer.

    Attributes:
        operation: the row of the interface's table of endpoints.
        decode: turns the answer's JSON value into the result; for a page, the list of its items.
        path: values of the path's parameters.
        query: values of the query's parameters, without those of paging; never shown, as they hold names.
    """

    operation: Operation
    decode: Callable[[object], T_co]
    path: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)

    def __post_init__(self) -> None:
        for name, value in (*self.path.items(), *self.query.items()):
            # An empty part would address the collection instead of one of its members, and an empty filter all of it.
            if not isinstance(cast("object", value), str) or not value.strip() or has_control_characters(value):
                raise DataProtectionError(
                    f"cannot {self.operation.does}: {name} must be text that is not empty, without control characters"
                )

    @property
    def encoded_path(self) -> str:
        """The path, each parameter percent-encoded as one segment."""
        return self.operation.path.format_map({name: _segment(value) for name, value in self.path.items()})

    @property
    def request(self) -> str:
        """Method and path, as errors and logs name the call: a query may hold names."""
        return f"{self.operation.method} {self.encoded_path}"

    def target(self, **paging: str | int) -> str:
        """The request's target: path and query."""
        query = {**self.query, **paging}
        return self.encoded_path + ("?" + urlencode(query, quote_via=quote, safe="") if query else "")


def has_control_characters(text: str) -> bool:
    """Whether a text holds a line break or another control character, which no name and no id has.

    Half a character of UTF-16 counts as one: it cannot be sent.
    """
    return _CONTROL.search(text) is not None


def _segment(value: str) -> str:
    # A segment of dots alone would be taken for a step up, however the dots are spelled; %2E is all one can do.
    return "%2E" * len(value) if value in {".", ".."} else quote(value, safe="$")
