"""How `dataprotection doctor` tells what it found."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import HANG
from support.cli.visit import KEY, Visit
from support.scripted import Scripted, told

LONG = "https://no-such-host.invalid/" + "long-" * 20
COMMAND = (sys.executable, "-c", "from pulumi_dataprotection.cli import main; main()", "doctor")


@pytest.fixture
def visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    return Visit(tmp_path, monkeypatch)


def on_a_terminal(columns: int) -> str:
    """Run the command where its output is a terminal, and return what it wrote there."""
    ours, its = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color"}
    with subprocess.Popen(COMMAND, env=environment, stdin=subprocess.DEVNULL, stdout=its, stderr=its) as process:
        os.close(its)
        written = b""
        # Linux answers the end of a terminal with an error.
        try:
            while piece := os.read(ours, 65536):
                written += piece
        except OSError:
            pass
        assert process.wait(timeout=HANG) == 1
    os.close(ours)
    return written.decode()


def test_a_table_has_a_line_for_each_check_and_below_it_what_to_do(visit: Visit) -> None:
    (visit.path / "pulumi").unlink()
    visit.set(DATAPROTECTION_URL="")
    rows = visit.rows()
    lines = [line.rstrip() for line in visit.run().stdout.splitlines()]
    table, advice = lines[1 : len(rows) + 1], "\n".join(lines[len(rows) + 1 :])
    assert [f"{row.name} {row.result} {row.found}" for row in rows.values()] == [
        re.sub(r" {2,}", " ", line) for line in table
    ]
    expected = [row for row in rows.values() if row.result in {"warning", "failed"}]
    assert {"pulumi command", "base URL", "other settings"} == {row.name for row in expected}
    assert "".join(f"\n{row.name}: {row.advice}.\n" for row in expected) == f"{advice}\n"


def test_the_exit_status_is_0_where_nothing_failed(visit: Visit) -> None:
    with Scripted() as server:
        visit.set(DATAPROTECTION_BASE_URL=server.url, DATAPROTECTION_URL="")
        server.script(told({"items": [{"tenant_id": "t-1"}]}), told({"id": "t-1"}))
        result = visit.run()
    assert (0, True) == (result.exit_code, "warning" in result.stdout)


def test_what_is_not_written_to_a_terminal_has_no_colours(visit: Visit) -> None:
    assert "\x1b" not in visit.run().output


@pytest.mark.parametrize("columns", [50, 80])
def test_nothing_is_cut_off_on_a_terminal(visit: Visit, columns: int) -> None:
    visit.set(DATAPROTECTION_BASE_URL=LONG)
    written = on_a_terminal(columns)
    assert "\x1b[" in written
    lines = re.sub(r"\x1b\[[0-9;]*m", "", written).splitlines()
    column = lines[0].index("found")
    assert f"{LONG},fromDATAPROTECTION_BASE_URL" in "".join(line[column:].replace(" ", "") for line in lines)
    assert columns >= max(map(len, lines[: lines.index("")]))
    assert KEY not in written


def test_what_a_terminal_would_act_on_is_not_written(visit: Visit) -> None:
    visit.program("pulumi", "printf 'error: \\033[31mred' >&2; exit 1")
    assert "\x1b" not in visit.run("--stack", "dev").output
    assert visit.rows("--stack", "dev")["stack's config"].found.endswith(": [31mred")


def test_a_key_that_the_environment_has_and_nobody_asks_for_is_not_shown_either(visit: Visit) -> None:
    other = json.dumps({"apiKey": {"baseUrl": "x"}, "acme": {"apiKey": KEY, "baseUrl": "x"}})
    visit.set(DATAPROTECTION_API_KEY="another", DATAPROTECTION_PROFILES=other, DATAPROTECTION_BASE_URL=KEY)
    visit.run()
    visit.run("--profile", KEY)
