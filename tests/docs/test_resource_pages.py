"""The pages of resources: their examples on the real engine, and the calls of each command."""

from collections.abc import Callable

import pytest

from support import Emulator
from support.engine.stack import Outcome, Stack
from support.pages import PAGES, Page, as_calls

RESOURCES = [page for page in PAGES if page.kind == "resources"]

COMMANDS: dict[str, Callable[[Stack], Outcome]] = {
    "`preview`, new": Stack.preview,
    "`up`, new": Stack.up,
    "`up`, no change": Stack.up,
    "`refresh`": Stack.refresh,
    "`destroy`": Stack.destroy,
}

CHANGES = {
    "`up`, another `policy`": ('policy="Gold"', 'policy="Silver"'),
    "`up`, one has another policy": ('farouk@contoso.example": "Gold"', 'farouk@contoso.example": "Silver"'),
    "`up`, one is gone from the list": ('"ext$usr-1017": "Silver",', ""),
    "`up`, another trigger": ("2026-12-01", "2026-12-02"),
    "`up`, another `reason`": ("GDPR-77", "GDPR-78"),
}
"""The changes of the rows in the examples."""


@pytest.fixture
def hurried(stack: Stack, emulator: Emulator) -> Stack:
    """A stack whose waits end at once, on a service whose tasks proceed with each poll."""
    emulator.set_dialect(task_progress="polls")
    stack.hurry()
    return stack


@pytest.mark.parametrize("page", RESOURCES, ids=str)
def test_the_example_runs_and_makes_the_calls_of_the_page(hurried: Stack, emulator: Emulator, page: Page) -> None:
    program, made, steps = page.program, dict[str, str](), dict[str, list[str]]()
    hurried.write(program)
    for row in page.calls:
        if change := CHANGES.get(row):
            assert change[0] in program
            hurried.write(program := program.replace(*change))
        emulator.clear_requests()
        outcome = COMMANDS.get(row, Stack.up)(hurried)
        assert not outcome.failed, outcome.text
        made[row], steps[row] = as_calls(emulator.requests()), [*outcome.steps.values()]
    assert page.calls == made
    assert (["create"], [], ["delete"]) == (steps["`up`, new"], steps["`up`, no change"], steps["`destroy`"])
