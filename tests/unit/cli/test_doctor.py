"""The output of `dataprotection doctor`."""

import json
import os
import re

import pytest

from support.cli.commands import in_terminal
from support.cli.visit import KEY, Visit
from support.scripted import Scripted, told

LONG = "https://no-such-host.invalid/" + "long-" * 20


def test_a_table_has_a_line_for_each_check_and_the_advice_below(visit: Visit) -> None:
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


def test_the_exit_status_is_0_if_no_check_failed(visit: Visit) -> None:
    with Scripted() as server:
        visit.set(DATAPROTECTION_BASE_URL=server.url, DATAPROTECTION_URL="")
        server.script(told({"items": [{"tenant_id": "t-1"}]}), told({"id": "t-1"}))
        result = visit.run()
    assert (0, True) == (result.exit_code, "warning" in result.stdout)


def test_output_to_a_file_has_no_colours(visit: Visit) -> None:
    assert "\x1b" not in visit.run().output


@pytest.mark.parametrize("columns", [50, 80])
def test_nothing_is_cut_off_on_a_terminal(visit: Visit, columns: int) -> None:
    visit.set(DATAPROTECTION_BASE_URL=LONG)
    status, written = in_terminal(columns, os.environ, "doctor")
    assert (1, True) == (status, "\x1b[" in written)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", written).splitlines()
    column = lines[0].index("found")
    assert f"{LONG},fromDATAPROTECTION_BASE_URL" in "".join(line[column:].replace(" ", "") for line in lines)
    assert columns >= max(map(len, lines[: lines.index("")]))
    assert KEY not in written


def test_control_sequences_are_not_written(visit: Visit) -> None:
    visit.program("pulumi", "printf 'error: \\033[31mred' >&2; exit 1")
    assert "\x1b" not in visit.run("--stack", "dev").output
    assert visit.rows("--stack", "dev")["stack's config"].found.endswith(r": \u001b[31mred")


def test_an_unused_key_of_the_environment_is_not_shown(visit: Visit) -> None:
    other = json.dumps({"apiKey": {"baseUrl": "x"}, "acme": {"apiKey": KEY, "baseUrl": "x"}})
    visit.set(DATAPROTECTION_API_KEY="another", DATAPROTECTION_PROFILES=other, DATAPROTECTION_BASE_URL=KEY)
    visit.run()
    visit.run("--profile", KEY)
