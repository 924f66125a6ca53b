"""`dataprotection adopt` as a process: killed, interrupted, twice at once, and on a folder with other files."""

import os
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from support import HANG, Emulator, until
from support.cli.adopting import adopt, files
from support.cli.commands import PYTHON, in_terminal
from support.cli.getting import run_unset, settings

SECOND_TENANT = {"operation": "list_resources", "path": "*/tenant-contoso/*", "do": ["stall:900"]}


def environment(emulator: Emulator) -> Mapping[str, str]:
    return {**os.environ, **settings(emulator, emulator.read_only_key), "DATAPROTECTION_REQUEST_TIMEOUT": "300"}


@contextmanager
def halfway(emulator: Emulator, out: Path) -> "Generator[subprocess.Popen[bytes]]":
    """Run the command until the first tenant is done, and it waits for the second."""
    command = [*PYTHON, "adopt", "--out", str(out)]
    with (
        emulator.faults(SECOND_TENANT),
        subprocess.Popen(command, env=environment(emulator), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process,
    ):
        try:
            until(lambda: not emulator.remaining_faults(), process)
            yield process
        finally:
            process.kill()
            process.communicate(timeout=HANG)
    emulator.clear_requests()


def read_tenants(emulator: Emulator) -> Counter[str]:
    """Return the number of requests for the contents of each tenant."""
    paths = [request["path"].split("/") for request in emulator.requests() if "/tenants/" in request["path"]]
    return Counter(path[path.index("tenants") + 1] for path in paths)


@pytest.mark.parametrize(("name", "status"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_an_ended_run_leaves_no_project_and_the_next_run_goes_on(
    emulator: Emulator, tmp_path: Path, name: signal.Signals, status: int
) -> None:
    adopt(emulator, tmp_path / "whole")
    emulator.clear_requests()
    out = tmp_path / "estate"
    with halfway(emulator, out) as process:
        process.send_signal(name)
        emulator.clear_faults()
        assert status == process.wait(timeout=HANG)
        assert not out.exists()
    result = adopt(emulator, out)
    assert (0, {"tenant-contoso": 4}) == (result.exit_code, read_tenants(emulator)), result.output
    assert files(tmp_path / "whole") == files(out)
    assert {"estate", "whole"} == {path.name for path in tmp_path.iterdir()}


def test_results_for_other_options_and_of_yesterday_are_read_again(emulator: Emulator, tmp_path: Path) -> None:
    out, both = tmp_path / "estate", {"tenant-adatum": 4, "tenant-contoso": 4}
    with halfway(emulator, out) as process:
        process.kill()
    assert 0 == adopt(emulator, out, "--on-conflict", "accept").exit_code
    assert both == read_tenants(emulator)

    with halfway(emulator, tmp_path / "late") as process:
        process.kill()
    (kept,) = tmp_path.glob(".late.adopting/*/*.json")
    os.utime(kept, (0, 0))
    assert 0 == adopt(emulator, tmp_path / "late").exit_code
    assert both == read_tenants(emulator)


def test_a_broken_result_is_read_again(emulator: Emulator, tmp_path: Path) -> None:
    with halfway(emulator, tmp_path / "estate") as process:
        process.kill()
    (kept,) = tmp_path.glob(".estate.adopting/*/*.json")
    kept.write_text('{"text": ')
    assert 0 == adopt(emulator, tmp_path / "estate").exit_code
    assert {"tenant-adatum": 4, "tenant-contoso": 4} == read_tenants(emulator)


def test_two_runs_do_not_write_one_folder(emulator: Emulator, tmp_path: Path) -> None:
    with halfway(emulator, tmp_path / "estate"):
        result = adopt(emulator, tmp_path / "estate")
        assert (1, True) == (result.exit_code, "another process" in result.stderr)


def test_an_empty_folder_is_used_and_other_files_are_never_replaced(emulator: Emulator, tmp_path: Path) -> None:
    empty, used, file = tmp_path / "empty", tmp_path / "used", tmp_path / "file"
    for folder in (empty, used):
        folder.mkdir()
    for path in (used / "notes.txt", file):
        path.write_text("mine")
    assert [0, 1, 2] == [adopt(emulator, out).exit_code for out in (empty, used, file)]
    assert (empty / "README.md").exists()
    assert ({"notes.txt": "mine"}, "mine") == (files(used), file.read_text())
    assert {"empty", "used", "file"} == {path.name for path in tmp_path.iterdir()}


def test_the_current_folder_is_not_replaced(
    emulator: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (1, []) == (adopt(emulator, Path()).exit_code, [*tmp_path.iterdir()])


def test_a_folder_that_cannot_be_made_is_an_error_without_a_traceback(emulator: Emulator, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = adopt(emulator, tmp_path / "file" / "estate")
    assert (1, True) == (result.exit_code, result.stderr.startswith("Error: Cannot write "))


def test_a_terminal_shows_the_progress(emulator: Emulator, tmp_path: Path) -> None:
    status, text = in_terminal(80, environment(emulator), "adopt", "--out", str(tmp_path / "estate"))
    assert (0, True, True) == (status, "tenants" in text, "2/2" in text), text


def test_a_terminal_shows_each_error_in_its_own_line(emulator: Emulator, tmp_path: Path) -> None:
    with emulator.faults({"operation": "list_protections", "path": "*/tenant-contoso/*", "do": [{"status": 403}]}):
        status, text = in_terminal(80, environment(emulator), "adopt", "--out", str(tmp_path / "estate"))
    # Each message begins a line, or follows the control sequence that clears the progress bar.
    assert (1, True) == (status, bool(re.search(r"(^|\x1b\[2K)Error: left out tenant", text, re.MULTILINE))), text
    assert "\\u001b" not in text


def test_without_settings_the_error_names_them(tmp_path: Path) -> None:
    result = run_unset("adopt", "--out", str(tmp_path / "estate"))
    assert (1, True, True) == (result.exit_code, "apiKey" in result.stderr, "--stack" in result.stderr)


def test_an_error_of_the_service_ends_it_with_one_line(emulator: Emulator, tmp_path: Path) -> None:
    with emulator.faults({"operation": "list_installations", "do": [{"status": 401}]}):
        result = adopt(emulator, tmp_path / "estate")
    assert (1, False) == (result.exit_code, (tmp_path / "estate").exists())
    assert 1 == result.stderr.count("Error: ")
