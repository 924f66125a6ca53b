"""The declaration of a handler: a function with the name of its operation, and the shape of its payload."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Store

Answer = Callable[[Request, Store], Payload]
Shape = Callable[[Payload, Dialect], Payload]


def unchanged(payload: Payload, _dialect: Dialect) -> Payload:
    """Return a payload as it is."""
    return payload


@dataclass(frozen=True, slots=True)
class Handler:
    """The implementation of one operation.

    Attributes:
        answer: the function from a checked request to the payload.
        record: the record of the payload, one of `RECORDS`.
        shape: the arrangement of the payload in a dialect.
        writes: whether the operation changes the database in a dialect although its row is a read.
    """

    answer: Answer
    record: str
    shape: Shape
    writes: Callable[[Dialect], bool]


HANDLERS: dict[str, Handler] = {}
"""The handlers by the ids of their operations."""


def handler(
    record: str, *, shape: Shape = unchanged, writes: Callable[[Dialect], bool] = lambda _: False
) -> Callable[[Answer], Answer]:
    """Register a function as the handler of the operation that has its name."""

    def register(answer: Answer) -> Answer:
        HANDLERS[answer.__name__] = Handler(answer, record, shape, writes)
        return answer

    return register


def by_switch(switch: str, shapes: Mapping[str, Callable[[Payload], Payload]]) -> Shape:
    """Return the shape that follows a switch of the dialect; a variant without a shape changes nothing."""
    return lambda payload, dialect: shapes.get(getattr(dialect, switch), dict)(payload)


def each_item(shape: Shape) -> Shape:
    """Return the shape that changes each item of a payload."""
    return lambda payload, dialect: {**payload, "items": [shape(item, dialect) for item in payload["items"]]}


def fields(names: str) -> Callable[[Any], Payload]:
    """Pick fields: `name`, or `new=name` for a field that gets another name."""
    pairs = [(name.partition("=")[0], name.rpartition("=")[2]) for name in names.split()]
    return lambda record: {new: record[old] for new, old in pairs}
