"""The command `dataprotection emulator serve`."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from pulumi_dataprotection.cli import main
from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from support import HANG, Emulator, run_process

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
    assert process.stdout is not None
    line: dict[str, Any] = json.loads(process.stdout.readline())
    return line


def failure(*arguments: str) -> str:
    """Run the command in this process until its clean failure, and return its error."""
    result = CliRunner().invoke(main, ["emulator", "serve", *arguments])
    assert (result.exit_code, result.stdout) == (1, "")
    return result.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_only_a_line_with_the_address_and_the_keys_is_printed_until_a_signal_ends_it(number: signal.Signals) -> None:
    with started() as process:
        line = announcement(process)
        response = httpx.get(f"{line['url']}/api/v1/orgs/org-meridian", headers={"Authorization": line["api_key"]})
        process.send_signal(number)
        outputs = process.communicate(timeout=HANG)
    expected = {
        "url": line["url"],
        "api_key": "emulator-full-access-key-4b1d9c",
        "read_only_key": "emulator-read-only-key-8e2f7a",
        "pid": process.pid,
    }
    assert (expected, 200, "") == (line, response.status_code, outputs[0])
    assert "/api/v1" not in outputs[1]
    assert process.returncode == 0


def test_the_state_of_an_emulator_is_a_seed_file_of_another_with_keys_of_its_own(
    emulator: Emulator, tmp_path: Path
) -> None:
    keys = [{"name": "Own", "key": "own-key", "permissions": ["read"], "expires_at": None}]
    before = {**emulator.state(), "keys": keys, "installations": []}
    seed_file = tmp_path / "seed.json"
    seed_file.write_text(json.dumps(before), encoding="utf-8")
    with started("--seed", str(seed_file)) as process:
        line = announcement(process)
        assert before == httpx.get(f"{line['url']}/_emulator/state").json()
    assert (line["api_key"], line["read_only_key"]) == (None, "own-key")


def test_a_port_in_use_is_a_clear_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with started("--port", str(port)) as process:
            outputs = process.communicate(timeout=HANG)
    expected = f"Error: cannot listen on 127.0.0.1:{port}: Address already in use; port 0 takes any free one\n"
    assert (1, ("", expected)) == (process.returncode, outputs)


NO_SEED = (
    "is no seed (demo, one-tenant, customer-left, empty, large:TENANTSxRESOURCES or "
    "estate:CUSTOMERSxTENANTSxSEATS), and as a file: No such file or directory"
)
NO_DIALECT = "is no dialect (published, plain, strict, terse, late, foreign), and as a file: No such file or directory"


# The options with the content of their file, by a part of the message; None if the file does not exist.
UNUSABLE: dict[str, tuple[str, str | None]] = {
    "is not a usable database of the emulator": ("--db", "name,kind\n" * 100),
    NO_SEED: ("--seed", None),
    "the seed file": ("--seed", "{"),
    'unknown section "people"': ("--seed", '{"people": []}'),
    "names one of orgs that does not exist": ("--seed", '{"tenants": [{"id": "t", "org_id": "o"}]}'),
    NO_DIALECT: ("--dialect", None),
    "is not JSON": ("--dialect", "{"),
    "a dialect is an object of variants": ("--dialect", "[]"),
    "times: Input should be": ("--dialect", '{"times": "minutes"}'),
}


@pytest.mark.parametrize("reason", UNUSABLE)
def test_a_file_that_cannot_be_used_is_a_clear_error(tmp_path: Path, reason: str) -> None:
    file, (option, content) = tmp_path / "file", UNUSABLE[reason]
    if content is not None:
        file.write_text(content, encoding="utf-8")
    error = failure(option, str(file))
    assert (True, True) == (error.startswith("Error: "), reason in error)


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
def test_an_address_that_is_not_this_machines_is_a_clear_error(host: str) -> None:
    assert f"Error: cannot listen on {host}" in failure("--host", host)


def test_the_dialect_of_a_file_is_served_and_restored_by_a_reset(tmp_path: Path) -> None:
    file = tmp_path / "dialect.json"
    file.write_text('{"preset": "terse", "times": "offset"}', encoding="utf-8")
    with started("--dialect", str(file)) as process:
        url = announcement(process)["url"]
        with httpx.Client(base_url=f"{url}/_emulator/", timeout=HANG) as client:
            before = client.get("dialect").json()
            client.put("dialect", json={}).raise_for_status()
            client.post("reset").raise_for_status()
            after = client.get("dialect").json()
    expected = PRESETS["terse"].model_copy(update={"times": "offset"}).model_dump()
    assert (expected, expected) == (before, after)


@pytest.mark.parametrize("name", ["0.0.0.0", "localhost", "127.0.0.1"])  # noqa: S104 - on a machine of tests
def test_the_control_plane_takes_the_address_that_the_emulator_listens_on(name: str) -> None:
    with started("--host", "0.0.0.0") as process:  # noqa: S104
        url = httpx.URL(announcement(process)["url"]).copy_with(host=name)
        statuses = [
            httpx.get(url.join("/_emulator/health"), headers=headers).status_code
            for headers in ({}, {"Origin": str(url)}, {"Host": "evil.example"}, {"Origin": "https://evil.example"})
        ]
    assert [200, 200, 403, 403] == statuses


def test_without_the_extra_the_error_says_how_to_install_it() -> None:
    program = "import sys; sys.modules['uvicorn'] = None; from pulumi_dataprotection.cli import main; main()"
    finished = run_process([sys.executable, "-c", program, "emulator", "serve"])
    expected = (
        "Error: the emulator needs more packages: pip install 'pulumi-dataprotection[emulator]' (uvicorn is missing)\n"
    )
    assert (1, expected) == (finished.returncode, finished.stderr)
