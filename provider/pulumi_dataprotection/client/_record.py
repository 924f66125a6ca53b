"""The base of records: attributes, and at the same time dictionaries that Pulumi's SDK can send."""

from collections.abc import Callable, Generator, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, cast, get_type_hints

from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    TypeAdapter,
    model_validator,
)
from pydantic.dataclasses import dataclass
from pydantic.fields import FieldInfo

__all__ = ["MAX_EXACT", "OpenRecord", "Record", "WideInt", "json_object", "read_names", "with_wide_ints"]

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


def _as_wire(value: object) -> object:
    """Write as text the numbers in JSON that a Pulumi state cannot hold."""
    if isinstance(value, WideInt) or value in (float("inf"), float("-inf")):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _as_wire(part) for name, part in cast("Mapping[str, object]", value).items()}
    return [_as_wire(part) for part in cast("list[object]", value)] if isinstance(value, list) else value


def _as_input_class(record: type[Mapping[str, object]], names: Iterable[str]) -> None:
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


def _bare(value: object) -> object:
    return {**cast("Mapping[str, object]", value)} if isinstance(value, MappingProxyType) else value


Fields = Annotated[
    Mapping[str, object],
    BeforeValidator(_bare),
    AfterValidator(with_wide_ints),
    PlainSerializer(_as_wire, when_used="json"),
]


class Record(dict[str, object]):
    """A record of the service: attributes, and a dictionary of the same names to what a Pulumi state can hold.

    As an attribute a 64-bit number is an int, in the dictionary text.
    """

    __slots__ = ()
    # Each validator is built with its first record: building all of them takes 15 ms of each provider process.
    __pydantic_config__ = ConfigDict(defer_build=True)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _as_input_class(cls, cls.__annotations__)

    @property
    def __dict__(self) -> dict[str, object]:  # type: ignore[override]
        """The attributes by name, from which the SDK copies a record."""
        return {name: _whole(getattr(self, name)) for name in get_type_hints(type(self))}

    def __post_init__(self) -> None:
        record = type(self)
        names = _plain_fields(record)
        # Of a hundred thousand records, most have texts and booleans only.
        self.update(
            _adapter(record).dump_python(self, mode="json")
            if names is None
            else {name: getattr(self, name) for name in names}
        )


def _whole(value: object) -> object:
    # The SDK takes dictionaries apart, and turns numbers in them into text.
    bare = None if isinstance(value, Record) else json_object(value)
    return value if bare is None else MappingProxyType(bare)


@cache
def read_names(record: type[Record]) -> frozenset[str]:
    """Return the names of the service's fields that a class of records reads."""
    fields: Mapping[str, FieldInfo] = getattr(record, "__pydantic_fields__")  # noqa: B009 - Record itself has none
    aliases = [field.validation_alias for field in fields.values()]
    choices = [choice for alias in aliases if isinstance(alias, AliasChoices) for choice in alias.choices]
    return frozenset({*fields, *(choice for choice in choices if isinstance(choice, str))})


@cache
def _plain_fields(record: type[Record]) -> tuple[str, ...] | None:
    """Return the names of a record's fields, if a state can hold their values as they are."""
    hints = get_type_hints(record)
    plain = all(hint in {str, str | None, bool | None} for hint in hints.values())
    return tuple(hints) if plain else None


@cache
def _adapter(record: type[Record]) -> TypeAdapter[Record]:
    return TypeAdapter(record)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRecord(Record):
    """A record whose fields the interface leaves open.

    Attributes:
        fields: everything that the service sent, as it came.
    """

    fields: Fields

    @model_validator(mode="before")
    @classmethod
    def _keep_everything(cls, sent: object) -> object:
        fields = json_object(sent)
        return sent if fields is None else {**fields, "fields": fields}


def json_object(value: object) -> dict[str, object] | None:
    """Return a JSON object; None for another value."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else None
