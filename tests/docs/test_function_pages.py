"""The pages of functions: their examples run, and make the calls that the pages name."""

import ast
import re
from typing import Any

import pytest

from pulumi_dataprotection.functions._data_source import close_session
from support import Emulator
from support.functions.program import Program
from support.pages import PAGES, Page, as_calls

FUNCTIONS = [page for page in PAGES if page.kind == "functions"]
EXPORT = re.compile(r"^pulumi\.export\(\".*?\", (.*)\)  # (.*)$", re.MULTILINE)


def run(shop: Program, page: Page) -> dict[str, Any]:
    """Run a page's example but for its exports, which need an engine, and return its variables."""
    variables: dict[str, Any] = {}
    shop.run(lambda: exec(EXPORT.sub("", page.program), variables))  # noqa: S102 - an example of our own page
    return variables


def evaluate(shop: Program, expression: str, variables: dict[str, Any]) -> object:
    return shop.run(lambda: eval(expression, variables))  # noqa: S307 - it stands in our own page


@pytest.mark.parametrize("page", FUNCTIONS, ids=str)
def test_the_example_exports_the_values_of_its_comments(shop: Program, page: Page) -> None:
    variables = run(shop, page)
    said = [(expression, ast.literal_eval(value)) for expression, value in EXPORT.findall(page.program)]
    assert said != []
    assert said == [(expression, evaluate(shop, expression, variables)) for expression, _ in said]


@pytest.mark.parametrize("page", FUNCTIONS, ids=str)
def test_the_page_names_the_calls_of_the_example(
    shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch, page: Page
) -> None:
    variables = run(shop, page)
    made: dict[str, str] = {}
    for row in page.calls:
        expression, _, pages = row.strip("`").partition("`, ")
        monkeypatch.setenv("DATAPROTECTION_PAGE_SIZE", "20" if pages == "several pages" else "500")
        close_session()
        emulator.clear_requests()
        evaluate(shop, expression, variables)
        made[row] = as_calls(emulator.requests())
    assert page.calls == made
