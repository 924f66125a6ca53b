"""The columns of a class of records, and the rows of a record.

A record with a list of records, such as quotas, has a row for each of them. Its total, if it has a total, is a row too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args, get_origin, get_type_hints

from pulumi_dataprotection.client.records import OpenRecord, Record, read_names

__all__ = ["Fields", "Layout"]

Fields = Mapping[str, object]

_NAMED = ("resource_id", "policy_id", "tenant_id", "org_id")


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a class of records.

    Attributes:
        record: the class.
        named: the fields with an id beside which its name stands.
        values: the fields with one value, and the names.
        parts: the fields with one record.
        details: the field with several records, if there is one. The first value of a record in a mapping is its key.
    """

    record: type[Record]
    named: Sequence[str]
    values: Sequence[str]
    parts: Mapping[str, Layout]
    details: Mapping[str, Layout]

    @classmethod
    def of(cls, record: type[Record], given: Collection[str] = ()) -> Layout:
        """Lay out a class of records.

        Args:
            record: the class.
            given: the fields that the user gave as arguments, which need no name.
        """
        hints = get_type_hints(record)
        named = [id for id in _NAMED if id in hints and id not in given and _name(id) not in hints]
        values: list[str] = []
        parts: dict[str, Layout] = {}
        details: dict[str, Layout] = {}
        for name, hint in hints.items():
            classes = [part for part in (hint, *get_args(hint)) if isinstance(part, type) and issubclass(part, Record)]
            inner = cls.of(classes[0], given) if classes else None
            if inner and get_origin(hint) is Mapping:
                details[name] = replace(inner, values=[name.removeprefix("by_"), *inner.values])
            elif inner and get_origin(hint) is list:
                details[name] = inner
            elif inner:
                parts[name] = inner
            elif name != "fields":
                values += [name, _name(name)] if name in named else [name]
        return cls(record, named, values, parts, details)

    @property
    def is_open(self) -> bool:
        """Whether the interface leaves the record's fields open."""
        return issubclass(self.record, OpenRecord)

    def columns(self) -> list[str]:
        """Return the columns of the rows."""
        return [*dict.fromkeys(name for row in self.rows(_sample(self)) for name in row)]

    def rows(self, entry: Fields) -> list[dict[str, object]]:
        """Return the rows of a record: one, or one for each of its details and for their total."""
        own = {name: entry.get(name) for name in self.values}
        if not self.details:
            of_parts = {
                f"{part}.{name}": value
                for part, layout in self.parts.items()
                for row in layout.rows(_fields(entry.get(part)))
                for name, value in row.items()
            }
            return [own | of_parts]
        found: list[dict[str, object]] = []
        for details, layout in self.details.items():
            rows = [row for member in _members(layout, entry[details]) for row in layout.rows(member)]
            for part, total in self.parts.items():
                if entry[part] is not None:
                    rows += [{layout.values[0]: "total", **row} for row in total.rows(_fields(entry[part]))]
            found += [own | {f"{details}.{name}" if name in own else name: row[name] for name in row} for row in rows]
        return found or ([own] if own else [])

    def others(self, entry: Fields) -> dict[str, object]:
        """Return the fields that the service sent, and that the record does not read."""
        known = read_names(self.record)
        return {name: value for name, value in _fields(entry.get("fields")).items() if name not in known}

    def ids(self, entry: Fields) -> Iterator[tuple[str, str]]:
        """Yield the ids beside which a name stands, each after its field."""
        yield from ((id, str(entry[id])) for id in self.named if entry[id])
        for name, layout in self.details.items():
            for member in _members(layout, entry[name]):
                yield from layout.ids(member)

    def with_names(self, entry: Fields, names: Mapping[str, Fields]) -> dict[str, object]:
        """Return a record with a name after each id, None for an id without a name, and with `fields` at the end.

        Args:
            entry: the record.
            names: the names by id, by the field of the ids.
        """
        named: dict[str, object] = {}
        for name, value in entry.items():
            named[name] = value
            if name in self.named:
                named[_name(name)] = names.get(name, {}).get(str(value))
        for name, layout in self.details.items():
            if isinstance(entry[name], list):
                named[name] = [layout.with_names(member, names) for member in _members(layout, entry[name])]
        sent = named.pop("fields", None)
        return {**named, "fields": sent} if self.is_open else named


def _name(id: str) -> str:
    return id.removesuffix("_id") + "_name"


def _sample(layout: Layout) -> dict[str, object]:
    """Return a record without values, but with each part and one detail: its rows have all columns."""
    parts = {name: _sample(part) for name, part in layout.parts.items()}
    return {**parts, **{name: [_sample(detail)] for name, detail in layout.details.items()}}


def _members(layout: Layout, details: object) -> list[Fields]:
    """Return the records of a list, or of a mapping with their keys."""
    if isinstance(details, list):
        return cast("list[Fields]", details)
    return [{layout.values[0]: key, **_fields(member)} for key, member in _fields(details).items()]


def _fields(value: object) -> Fields:
    return cast("Fields", value) if isinstance(value, Mapping) else {}
