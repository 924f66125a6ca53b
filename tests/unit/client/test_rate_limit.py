"""When a call may go out, what the users of a key know of each other, and what becomes of it when they cannot."""

import logging
import os
import shutil
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock

from pulumi_dataprotection.client import Client, Settings
from pulumi_dataprotection.client._transport.rate_limit import Budget
from support.client.examples import GET
from support.scripted import KEY, DrivenClock, InterruptedClock, Scripted, StandingClock, told

URL = "https://service.example"
Warnings = Callable[[], list[str]]

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
not_for_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may write to what is read-only")


def budget(clock: DrivenClock, rate: float = 10, *, api_key: str = KEY, base_url: str = URL) -> Budget:
    return Budget(Settings(api_key, base_url, calls_per_second=rate), clock)


def waits(clock: DrivenClock) -> list[float]:
    return [round(wait, 3) for wait in clock.waits]


@pytest.fixture
def folder(cache: Path) -> Path:
    """The budgets' folder, which is not there yet."""
    return cache / "pulumi-dataprotection" / "budget"


@pytest.fixture
def file(folder: Path) -> Path:
    """The file of the tests' key; it and its folder are there."""
    budget(DrivenClock(), 1).wait_for_slot()
    (file,) = (path for path in folder.iterdir() if path.suffix == "")
    file.unlink()
    return file


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Warnings:
    """What was logged of the client for people to see."""

    def texts() -> list[str]:
        records = [record for record in caplog.records if record.levelno > logging.INFO]
        assert {"pulumi_dataprotection.client._transport.rate_limit"} >= {record.name for record in records}
        return [record.getMessage() for record in records]

    return texts


@pytest.mark.parametrize(
    ("rate", "burst", "interval"),
    [(0.01, 1, 100), (0.5, 1, 2), (1, 1, 1), (2.5, 1, 0.4), (3, 1, 0.334), (5, 2, 0.2), (10, 5, 0.1), (100, 50, 0.01)],
)
def test_half_a_second_of_calls_goes_out_at_once_and_then_one_after_the_other(
    clock: DrivenClock, rate: float, burst: int, interval: float
) -> None:
    own = budget(clock, rate)
    for _ in range(burst + 3):
        own.wait_for_slot()
    assert [interval] * 3 == waits(clock)


def test_what_was_not_called_for_half_a_second_may_be_called_at_once(clock: DrivenClock) -> None:
    own = budget(clock)
    for _ in range(5):
        own.wait_for_slot()
    clock.sleep(0.5)
    clock.waits.clear()
    for _ in range(5):
        own.wait_for_slot()
    assert [] == clock.waits


@pytest.mark.parametrize("rate", [1e-310, 1e310, 1e9])
def test_a_rate_that_is_absurd_lets_the_first_call_out(clock: DrivenClock, rate: float) -> None:
    budget(clock, rate).wait_for_slot()
    assert [] == clock.waits


def test_the_slowest_rate_is_a_call_a_day(clock: DrivenClock) -> None:
    own = budget(clock, 1e-9)
    own.wait_for_slot()
    own.wait_for_slot()
    assert [86400] == clock.waits


def test_without_a_budget_nobody_waits_and_nothing_is_written(clock: DrivenClock, cache: Path) -> None:
    own = budget(clock, 0)
    for _ in range(1000):
        own.wait_for_slot()
    assert ([], False) == (clock.waits, cache.exists())


def test_two_clients_with_one_key_share_the_budget(clock: DrivenClock) -> None:
    one, other = budget(clock), budget(clock)
    for _ in range(4):
        one.wait_for_slot()
        other.wait_for_slot()
    assert [0.1, 0.1, 0.1] == waits(clock)


def test_threads_of_two_clients_get_a_turn_each() -> None:
    clock = StandingClock()
    budgets = [budget(clock), budget(clock)] * 15
    with ThreadPoolExecutor(30) as threads:
        list(threads.map(Budget.wait_for_slot, budgets))
    assert [round(0.1 * turn, 3) for turn in range(1, 26)] == sorted(clock.waits)


@pytest.mark.parametrize(
    ("api_key", "base_url"), [("another-key", URL), (KEY, "https://other.example")], ids=["key", "service"]
)
def test_another_key_and_another_service_have_a_budget_of_their_own(
    clock: DrivenClock, api_key: str, base_url: str
) -> None:
    budget(clock, 1).wait_for_slot()
    budget(clock, 1).cool_down(60)
    budget(clock, 1, api_key=api_key, base_url=base_url).wait_for_slot()
    assert [] == clock.waits


