"""Database files: what survives, and which files are refused."""

import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from pulumi_dataprotection.emulator import EmulatorError, open_store
from support import Emulator


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "estate.db"


@pytest.fixture
def used_database(database: Path) -> Path:
    """A database that an emulator has filled and closed."""
    open_store(str(database), {"seed": "demo"}, datetime.now(UTC)).close()
    return database


def refusal(database: Path) -> str:
    with pytest.raises(EmulatorError) as caught:
        open_store(str(database), {"seed": "demo"}, datetime.now(UTC))
    return str(caught.value)


def change(database: Path, statement: str) -> None:
    connection = sqlite3.connect(database)
    connection.execute(statement)
    connection.close()


def test_what_was_written_survives_a_restart(database: Path) -> None:
    with Emulator(database=str(database)) as emulator:
        headers = {"Authorization": emulator.api_key}
        httpx.post(f"{emulator.url}/api/v1/orgs", params={"name": "Fabrikam"}, headers=headers).raise_for_status()
        before = emulator.state()
    with Emulator(database=str(database)) as emulator:
        assert before == emulator.state()


def test_the_clock_survives_a_restart(database: Path) -> None:
    with Emulator(database=str(database)) as emulator:
        emulator.advance(1_000_000)
    with Emulator(database=str(database)) as emulator:
        assert emulator.now() - datetime.now(UTC) > timedelta(days=11)


def test_a_database_with_content_is_not_seeded_again(used_database: Path) -> None:
    with Emulator("empty", database=str(used_database)) as emulator:
        assert len(emulator.state()["orgs"]) == 6


def test_a_closed_database_is_one_file(used_database: Path) -> None:
    assert [used_database] == list(used_database.parent.iterdir())


def test_an_empty_file_becomes_a_database(database: Path) -> None:
    database.touch()
    with Emulator(database=str(database)) as emulator:
        assert len(emulator.state()["orgs"]) == 6


def test_a_refused_seed_leaves_a_database_that_takes_another(database: Path) -> None:
    with pytest.raises(EmulatorError):
        open_store(str(database), {"document": {"tenants": [{"id": "t", "org_id": "o"}]}}, datetime.now(UTC))
    with Emulator(database=str(database)) as emulator:
        assert len(emulator.state()["orgs"]) == 6


def test_a_database_in_use_is_refused(used_database: Path) -> None:
    store = open_store(str(used_database), {"seed": "demo"}, datetime.now(UTC))
    expected = f"the database {used_database} is in use: stop the emulator that uses it, or name another file"
    assert expected == refusal(used_database)
    store.close()


@pytest.mark.parametrize("part", [0.9, 0.5, 0.1])
def test_a_half_written_database_is_refused(used_database: Path, part: float) -> None:
    os.truncate(used_database, int(used_database.stat().st_size * part))
    assert f"{used_database} is no usable database of the emulator" in refusal(used_database)


def test_a_database_with_a_lost_page_is_refused(used_database: Path) -> None:
    with used_database.open("r+b") as file:
        file.seek(4096 * 8)
        file.write(bytes(4096))
    assert f"{used_database} is no usable database of the emulator" in refusal(used_database)


def test_a_file_that_is_no_database_is_refused(database: Path) -> None:
    database.write_text("name,kind\n" * 100, encoding="utf-8")
    expected = (
        f"{database} is no usable database of the emulator (file is not a database): "
        "name another file, or delete this one if nothing in it is needed"
    )
    assert expected == refusal(database)


def test_a_database_of_another_program_is_refused(database: Path) -> None:
    change(database, "CREATE TABLE songs (title TEXT)")
    assert "it holds the tables of another program" in refusal(database)


def test_a_database_of_another_schema_is_refused(used_database: Path) -> None:
    change(used_database, "PRAGMA user_version = 99")
    assert "its schema has version 99, not 1" in refusal(used_database)


def test_a_file_in_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "its folder must exist and be writable" in refusal(tmp_path / "nowhere" / "estate.db")
