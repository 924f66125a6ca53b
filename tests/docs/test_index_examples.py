"""The programs of the pages that introduce the others, on the real engine."""

import re

import pytest

from support.engine.stack import Stack
from support.pages import DOCS


@pytest.mark.parametrize("page", ["index.md", "functions/index.md"])
def test_its_programs_run_and_change_nothing_again(stack: Stack, page: str) -> None:
    programs = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    stack.write("\n".join(programs))
    first = stack.up()
    assert (False, 1) == (first.failed, len(first.steps)), first.text
    assert {} == stack.up().steps
    assert not stack.destroy().failed