@pytest.mark.parametrize(("of_one", "of_other", "wait"), [(0, 0, 30), (0, 10, 30), (10, 0, 30), (10, 10, 30.1)])
def test_a_cool_down_is_for_all_with_the_key(clock: DrivenClock, of_one: float, of_other: float, wait: float) -> None:
    budget(clock, of_one).cool_down(30)
    budget(clock, of_other).wait_for_slot()
    assert [wait] == waits(clock)


@pytest.mark.parametrize(("headers", "least", "most"), [({"Retry_After": "30"}, 30, 30), ({}, 0, 1)])
def test_the_client_that_was_refused_keeps_another_one_from_calling(
    server: Scripted, headers: dict[str, str], least: float, most: float
) -> None:
    clocks = DrivenClock(), DrivenClock()
    server.script(told({}, 429, **headers), told({"id": "o-1"}), told({"id": "o-1"}))
    for clock in clocks:
        client = Client(Settings(KEY, server.url, calls_per_second=0), clock=clock)
        client.send(GET)
        client.close()
    own, of_other = (sum(clock.waits) for clock in clocks)
    assert least <= own <= most + 1
    assert least <= of_other <= most


def test_who_is_refused_again_and_again_keeps_others_for_a_second_at_most(server: Scripted) -> None:
    settings = Settings(KEY, server.url, calls_per_second=0)
    of_others: list[float] = []

    class Asking(DrivenClock):
        """Asks before each wait how long somebody else would have to."""

        def sleep(self, seconds: float, /) -> None:
            other = DrivenClock()
            other.sleep(self.monotonic() - other.monotonic())
            other.waits.clear()
            Budget(settings, other).wait_for_slot()
            of_others.append(sum(other.waits))
            super().sleep(seconds)

    client = Client(settings, clock=Asking())
    server.script(*[told({}, 429)] * 7, told({"id": "o-1"}))
    client.send(GET)
    client.close()
    assert 0 < max(of_others) <= 1


@pytest.mark.parametrize("rate", [0, 10])
def test_a_cool_down_is_over_after_10_minutes(clock: DrivenClock, rate: float) -> None:
    budget(clock, rate).cool_down(999_999)
    budget(clock, 0).wait_for_slot()
    assert [600] == clock.waits


def test_a_shorter_cool_down_does_not_end_a_longer_one(clock: DrivenClock) -> None:
    own = budget(clock, 0)
    own.cool_down(30)
    own.cool_down(2)
    own.wait_for_slot()
    assert [30] == clock.waits


def test_a_cool_down_gives_no_turn_back(clock: DrivenClock) -> None:
    own = budget(StandingClock(), 1)
    for _ in range(5):
        own.wait_for_slot()
    own.cool_down(2)
    budget(clock, 1).wait_for_slot()
    assert [5] == clock.waits


def test_after_a_cool_down_one_goes_after_the_other() -> None:
    budget(DrivenClock()).cool_down(30)
    clocks = [DrivenClock() for _ in range(3)]
    for clock in clocks:
        budget(clock).wait_for_slot()
    assert [[30.1], [30.2], [30.3]] == [waits(clock) for clock in clocks]


@pytest.mark.parametrize(("rate", "expected"), [(0, [30, 20]), (10, [30, 20.1])])
def test_a_cool_down_that_begins_while_somebody_waits_is_waited_for(rate: float, expected: list[float]) -> None:
    clock = InterruptedClock()
    clock.meanwhile = lambda: budget(clock).cool_down(50)
    own = budget(clock, rate)
    budget(clock, 0).cool_down(30)
    own.wait_for_slot()
    assert expected == waits(clock)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        bytes(range(200, 242)),
        b"0" * 42,
        b"0" * 20 + b" " + b"0" * 19,
        b"0" * 100,
        b"nan nan",
        b"inf 0",
        b"-5 -7",
        b"1.5 2",
        b"9" * 20 + b" " + b"0" * 20,
        b"0" * 20 + b" " + b"9" * 20,
        b"9" * 20 + b" " + b"9" * 20,
        b"9" * 5000,
    ],
)
def test_a_broken_file_heals(clock: DrivenClock, file: Path, content: bytes) -> None:
    file.write_bytes(content)
    for _ in range(6):
        budget(clock).wait_for_slot()
    assert [0.1] == waits(clock)


