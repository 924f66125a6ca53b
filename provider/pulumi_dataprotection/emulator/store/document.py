"""The state document: the whole content of the emulator as JSON, one section per table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import cast

from pulumi_dataprotection.emulator._errors import EmulatorError
from pulumi_dataprotection.emulator.store.fields import shown_record, stored_key, stored_row
from pulumi_dataprotection.emulator.store.schema import TABLES, Table
from pulumi_dataprotection.emulator.store.store import IntegrityError, Store

Record = Mapping[str, object]
Document = Mapping[str, Iterable[Record]]

_BY_NAME = {table.name: table for table in TABLES}


def read_document(store: Store) -> dict[str, list[dict[str, object]]]:
    """Return everything that is in the database."""
    return {
        table.name: [shown_record(table, row) for row in store.all(f"SELECT * FROM {table.name} ORDER BY rowid")]  # noqa: S608 - our own name
        for table in TABLES
    }


def replace_content(store: Store, document: Document, now: datetime) -> None:
    """Make a document the whole content of the database.

    Raises:
        EmulatorError: The document is not valid; the caller's transaction must be rolled back.
    """
    for table in reversed(TABLES):
        store.execute(f"DELETE FROM {table.name}")  # noqa: S608 - our own name
    for table in TABLES:
        insertion = _insertion(table)
        for place, record in _records(document, table):
            _write(store, insertion, stored_row(table, record, place, now), place)
    _check_references(store)


def insert_record(store: Store, name: str, now: datetime, /, **fields: object) -> None:
    """Insert a record that the service makes; columns that are not given have their defaults.

    Args:
        store: the database.
        name: the table's name.
        now: the default of times.
        fields: the columns.
    """
    table = _BY_NAME[name]
    store.execute(_insertion(table), stored_row(table, fields, name, now))


def patch_content(store: Store, document: Document, now: datetime) -> None:
    """Merge a document of partial records into the database.

    A record changes the record with its key, or is new. With "deleted": true it removes the record with its key
    and everything that belongs to it.

    Raises:
        EmulatorError: The document is not valid; the caller's transaction must be rolled back.
    """
    for table in TABLES:
        for place, record in _records(document, table):
            if record.get("deleted") is True:
                _delete(store, table, record, place)
            else:
                _merge(store, table, record, place, now)
    _check_references(store)


def check_sections(content: object) -> Document:
    """Check that what came as JSON has the form of a document.

    Raises:
        EmulatorError: It has not.
    """
    if not isinstance(content, Mapping):
        raise EmulatorError("a state document must be a JSON object")
    for name, records in cast("Mapping[str, object]", content).items():
        if name not in _BY_NAME:
            raise EmulatorError(f'unknown section "{name}"; there are {", ".join(_BY_NAME)}')
        if not isinstance(records, list):
            raise EmulatorError(f"{name} must be a list of records")
        for number, record in enumerate(cast("list[object]", records)):
            if not isinstance(record, Mapping):
                raise EmulatorError(f"{name}[{number}] must be a JSON object, not {record!r}")
    return cast("Document", content)


def _records(document: Document, table: Table) -> Iterator[tuple[str, Record]]:
    for number, record in enumerate(document.get(table.name, ())):
        yield _named(f"{table.name}[{number}]", [record.get(name) for name in table.key]), record


def _named(place: str, key: Iterable[object]) -> str:
    """Return a record's place with its key, as far as it has a key."""
    texts = [text for text in key if isinstance(text, str)]
    return f'{place} ("{"/".join(texts)}")' if texts else place


def _delete(store: Store, table: Table, record: Record, place: str) -> None:
    key = stored_key(table, record, place)
    if not store.execute(f"DELETE FROM {table.name} WHERE {_has_key(table)}", key):  # noqa: S608 - our own names
        raise EmulatorError(f"{place}: the record to delete does not exist")


def _merge(store: Store, table: Table, record: Record, place: str, now: datetime) -> None:
    key = stored_key(table, record, place)
    present = store.one(f"SELECT * FROM {table.name} WHERE {_has_key(table)}", key)  # noqa: S608 - our own names
    merged = record if present is None else {**shown_record(table, present), **record}
    updates = ", ".join(f"{column.name} = excluded.{column.name}" for column in table.columns)
    # Replacing the row would delete it for a moment, and what belongs to it for good.
    statement = f"{_insertion(table)} ON CONFLICT ({', '.join(table.key)}) DO UPDATE SET {updates}"
    _write(store, statement, stored_row(table, merged, place, now), place)


def _insertion(table: Table) -> str:
    names = ", ".join(column.name for column in table.columns)
    marks = ", ".join("?" for _ in table.columns)
    return f"INSERT INTO {table.name} ({names}) VALUES ({marks})"  # noqa: S608 - our own names


def _has_key(table: Table) -> str:
    return " AND ".join(f"{name} = ?" for name in table.key)


def _write(store: Store, statement: str, row: Sequence[object], place: str) -> None:
    try:
        store.execute(statement, row)
    except IntegrityError as error:
        kind, _, details = str(error).partition(" constraint failed: ")
        if kind == "UNIQUE":
            names = " and ".join(name.partition(".")[2] for name in details.split(", "))
            raise EmulatorError(f"{place}: another record has the same {names}") from None
        raise EmulatorError(f"{place} must satisfy {details}") from None


def _check_references(store: Store) -> None:
    for violation in store.all("PRAGMA foreign_key_check"):
        table, parent = _BY_NAME[violation["table"]], violation["parent"]
        row = store.all(f"SELECT * FROM {table.name} WHERE rowid = ?", (violation["rowid"],))[0]  # noqa: S608 - our own name
        references = store.all(f"PRAGMA foreign_key_list({table.name})")
        names = [reference["from"] for reference in references if reference["id"] == violation["fkid"]]
        place = _named(table.name, [row[name] for name in table.key])
        values = ", ".join(f'{name} "{row[name]}"' for name in names)
        raise EmulatorError(f"{place}: {values} names one of {parent} that does not exist")
