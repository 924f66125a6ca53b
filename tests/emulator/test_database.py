"""Database files: what survives, and which files are refused."""

import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pulumi_dataprotection.emulator import EmulatorError, open_store
from support import Emulator
from support.emulator.cases import pairs


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


def test_the_content_and_the_clock_survive_a_restart(database: Path) -> None:
    with Emulator(database=str(database)) as emulator:
        emulator.patch({"orgs": [{"id": "org-new", "name": "Fabrikam"}]})
        emulator.advance(1_000_000)
        before = emulator.state()
    with Emulator(database=str(database)) as emulator:
        assert before == emulator.state()
        assert emulator.now() - datetime.now(UTC) > timedelta(days=11)


def test_a_database_with_content_is_one_file_and_not_seeded_again(used_database: Path) -> None:
    assert [used_database] == list(used_database.parent.iterdir())
    with Emulator("empty", database=str(used_database)) as emulator:
        assert len(emulator.state()["orgs"]) == 6


def test_an_empty_file_takes_a_seed_after_it_refused_another(database: Path) -> None:
    database.touch()
    with pytest.raises(EmulatorError):
        open_store(str(database), {"document": {"tenants": [{"id": "t", "org_id": "o"}]}}, datetime.now(UTC))
    with Emulator(database=str(database)) as emulator:
        assert len(emulator.state()["orgs"]) == 6


def test_a_database_in_use_is_refused(used_database: Path) -> None:
    store = open_store(str(used_database), {"seed": "demo"}, datetime.now(UTC))
    expected = f"the database {used_database} is in use: stop the emulator that uses it, or name another file"
    assert expected == refusal(used_database)
    store.close()


@pytest.mark.parametrize(("part", "lost"), [(0.9, 0), (0.5, 0), (0.1, 0), (1, 4096)])
def test_a_half_written_database_or_one_with_a_lost_page_is_refused(
    used_database: Path, part: float, lost: int
) -> None:
    os.truncate(used_database, int(used_database.stat().st_size * part))
    with used_database.open("r+b") as file:
        file.seek(4096 * 8 if lost else 0)
        file.write(bytes(lost))
    assert f"{used_database} is not a usable database of the emulator" in refusal(used_database)


FOREIGN = {
    "it holds the tables of another program": ["CREATE TABLE songs (title TEXT)", "PRAGMA user_version = 99"],
    "its schema has version 99, not 2": ["PRAGMA application_id = 1685089653; PRAGMA user_version = 99"],
}


@pytest.mark.parametrize(("reason", "statement"), pairs(FOREIGN))
def test_a_database_of_another_program_or_schema_is_refused(database: Path, reason: str, statement: str) -> None:
    connection = sqlite3.connect(database)
    connection.executescript(statement)
    connection.close()
    advice = "name another file, or delete this one if nothing in it is needed"
    assert f"{database} is not a usable database of the emulator ({reason}): {advice}" == refusal(database)


def modes(database: Path) -> dict[str, int]:
    """Return the permissions of a database and its side files."""
    return {path.name: path.stat().st_mode & 0o777 for path in database.parent.iterdir()}


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_only_its_owner_can_read_a_new_database(database: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with Emulator(database=str(database)) as emulator:
            emulator.patch({"orgs": [{"id": "org-new", "name": "Fabrikam"}]})
            open_modes = modes(database)
    finally:
        os.umask(before)
    assert {"estate.db": 0o600, "estate.db-wal": 0o600} == open_modes
    assert {"estate.db": 0o600} == modes(database)


@pytest.mark.parametrize("content", ["used", "empty", "killed"])
def test_an_older_database_is_closed_to_others(database: Path, tmp_path: Path, content: str) -> None:
    if content == "empty":
        database.touch()
    else:
        open_store(str(database), {"seed": "demo"}, datetime.now(UTC)).close()
    if content == "killed":
        # The side files of an emulator that was killed: copies of those of one that runs.
        with Emulator(database=str(database)) as emulator:
            emulator.patch({"orgs": [{"id": "org-new", "name": "Fabrikam"}]})
            files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        for name, kept in files.items():
            (tmp_path / name).write_bytes(kept)
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    with Emulator(database=str(database)) as emulator:
        emulator.patch({"orgs": [{"id": "org-new", "name": "Changed"}]})
        assert {0o600} == {*modes(database).values()}
        assert len(emulator.state()["orgs"]) == 7


def test_a_file_that_is_not_a_database_of_the_emulator_keeps_its_mode(database: Path) -> None:
    database.write_text("name,kind\n" * 100, encoding="utf-8")
    database.chmod(0o640)
    refusal(database)
    assert {"estate.db": 0o640} == modes(database)


def test_a_database_whose_mode_cannot_be_changed_is_refused(
    used_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: Path, _mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    # The tests may run as a user who owns everything, and may change every mode.
    monkeypatch.setattr(Path, "chmod", refuse)
    expected = f"cannot close the database {used_database} to other users: Operation not permitted"
    assert expected == refusal(used_database)


def test_a_file_in_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "its folder must exist and be writable" in refusal(tmp_path / "nowhere" / "estate.db")