def test_a_cool_down_outlives_the_file(clock: DrivenClock, file: Path) -> None:
    own = budget(clock)
    own.cool_down(30)
    file.write_bytes(b"garbage")
    own.wait_for_slot()
    assert [30.1] == waits(clock)


@pytest.mark.parametrize(("ahead", "expected"), [(3600, []), (60, [61.6])])
def test_a_clock_that_is_set_back_makes_nobody_wait_long(
    clock: DrivenClock, ahead: float, expected: list[float]
) -> None:
    clock.sleep(ahead)
    for _ in range(20):
        budget(clock).wait_for_slot()
    earlier = DrivenClock()
    budget(earlier).wait_for_slot()
    assert expected == waits(earlier)


@pytest.mark.parametrize(("ahead", "expected"), [(300, []), (100, [500.1])])
def test_a_clock_that_is_set_back_makes_a_cool_down_no_longer_than_10_minutes(
    clock: DrivenClock, ahead: float, expected: list[float]
) -> None:
    clock.sleep(ahead)
    budget(clock).cool_down(400)
    earlier = DrivenClock()
    budget(earlier).wait_for_slot()
    assert expected == waits(earlier)


def test_the_folder_and_its_files_are_for_their_owner_alone(clock: DrivenClock, folder: Path) -> None:
    mask = os.umask(0)
    try:
        budget(clock).wait_for_slot()
    finally:
        os.umask(mask)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert (0o700, {0o600}) == (stat.S_IMODE(folder.stat().st_mode), modes)


