"""The file of a call budget: its privacy, its repair, and a client that cannot use it."""

import logging
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from pulumi_dataprotection.client import Client
from pulumi_dataprotection.client._transport.rate_limit import Budget
from support import run_process
from support.client.budgets import budget, take, waits
from support.scripted import KEY, DrivenClock, Scripted

Warnings = Callable[[], list[str]]

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
not_for_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may write to read-only folders")


@pytest.fixture
def folder(cache: Path) -> Path:
    """The folder of the budgets, which does not exist yet."""
    return cache / "pulumi-dataprotection" / "budget"


@pytest.fixture
def file(folder: Path) -> Path:
    """The path of the budget of the tests' key, in an existing folder."""
    take(budget(DrivenClock(), 1), 1)
    (file,) = (path for path in folder.iterdir() if path.suffix == "")
    file.unlink()
    return file


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Warnings:
    """The warnings of the client so far."""

    def texts() -> list[str]:
        records = [record for record in caplog.records if record.levelno > logging.INFO]
        assert {"pulumi_dataprotection.client._transport.rate_limit"} >= {record.name for record in records}
        return [record.getMessage() for record in records]

    return texts


def use_up(own: Budget) -> None:
    """Take all immediate slots, another slot, and a slot after a cool-down."""
    take(own, 6)
    own.cool_down(30)
    take(own, 1)


def test_a_client_without_a_budget_does_not_wait_and_writes_nothing(clock: DrivenClock, cache: Path) -> None:
    take(budget(clock, 0), 1000)
    assert ([], False) == (clock.waits, cache.exists())


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"garbage", bytes(range(200, 242)), b"0" * 100, b"9" * 5000, b"0 " * 5, b"-5 -7", b"1.5 2"),
        *(b"9" * 20 + b" " + b"0" * 20, b"0" * 20 + b" " + b"9" * 20, b" ".join([b"9" * 20] * 4)),
        b" ".join([b"0" * 20] * 3 + [b"9" * 20]),
        b" ".join([b"0" * 20] * 2 + [b"9" * 20, b"-9"]),
    ],
)
def test_a_broken_file_is_repaired(clock: DrivenClock, file: Path, content: bytes) -> None:
    file.write_bytes(content)
    for _ in range(6):
        take(budget(clock), 1)
    assert [0.1] == waits(clock)


def test_a_cool_down_outlives_the_content_of_the_file(clock: DrivenClock, file: Path) -> None:
    own = budget(clock)
    own.cool_down(30)
    file.write_bytes(b"garbage")
    take(own, 1)
    assert [30.1] == waits(clock)


def test_only_the_owner_can_use_the_folder_and_its_files(clock: DrivenClock, folder: Path) -> None:
    mask = os.umask(0)
    try:
        take(budget(clock), 1)
    finally:
        os.umask(mask)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert (0o700, {0o600}) == (stat.S_IMODE(folder.stat().st_mode), modes)


