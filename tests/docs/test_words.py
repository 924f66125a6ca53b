"""README and documents say what the package has."""

import re

import click
import pytest

import pulumi_dataprotection
from pulumi_dataprotection.cli import main
from pulumi_dataprotection.client import OPTIONS
from support import ROOT
from support.pages import DOCS, function_rows, operation_rows

README = (ROOT / "README.md").read_text(encoding="utf-8")
ALL = README + "".join(page.read_text(encoding="utf-8") for page in sorted(DOCS.rglob("*.md")))


def rows(page: str, pattern: str) -> list[str]:
    return re.findall(pattern, (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)


def test_the_table_of_operations_says_whose_pages_name_them() -> None:
    assert operation_rows() == rows("operations.md", r"^\| \d+ \| .*$")


def test_the_table_of_functions_says_what_their_pages_say() -> None:
    assert function_rows() == rows("functions/index.md", r"^\| \[.*$")


def test_the_table_of_settings_is_that_of_the_options() -> None:
    expected = [f"| `{row.key}` | `{row.variable}` | {row.default} | {row.meaning} |" for row in OPTIONS]
    assert expected == rows("install.md", r"^\| .*`DATAPROTECTION_.*$")


def test_the_program_of_the_readme_is_the_quickstart() -> None:
    program = README.split("```python\n")[1].split("```")[0]
    assert program == (ROOT / "examples/quickstart/__main__.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", pulumi_dataprotection.__all__)
def test_each_public_name_stands_there(name: str) -> None:
    assert f"`{name}`" in ALL


def test_each_command_and_each_option_stands_there() -> None:
    assert [word for word in _words(main) if word not in ALL] == []


def test_each_example_is_shown() -> None:
    programs = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "examples").rglob("__main__.py"))]
    assert programs == sorted(rows("examples.md", r'^--8<-- "(.*)"$'))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_each_link_leads_to_a_file(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def _words(command: click.Command) -> list[str]:
    options = [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
    commands = command.commands.values() if isinstance(command, click.Group) else ()
    names = [word for child in commands for word in (str(child.name), *_words(child))]
    return [*options, *names]