def test_the_key_stands_in_no_file_in_no_name_and_in_no_log(
    clock: DrivenClock, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    own = budget(clock)
    own.wait_for_slot()
    own.cool_down(5)
    folder.chmod(0o755)
    own.wait_for_slot()
    written = [path.read_text() + str(path) for path in folder.iterdir()]
    assert written
    assert KEY not in "".join([*written, caplog.text])


def test_a_relative_folder_for_caches_counts_as_none(
    clock: DrivenClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    budget(clock).wait_for_slot()
    assert [".cache"] == [path.name for path in tmp_path.iterdir()]


def _file_for_the_caches(cache: Path, _folder: Path) -> None:
    cache.write_text("")


def _file_for_the_folder(_cache: Path, folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("")


def _readable_by_all(_cache: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o755)


def _link(cache: Path, folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    cache.with_name("elsewhere").mkdir(mode=0o700)
    folder.symlink_to(cache.with_name("elsewhere"))


def _of_somebody_else(_cache: Path, folder: Path) -> None:
    folder.mkdir(parents=True, mode=0o700)
    os.chown(folder, 12345, 12345)


def _read_only(cache: Path, _folder: Path) -> None:
    cache.mkdir(mode=0o500)


@pytest.mark.parametrize(
    "spoil",
    [
        _file_for_the_caches,
        _file_for_the_folder,
        _readable_by_all,
        _link,
        pytest.param(_of_somebody_else, marks=needs_root),
        pytest.param(_read_only, marks=not_for_root),
    ],
)
def test_without_a_folder_of_its_own_a_client_keeps_to_the_budget_alone_and_warns_once(
    clock: DrivenClock, cache: Path, folder: Path, warnings: Warnings, spoil: Callable[[Path, Path], None]
) -> None:
    spoil(cache, folder)
    _use_up(budget(clock))
    assert ([0.1, 30.1], 1) == (waits(clock), len(warnings()))


def _folder_for_the_file(file: Path) -> None:
    file.mkdir()


def _folder_for_the_lock(file: Path) -> None:
    lock = file.with_suffix(".lock")
    lock.unlink(missing_ok=True)
    lock.mkdir()


def _full_disk(file: Path) -> None:
    file.symlink_to("/dev/full")


@pytest.mark.parametrize("spoil", [_folder_for_the_file, _folder_for_the_lock, _full_disk])
def test_without_its_file_a_client_keeps_to_the_budget_alone_and_warns_once(
    clock: DrivenClock, file: Path, warnings: Warnings, spoil: Callable[[Path], None]
) -> None:
    spoil(file)
    _use_up(budget(clock))
    assert (30.1, 1) == (waits(clock)[-1], len(warnings()))


def test_without_a_home_a_client_keeps_to_the_budget_alone_and_warns_once(
    clock: DrivenClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, warnings: Warnings
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "nowhere")
    monkeypatch.chdir(tmp_path)
    _use_up(budget(clock))
    assert ([0.1, 30.1], 1, []) == (waits(clock), len(warnings()), list(tmp_path.iterdir()))


def test_a_lock_that_another_keeps_is_not_waited_for_long(clock: DrivenClock, file: Path, warnings: Warnings) -> None:
    with FileLock(file.with_suffix(".lock")):
        _use_up(Budget(Settings(KEY, URL), clock, patience=0.01))
    assert ([0.1, 30.1], 1) == (waits(clock), len(warnings()))


def test_the_warning_says_what_is_wrong_and_what_to_do(clock: DrivenClock, folder: Path, warnings: Warnings) -> None:
    _readable_by_all(folder.parents[1], folder)
    budget(clock).wait_for_slot()
    expected = (
        "the call budget is not shared with other processes, and the service may refuse calls (429): "
        f"{folder} is not a folder of mode 0700 that belongs to this user. "
        f"Make {folder} a folder that is yours alone (mode 0700), or set XDG_CACHE_HOME to a folder for caches"
    )
    assert [expected] == warnings()


def test_it_warns_once_however_long_it_goes_on(clock: DrivenClock, folder: Path, warnings: Warnings) -> None:
    _readable_by_all(folder.parents[1], folder)
    own = budget(clock)
    for _ in range(100):
        own.wait_for_slot()
        clock.sleep(100)
    assert 1 == len(warnings())


@pytest.mark.parametrize("rate", [0, 10])
def test_a_folder_that_is_not_private_is_not_believed(clock: DrivenClock, folder: Path, rate: float) -> None:
    budget(clock).cool_down(30)
    folder.chmod(0o777)
    budget(clock, rate).wait_for_slot()
    assert [] == clock.waits


@pytest.mark.parametrize(("seconds", "expected"), [(59, []), (60, [1])])
def test_a_folder_that_was_put_in_order_is_used_again_after_a_minute(
    clock: DrivenClock, folder: Path, seconds: float, expected: list[float]
) -> None:
    own, other = budget(clock, 1), budget(clock, 1)
    own.wait_for_slot()
    folder.chmod(0o755)
    own.wait_for_slot()
    folder.chmod(0o700)
    clock.sleep(seconds - sum(clock.waits))
    clock.waits.clear()
    own.wait_for_slot()
    other.wait_for_slot()
    assert expected == clock.waits


def test_files_that_are_removed_while_clients_run_are_made_again(clock: DrivenClock, cache: Path) -> None:
    one, other = budget(clock, 1), budget(clock, 1)
    one.wait_for_slot()
    shutil.rmtree(cache)
    one.wait_for_slot()
    other.wait_for_slot()
    assert [1, 1] == waits(clock)


def _use_up(own: Budget) -> None:
    """Call as often as goes at once, once more, and once after a cool-down."""
    for _ in range(6):
        own.wait_for_slot()
    own.cool_down(30)
    own.wait_for_slot()


def test_looking_at_the_budget_takes_no_turn(clock: DrivenClock, client: Client, server: Scripted) -> None:
    own = budget(clock)
    for _ in range(10):
        own.check()
    _use_up(own)
    assert [0.1, 30.1] == waits(clock)
    assert (client.check_budget().is_file(), server.requests) == (True, [])


def test_looking_at_the_budget_changes_nothing_of_it(clock: DrivenClock, folder: Path) -> None:
    own = budget(clock)
    own.cool_down(30)
    before = [(path.name, path.stat().st_mode, path.read_bytes()) for path in sorted(folder.iterdir())]
    assert own.check() in folder.iterdir()
    assert before == [(path.name, path.stat().st_mode, path.read_bytes()) for path in sorted(folder.iterdir())]


@pytest.mark.parametrize("spoil", [_file_for_the_caches, _file_for_the_folder, _readable_by_all, _link])
def test_looking_at_the_budget_tells_that_its_folder_cannot_be_used(
    cache: Path, folder: Path, spoil: Callable[[Path, Path], None]
) -> None:
    spoil(cache, folder)
    with pytest.raises(OSError, match=r"Not a directory|File exists|not a folder of mode 0700"):
        budget(DrivenClock()).check()


def test_looking_at_the_budget_tells_that_somebody_else_keeps_it(file: Path) -> None:
    with FileLock(f"{file}.lock"), pytest.raises(TimeoutError):
        Budget(Settings(KEY, URL), DrivenClock(), patience=0).check()
