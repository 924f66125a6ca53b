"""Values of the service in forms that Pulumi's SDK can send: records, numbers of 64 bits."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from typing import cast

__all__ = ["MAX_EXACT", "WideInt", "as_input_class", "as_wire", "with_wide_ints"]

MAX_EXACT = 2**53
"""The limit of whole numbers in a Pulumi state, whose numbers are doubles; the SDK rounds others without a word."""


class WideInt(int):
    """A number that a double would round. The SDK sends the result of an awaitable: text with all digits.

    An error instead would be lost, with all exports of a program: the SDK reports none that occurs while it sends them.
    """

    # The SDK takes objects with a `__dict__` apart.
    __slots__ = ()

    def __await__(self) -> Generator[None, None, str]:
        """Become text; this is over at once."""
        yield from ()
        return str(self)


def with_wide_ints(value: object) -> object:
    """Replace the numbers in JSON that a double would round."""
    if type(value) is int:
        return WideInt(value) if abs(value) > MAX_EXACT else value
    if isinstance(value, dict):
        return {name: with_wide_ints(part) for name, part in cast("dict[str, object]", value).items()}
    return [with_wide_ints(part) for part in cast("list[object]", value)] if isinstance(value, list) else value


def as_wire(value: object) -> object:
    """Write as text the numbers in JSON that a Pulumi state cannot hold."""
    if isinstance(value, WideInt) or value in (float("inf"), float("-inf")):
        return str(value)
    if isinstance(value, Mapping):
        return {name: as_wire(part) for name, part in cast("Mapping[str, object]", value).items()}
    return [as_wire(part) for part in cast("list[object]", value)] if isinstance(value, list) else value


def as_input_class(record: type[Mapping[str, object]], names: Iterable[str]) -> None:
    """Mark a class of records as an input class of Pulumi's SDK, as its decorator `input_type` does.

    `Output.from_input` and `Output.all` turn other dictionaries into bare ones. They rebuild an object of an input
    class from its attributes: https://github.com/pulumi/pulumi/blob/v3.274.1/sdk/python/lib/pulumi/output.py. As the
    argument of a resource the SDK sends the properties that have a name of Pulumi's:
    https://github.com/pulumi/pulumi/blob/v3.274.1/sdk/python/lib/pulumi/_types.py.

    Args:
        record: the class.
        names: the names of its fields.
    """
    setattr(record, "_pulumi_input_type", True)  # noqa: B010 - the class does not have it
    for name in names:
        setattr(record, f"_sent_{name}", property(_getter(name)))


class _Null:
    """An awaitable that sends null, since the SDK leaves out a property that is None."""

    def __await__(self) -> Generator[None, None, None]:
        yield from ()


def _getter(name: str) -> Callable[[Mapping[str, object]], object]:
    def get(record: Mapping[str, object]) -> object:
        value = record[name]
        return _Null() if value is None else value

    setattr(get, "_pulumi_name", name)  # noqa: B010 - the function does not have it
    # The SDK would hold the value to this type.
    get.__annotations__.clear()
    return get
