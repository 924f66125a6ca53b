"""The README says what the package has."""

import re
from pathlib import Path

import click
import pytest

import pulumi_dataprotection
from pulumi_dataprotection.cli import main
from pulumi_dataprotection.client import OPTIONS
from pulumi_dataprotection.spec import OPERATIONS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_its_table_of_operations_is_that_of_the_rows() -> None:
    rows = re.findall(r"^\| \d+ \| .*$", README, re.MULTILINE)
    assert rows == [f"| {row.number} | `{row.method} {row.path}` | `{row.id}` |" for row in OPERATIONS]


def test_its_table_of_settings_is_that_of_the_options() -> None:
    rows = re.findall(r"^\| .*`DATAPROTECTION_.*$", README, re.MULTILINE)
    assert rows == [f"| `{row.key}` | `{row.variable}` | {row.default} | {row.meaning} |" for row in OPTIONS]


def test_its_program_is_the_quickstart() -> None:
    program = README.split("```python\n")[1].split("```")[0]
    assert program == (ROOT / "examples/quickstart/__main__.py").read_text()


@pytest.mark.parametrize("name", pulumi_dataprotection.__all__)
def test_each_public_name_stands_in_it(name: str) -> None:
    assert f"`{name}`" in README


def test_each_command_and_each_option_stands_in_it() -> None:
    assert [word for word in _words(main) if word not in README] == []


def _words(command: click.Command) -> list[str]:
    options = [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
    commands = command.commands.values() if isinstance(command, click.Group) else ()
    names = [word for child in commands for word in (str(child.name), *_words(child))]
    return [*options, *names]
