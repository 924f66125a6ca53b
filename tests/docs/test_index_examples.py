"""The programs of the pages that introduce the others, on the real engine."""

import pytest

from support.engine.stack import Stack
from support.pages import blocks


@pytest.mark.parametrize("page", ["index.md", "functions/index.md"])
def test_the_programs_of_the_page_run_and_a_second_up_changes_nothing(stack: Stack, page: str) -> None:
    stack.write("\n".join(blocks(page, "python")))
    first = stack.up()
    assert (False, 1) == (first.failed, len(first.steps)), first.text
    assert {} == stack.up().steps
    assert not stack.destroy().failed
