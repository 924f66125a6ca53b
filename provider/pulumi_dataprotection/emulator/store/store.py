"""The database: opening it, transactions and queries. Nothing else touches sqlite3."""

import os
import secrets
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from pulumi_dataprotection.emulator._errors import StoreError
from pulumi_dataprotection.emulator.store.schema import APPLICATION_ID, SCHEMA_VERSION, STATEMENTS

MEMORY = ":memory:"

Row = sqlite3.Row
IntegrityError = sqlite3.IntegrityError

_Parameters = Sequence[object] | Mapping[str, object]


_BASE_32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_id(now: datetime) -> str:
    """Return an unguessable id of a record that is made now, a ULID: 48 bits of milliseconds and 80 random bits."""
    number = int(now.timestamp() * 1000) << 80 | secrets.randbits(80)
    return "".join(_BASE_32[number >> shift & 31] for shift in range(125, -1, -5))


class Store:
    """One connection to one database, used by one request at a time.

    Args:
        database: the file, or ":memory:". A file that does not exist yet is created.

    Raises:
        StoreError: The file cannot be opened, is in use, or is not a database of this emulator.
    """

    def __init__(self, database: str = MEMORY) -> None:
        self.database = database
        try:
            self._connection = _connect(database)
        except (sqlite3.Error, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise StoreError(
                f"cannot open the database {database}: {reason}; its folder must exist and be writable"
            ) from None
        try:
            self._prepare()
            _close_to_others(database)
        except OSError as error:
            self._connection.close()
            raise StoreError(f"cannot close the database {database} to other users: {error.strerror}") from None
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise _unusable(database, error) from None
        except StoreError:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        # Two emulators on one file would each miss what the other did: the second one is refused at once.
        self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        (problem,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if problem != "ok":
            raise _unusable(self.database, problem)
        found = (self._pragma("application_id"), self._pragma("user_version"))
        if found == (0, 0) and self.one("SELECT 1 FROM sqlite_master") is None:
            return
        if found[0] != APPLICATION_ID:
            raise _unusable(self.database, "it holds the tables of another program")
        if found[1] != SCHEMA_VERSION:
            raise _unusable(self.database, f"its schema has version {found[1]}, not {SCHEMA_VERSION}")

    def _pragma(self, name: str) -> int:
        (value,) = self._connection.execute(f"PRAGMA {name}").fetchone()
        return int(value)

    @property
    def empty(self) -> bool:
        """Whether the tables are still to be created."""
        return self._pragma("user_version") == 0

    def create_tables(self) -> None:
        """Create the tables; within a transaction, so that a killed start leaves an empty file."""
        for statement in STATEMENTS:
            self._connection.execute(statement)

    @contextmanager
    def transaction(self, *, write: bool) -> Generator[None]:
        """Do all of the block, or nothing of it when it raises."""
        self._connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # A full disk, for one, has ended the transaction already.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def one(self, statement: str, parameters: _Parameters = ()) -> Row | None:
        """Return the first row, if any."""
        row: Row | None = self._connection.execute(statement, parameters).fetchone()
        return row

    def all(self, statement: str, parameters: _Parameters = ()) -> list[Row]:
        """Return all rows."""
        return self._connection.execute(statement, parameters).fetchall()

    def execute(self, statement: str, parameters: _Parameters = ()) -> int:
        """Run a statement that writes; return how many rows it touched."""
        return self._connection.execute(statement, parameters).rowcount

    def setting(self, name: str) -> str | None:
        """Return a setting of the emulator itself, if it was ever set."""
        row = self.one("SELECT value FROM settings WHERE name = ?", (name,))
        return None if row is None else str(row["value"])

    def set_setting(self, name: str, value: str) -> None:
        """Keep a setting of the emulator itself."""
        self.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (name, value))

    def copy(self) -> "Store":
        """Return a copy in memory, as of now; outside of transactions."""
        copy = Store()
        self._connection.backup(copy._connection)
        return copy

    def close(self) -> None:
        """Close the database; a file is complete without its side files then."""
        self._connection.close()


def _connect(database: str) -> sqlite3.Connection:
    if database != MEMORY:
        database = str(Path(database).expanduser())
        # SQLite gives its side files the mode of the database.
        with suppress(FileExistsError):
            os.close(os.open(database, os.O_CREAT | os.O_EXCL, 0o600))
    connection = sqlite3.connect(
        database,
        timeout=0.5,
        isolation_level=None,
        # Requests are answered one after the other on the event loop's thread, which need not be the opening one.
        check_same_thread=False,
        cached_statements=256,
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    # SQLite's own functions know only the cases of ASCII.
    connection.create_function("casefold", 1, str.casefold, deterministic=True)
    return connection


def _close_to_others(database: str) -> None:
    """Let only its owner read a database, also an older one with the side files of a killed emulator: it holds keys."""
    if database != MEMORY:
        for suffix in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                Path(database + suffix).expanduser().chmod(0o600)


def _unusable(database: str, reason: object) -> StoreError:
    if isinstance(reason, sqlite3.OperationalError) and "locked" in str(reason):
        return StoreError(f"the database {database} is in use: stop the emulator that uses it, or name another file")
    return StoreError(
        f"{database} is not a usable database of the emulator ({reason}): "
        "name another file, or delete this one if nothing in it is needed"
    )
