"""README and documents name the parts of the package."""

import re

import pytest

from pulumi_dataprotection.client import OPTIONS
from support import ROOT
from support.functions.names import PUBLIC
from support.pages import DOCS, function_rows, operation_rows

README = (ROOT / "README.md").read_text(encoding="utf-8")
ALL = README + "".join(page.read_text(encoding="utf-8") for page in sorted(DOCS.rglob("*.md")))


def rows(page: str, pattern: str) -> list[str]:
    return re.findall(pattern, (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)


def test_the_table_of_operations_names_the_pages_that_use_them() -> None:
    assert operation_rows() == rows("operations.md", r"^\| \d+ \| .*$")


def test_the_table_of_functions_is_made_of_their_pages() -> None:
    assert function_rows() == rows("functions/index.md", r"^\| \[.*$")


def test_the_table_of_settings_has_all_options() -> None:
    expected = [f"| `{row.key}` | `{row.variable}` | {row.default} | {row.meaning} |" for row in OPTIONS]
    assert expected == rows("install.md", r"^\| .*`DATAPROTECTION_.*$")


def test_the_program_of_the_readme_is_the_quickstart() -> None:
    program = README.split("```python\n")[1].split("```")[0]
    assert program == (ROOT / "examples/quickstart/__main__.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PUBLIC)
def test_the_documents_name_each_public_name(name: str) -> None:
    assert f"`{name}`" in ALL


def test_each_example_is_shown() -> None:
    programs = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "examples").rglob("__main__.py"))]
    assert programs == sorted(rows("examples.md", r'^--8<-- "(.*)"$'))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_each_link_leads_to_a_file(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []
