"""The columns of a class of records, and the rows of a record.

A record with a list of records, such as quotas, has a row for each of them. Its total, if it has a total, is a row too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
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
        details: the field with several records, and their layout.
        key: the column for the keys of a mapping.
    """

    record: type[Record]
    named: tuple[str, ...]
    values: list[str] = field(default_factory=list[str])
    parts: dict[str, Layout] = field(default_factory=dict[str, "Layout"])
    details: tuple[str, Layout] | None = None
    key: str = ""

    @classmethod
    def of(cls, record: type[Record], given: Collection[str] = ()) -> Layout:
        """Lay out a class of records.

        Args:
            record: the class.
            given: the fields that the user gave as arguments, which need no name.
        """
        hints = get_type_hints(record)
        named = tuple(id for id in _NAMED if id in hints and id not in given and _name(id) not in hints)
        values: list[str] = []
        parts: dict[str, Layout] = {}
        details, key = None, ""
        for name, hint in hints.items():
            classes = [part for part in (hint, *get_args(hint)) if isinstance(part, type) and issubclass(part, Record)]
            if not classes:
                values += [name, _name(name)] if name in named else [name]
            elif get_origin(hint) in {list, Mapping}:
                details = name, cls.of(classes[0], given)
                key = name.removeprefix("by_") if get_origin(hint) is Mapping else ""
            else:
                parts[name] = cls.of(classes[0], given)
        if "fields" in values:
            values.remove("fields")
        return cls(record, named, values, parts, details, key)

    @property
    def is_open(self) -> bool:
        """Whether the interface leaves the record's fields open."""
        return issubclass(self.record, OpenRecord)

    def columns(self) -> list[str]:
        """Return the columns of the rows."""
        of_parts = [] if self.details else [f"{part}.{name}" for part, name in self._of_parts()]
        return [*self.values, *of_parts, *map(self._detail_name, self._detail_columns())]

    def rows(self, entry: Fields) -> list[dict[str, object]]:
        """Return the rows of a record: one, or one for each of its details and for their total."""
        own = {name: entry[name] for name in self.values}
        if self.details is None:
            of_parts = {f"{part}.{name}": _fields(entry[part]).get(name) for part, name in self._of_parts()}
            return [own | of_parts]
        rows = [*self._detail_rows(entry), *self._totals(entry)]
        found = [own | {self._detail_name(name): value for name, value in row.items()} for row in rows]
        return found or ([own] if own else [])

    def others(self, entry: Fields) -> dict[str, object]:
        """Return the fields that the service sent, and that the record does not read."""
        known = read_names(self.record)
        return {name: value for name, value in _fields(entry.get("fields")).items() if name not in known}

    def ids(self, entry: Fields) -> Iterator[tuple[str, str]]:
        """Yield the ids beside which a name stands, each after its field."""
        yield from ((id, str(entry[id])) for id in self.named if entry[id])
        if self.details and not self.key:
            name, layout = self.details
            for member in cast("list[Fields]", entry[name]):
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
        if self.details and not self.key:
            name, layout = self.details
            named[name] = [layout.with_names(member, names) for member in cast("list[Fields]", entry[name])]
        return {name: value for name, value in named.items() if name != "fields"} | (
            {"fields": named["fields"]} if self.is_open else {}
        )

    def _of_parts(self) -> list[tuple[str, str]]:
        return [(part, name) for part, layout in self.parts.items() for name in layout.columns()]

    def _detail_columns(self) -> list[str]:
        if self.details is None:
            return []
        keys = [self.key] if self.key else []
        return [*dict.fromkeys([*keys, *self.details[1].columns(), *(name for _, name in self._of_parts())])]

    def _detail_name(self, name: str) -> str:
        return f"{self.details[0]}.{name}" if self.details and name in self.values else name

    def _detail_rows(self, entry: Fields) -> Iterator[dict[str, object]]:
        if self.details:
            name, layout = self.details
            if self.key:
                for key, member in _fields(entry[name]).items():
                    yield from ({self.key: key, **row} for row in layout.rows(_fields(member)))
            else:
                for member in cast("list[Fields]", entry[name]):
                    yield from layout.rows(member)

    def _totals(self, entry: Fields) -> Iterator[dict[str, object]]:
        label = self._detail_columns()[0]
        for name, layout in self.parts.items():
            if entry[name] is not None:
                yield from ({label: "total", **row} for row in layout.rows(_fields(entry[name])))


def _name(id: str) -> str:
    return id.removesuffix("_id") + "_name"


def _fields(value: object) -> Fields:
    return cast("Fields", value) if isinstance(value, Mapping) else {}
