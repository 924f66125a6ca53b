"""The command `dataprotection emulator serve`."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import httpx
import pytest
from click.testing import CliRunner

from pulumi_dataprotection.cli import main
from support import HANG, Emulator

COMMAND = (sys.executable, "-c", "from pulumi_dataprotection.cli import main; main()", "emulator", "serve")


@contextmanager
def started(*arguments: str) -> Generator[subprocess.Popen[str]]:
    """Run the command as a process of its own."""
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def announcement(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Wait for the line that says that requests are answered."""
    line: dict[str, Any] = json.loads(output(process).readline())
    return line


def output(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout


def failure(*arguments: str) -> str:
    """Run the command in this process, where it must fail cleanly, and return what it says."""
    result = CliRunner().invoke(main, ["emulator", "serve", *arguments])
    assert (result.exit_code, result.stdout) == (1, "")
    return result.stderr


@pytest.fixture
def seed_file(tmp_path: Path) -> Path:
    return tmp_path / "estate.json"


def test_one_line_of_json_says_where_and_with_which_keys() -> None:
    with started() as process:
        line = announcement(process)
        process.terminate()
        rest = output(process).read()
    expected = {
        "url": line["url"],
        "api_key": "emulator-full-access-key-4b1d9c",
        "read_only_key": "emulator-read-only-key-8e2f7a",
        "pid": process.pid,
    }
    assert (expected, "") == (line, rest)


def test_requests_are_answered_once_the_line_is_there() -> None:
    with started() as process:
        line = announcement(process)
        headers = {"Authorization": line["api_key"]}
        assert httpx.get(f"{line['url']}/api/v1/orgs/org-meridian", headers=headers).status_code == 200


def test_requests_are_not_logged_to_the_terminal() -> None:
    with started() as process:
        httpx.get(f"{announcement(process)['url']}/api/v1/orgs/org-meridian")
        process.terminate()
        _, errors = process.communicate(timeout=HANG)
    assert "/api/v1" not in errors


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(number: signal.Signals) -> None:
    with started() as process:
        announcement(process)
        process.send_signal(number)
        assert process.wait(timeout=HANG) == 0


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    database = str(tmp_path / "estate.db")
    with started("--db", database) as process:
        line = announcement(process)
        headers = {"Authorization": line["api_key"]}
        with httpx.Client(base_url=f"{line['url']}/api/v1/", headers=headers, timeout=HANG) as client:
            answers = [client.post("orgs", params={"external_id": f"crm-{number}"}).json() for number in range(20)]
        process.kill()
    with Emulator(database=database) as emulator:
        assert {answer["org"]["id"] for answer in answers} <= {org["id"] for org in emulator.state()["orgs"]}


def test_the_state_of_one_emulator_is_a_seed_file_of_another(emulator: Emulator, seed_file: Path) -> None:
    before = emulator.state()
    seed_file.write_text(json.dumps(before), encoding="utf-8")
    with started("--seed", str(seed_file)) as process:
        assert before == httpx.get(f"{announcement(process)['url']}/_emulator/state").json()


def test_a_seed_file_brings_its_own_keys(seed_file: Path) -> None:
    key = {"name": "Own", "key": "own-key", "permissions": ["read"]}
    seed_file.write_text(json.dumps({"keys": [key]}), encoding="utf-8")
    with started("--seed", str(seed_file)) as process:
        line = announcement(process)
    assert (line["api_key"], line["read_only_key"]) == (None, "own-key")


def test_a_port_in_use_is_a_clear_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with started("--port", str(port)) as process:
            outputs = process.communicate(timeout=HANG)
    expected = f"Error: cannot listen on 127.0.0.1:{port}: Address already in use; port 0 takes any free one\n"
    assert (1, ("", expected)) == (process.returncode, outputs)


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
def test_an_address_that_is_not_this_machines_is_a_clear_error(host: str) -> None:
    assert f"Error: cannot listen on {host}" in failure("--host", host)


def test_a_database_that_cannot_be_used_is_a_clear_error(tmp_path: Path) -> None:
    database = tmp_path / "estate.db"
    database.write_text("name,kind\n" * 100, encoding="utf-8")
    assert f"Error: {database} is no usable database of the emulator" in failure("--db", str(database))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "is no seed (demo, empty or large:TENANTSxRESOURCES), and as a file: No such file or directory"),
        ("{", "is not JSON"),
        ('{"people": []}', 'unknown section "people"'),
        ('{"tenants": [{"id": "t", "org_id": "o"}]}', "tenants: a record names one of orgs that is not there"),
    ],
    ids=["missing", "not JSON", "unknown section", "loose end"],
)
def test_a_seed_that_is_none_is_a_clear_error(seed_file: Path, content: str | None, reason: str) -> None:
    if content is not None:
        seed_file.write_text(content, encoding="utf-8")
    assert reason in failure("--seed", str(seed_file))


def test_without_the_extra_the_error_says_how_to_install_it() -> None:
    program = "import sys; sys.modules['uvicorn'] = None; from pulumi_dataprotection.cli import main; main()"
    finished = subprocess.run(
        [sys.executable, "-c", program, "emulator", "serve"], capture_output=True, text=True, timeout=HANG, check=False
    )
    expected = (
        "Error: the emulator needs more packages: pip install 'pulumi-dataprotection[emulator]' (uvicorn is missing)\n"
    )
    assert (1, expected) == (finished.returncode, finished.stderr)
