"""The tables of `make bench` stay readable at any width, and each step is named on stderr as it begins."""

import io
import re
from pathlib import Path
from typing import Any

import pytest
from benchmarks import growth, rivals
from benchmarks.goals import Goal, goals_table
from benchmarks.printing import Columns, report
from benchmarks.results import TOO_LONG, Results, Row
from rich.console import Console

CONTENDERS = (
    rivals.SET,
    rivals.LISTING,
    rivals.NOTHING,
    rivals.HANDWRITTEN,
    rivals.PLAYBOOK,
    rivals.SCRIPT,
    rivals.SCRIPT_OF_4,
)
STEPS = ("first up", "destroy")
SIZE = 100_000
NUMBERS = {"seconds": 1234.5, "cpu": 987.6, "memory": 10**9, "provider_memory": 10**9, "program_memory": 10**9}


def row(contender: str, step: str) -> Row:
    numbers: dict[str, Any] = NUMBERS | {"calls": {"protect_resource": SIZE}, "writes": SIZE, "state": 24_683_579}
    return Row(SIZE, contender, step, **numbers)


def compared() -> Columns:
    given_up = [Row(SIZE, rivals.PLAYBOOK, "first up", TOO_LONG), Row(SIZE, rivals.PLAYBOOK, "all steps", "not tried")]
    return rivals.rivals_table(SIZE, [*(row(name, step) for name in CONTENDERS for step in STEPS), *given_up])


def grown(folder: Path) -> Columns:
    results = Results("growth", 1800)
    results.file = folder / "growth.json"
    for step in STEPS:
        for name in (growth.NOTHING, growth.SET, growth.LISTING):
            results.note(row(name, step))
    return growth.growth_table(results)


def promised() -> Columns:
    what = "100,000: first up, beyond the engine's time for one resource"
    return goals_table([Goal(what, 1234.5, 12.3, "calls", f"1/10 of {rivals.HANDWRITTEN}")], "Goals.", "All as JSON.")


def printed(table: Columns, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    with console.capture() as capture:
        console.print(table)
    return [line.rstrip() for line in capture.get().splitlines()]


@pytest.mark.parametrize("width", [80, 100, 120, 1000])
@pytest.mark.parametrize("name", ["rivals", "growth", "goals"])
def test_no_word_of_a_table_is_broken(tmp_path: Path, name: str, width: int) -> None:
    table = {"rivals": compared, "growth": lambda: grown(tmp_path), "goals": promised}[name]()
    lines = printed(table, width)
    assert width >= max(map(len, lines))
    words = {*" ".join(lines).split()}
    left_out = re.search(r"Left out for lack of space: (.*)\.", " ".join(lines))
    hidden = set(left_out[1].split(", ")) if left_out else set[str]()
    shown = [number for number, heading in enumerate(table.headings) if heading not in hidden]
    cells = [line[number] for line in (table.headings, *table.rows) if line for number in shown]
    assert set() == {word for cell in cells for word in cell.split()} - words


@pytest.mark.parametrize("width", [80, 120])
def test_each_contender_has_one_or_two_lines_for_its_name(width: int) -> None:
    lines = printed(compared(), width)
    rows = [line for line in lines if re.search(r"\d,\d{3}\.\d|1234\.5", line)]
    assert len(CONTENDERS) * len(STEPS) == len(rows)
    body = lines[lines.index(next(line for line in lines if line.startswith("step"))) : lines.index(rows[-1]) + 1]
    assert len(body) <= 2 * (len(rows) + len(STEPS)) + 2


def test_a_wide_table_has_all_columns_and_each_row_in_one_line() -> None:
    table = compared()
    lines = printed(table, 1000)
    assert "Left out" not in " ".join(lines)
    for heading in table.headings:
        assert any(heading in line for line in lines)
    for cells in filter(None, table.rows):
        assert any(all(cell.strip() in line for cell in cells) for line in lines)


def test_a_step_is_a_line_on_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    report("1,000 members, first up: one ProtectionSet")
    out, err = capfd.readouterr()
    assert "" == out
    assert re.fullmatch(r"\d\d:\d\d:\d\d 1,000 members, first up: one ProtectionSet\n", err)