def test_no_file_no_name_and_no_log_line_holds_the_key(
    clock: DrivenClock, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    own = budget(clock)
    use_up(own)
    folder.chmod(0o755)
    take(own, 1)
    written = [path.read_text() + str(path) for path in folder.iterdir()]
    assert written
    assert KEY not in "".join([*written, caplog.text])


def test_relative_caches_are_ignored(clock: DrivenClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    take(budget(clock), 1)
    assert [".cache"] == [path.name for path in tmp_path.iterdir()]


CAUSES = {
    "a file in place of all caches": 'rm -r "$CACHE" && touch "$CACHE"',
    "a file in place of the folder": 'rm -r "$FOLDER" && touch "$FOLDER"',
    "a folder that others can read": 'chmod 755 "$FOLDER"',
    "a link in place of the folder": 'mv "$FOLDER" "$CACHE/other" && ln -s "$CACHE/other" "$FOLDER"',
    "a folder of another user": 'chown 12345:12345 "$FOLDER"',
    "caches that are read-only": 'rm -r "$CACHE"/* && chmod 500 "$CACHE"',
    "a folder in place of the file": 'mkdir "$FILE"',
    "a folder in place of the lock": 'rm "$FILE.lock" && mkdir "$FILE.lock"',
    "a full disk": 'ln -s /dev/full "$FILE"',
}
"""Shell commands after which a client cannot use its file."""
MARKS = {"a folder of another user": needs_root, "caches that are read-only": not_for_root}


def bring_about(cause: str, file: Path) -> None:
    places = {"CACHE": str(file.parents[2]), "FOLDER": str(file.parent), "FILE": str(file)}
    run_process(["sh", "-c", CAUSES[cause]], env={**os.environ, **places}, check=True)


@pytest.mark.parametrize("cause", [pytest.param(cause, marks=MARKS.get(cause, ())) for cause in CAUSES])
def test_a_client_without_its_file_has_a_budget_of_its_own_and_warns_once(
    clock: DrivenClock, file: Path, warnings: Warnings, cause: str
) -> None:
    bring_about(cause, file)
    use_up(budget(clock))
    # A full disk keeps no slot.
    assert ([0.1, 30.1], 1) == (sorted({*waits(clock)}), len(warnings()))


def test_a_client_without_a_home_has_a_budget_of_its_own_and_warns_once(
    clock: DrivenClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, warnings: Warnings
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "nowhere")
    monkeypatch.chdir(tmp_path)
    use_up(budget(clock))
    assert ([0.1, 30.1], 1, []) == (waits(clock), len(warnings()), list(tmp_path.iterdir()))


def test_a_client_does_not_wait_long_for_a_held_lock(clock: DrivenClock, file: Path, warnings: Warnings) -> None:
    with FileLock(file.with_suffix(".lock")):
        use_up(budget(clock, patience=0.01))
    assert ([0.1, 30.1], 1) == (waits(clock), len(warnings()))


def test_the_warning_names_the_folder_its_mode_and_the_variable(
    clock: DrivenClock, folder: Path, warnings: Warnings
) -> None:
    own = budget(clock)
    take(own, 1)
    folder.chmod(0o755)
    for _ in range(100):
        take(own, 1)
        clock.sleep(100)
    (warning,) = warnings()
    assert [] == [name for name in (str(folder), "0700", "429", "XDG_CACHE_HOME") if name not in warning]


@pytest.mark.parametrize("rate", [0, 10])
def test_the_content_of_a_folder_that_is_not_private_is_ignored(clock: DrivenClock, folder: Path, rate: float) -> None:
    budget(clock).cool_down(30)
    folder.chmod(0o777)
    take(budget(clock, rate), 1)
    assert [] == clock.waits


@pytest.mark.parametrize(("seconds", "expected"), [(59, []), (60, [1])])
def test_a_repaired_folder_is_used_again_after_a_minute(
    clock: DrivenClock, folder: Path, seconds: float, expected: list[float]
) -> None:
    own, other = budget(clock, 1), budget(clock, 1)
    take(own, 1)
    folder.chmod(0o755)
    take(own, 1)
    folder.chmod(0o700)
    clock.sleep(seconds - sum(clock.waits))
    clock.waits.clear()
    take(own, 1)
    take(other, 1)
    assert expected == clock.waits


def test_removed_files_are_created_again(clock: DrivenClock, cache: Path) -> None:
    one, other = budget(clock, 1), budget(clock, 1)
    take(one, 1)
    shutil.rmtree(cache)
    take(one, 1)
    take(other, 1)
    assert [1, 1] == waits(clock)


def test_a_check_takes_no_slot_and_changes_no_file(
    clock: DrivenClock, folder: Path, client: Client, server: Scripted
) -> None:
    own = budget(clock)
    own.check()
    use_up(own)
    before = [(path.name, path.stat().st_mode, path.read_bytes()) for path in sorted(folder.iterdir())]
    for _ in range(10):
        assert own.check() in folder.iterdir()
    assert before == [(path.name, path.stat().st_mode, path.read_bytes()) for path in sorted(folder.iterdir())]
    assert ([0.1, 30.1], True, []) == (waits(clock), client.check_budget().is_file(), server.requests)


@pytest.mark.parametrize("cause", [*CAUSES][:4])
def test_a_check_reports_a_folder_that_cannot_be_used(file: Path, cause: str) -> None:
    bring_about(cause, file)
    with pytest.raises(OSError, match=r"Not a directory|File exists|0700"):
        budget(DrivenClock()).check()


def test_a_check_reports_a_lock_that_another_process_holds(file: Path) -> None:
    with FileLock(f"{file}.lock"), pytest.raises(TimeoutError):
        budget(DrivenClock(), patience=0).check()
