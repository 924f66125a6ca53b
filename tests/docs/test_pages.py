"""Each resource and each function has its page, and each page has the same sections."""

import inspect
import re

import pytest

from pulumi_dataprotection import resources
from support.pages import PAGES, SECTIONS, Page, needed

ALL = pytest.mark.parametrize("page", PAGES, ids=str)


@ALL
def test_the_page_has_the_sections_in_order(page: Page) -> None:
    assert [f"# {page.name}", *(f"## {title}" for title in SECTIONS[page.kind])] == re.findall(
        r"^#+ .*", page.text, re.MULTILINE
    )
    assert [] == [title for title in SECTIONS[page.kind] if not page.section(title).strip()]


@ALL
def test_the_page_begins_with_a_line_of_use(page: Page) -> None:
    assert re.fullmatch(r"[A-Z][^\n]{20,118}\.", page.use)


@ALL
def test_the_example_is_a_program_that_fits_the_page(page: Page) -> None:
    assert f"import {page.name}" in page.program or f", {page.name}" in page.program
    assert [] == [line for line in page.program.splitlines() if len(line) > 84]


@ALL
def test_the_arguments_and_results_are_generated_from_the_code(page: Page) -> None:
    assert f"\n::: pulumi_dataprotection.{page.name}\n" in page.section("Arguments")
    assert "\n::: pulumi_dataprotection." in page.section("Outputs" if page.kind == "resources" else "Result")


@ALL
def test_the_page_names_the_permissions_of_its_calls(page: Page) -> None:
    assert needed([*page.calls.values()]) == page.permissions


@pytest.mark.parametrize("name", resources.__all__)
def test_each_output_of_a_resource_is_described(name: str) -> None:
    kind = getattr(resources, name)
    arguments = {*inspect.signature(kind).parameters}
    described = re.findall(r'^    (\w+): pulumi\.Output\[.*\]\n    """', inspect.getsource(kind), re.MULTILINE)
    assert [output for output in kind.outputs if output not in {*arguments, *described}] == []
