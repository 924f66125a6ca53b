"""Shapes: arrangements of the payloads that the interface does not show."""

from collections.abc import Callable, Mapping
from typing import Any

from pulumi_dataprotection.emulator.handlers._handler import Shape
from pulumi_dataprotection.emulator.requests.request import Payload


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
