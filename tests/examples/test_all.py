"""What each example has."""

import ast
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.is_dir())
PROGRAMS = sorted((ROOT / "examples").rglob("__main__.py"))
REQUIREMENTS = sorted((ROOT / "examples").rglob("requirements.txt"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_each_example_has_a_test(example: Path) -> None:
    assert (ROOT / f"tests/examples/test_{example.name.replace('-', '_')}.py").exists()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.parent.name)
def test_each_program_says_what_it_is_for(program: Path) -> None:
    assert ast.get_docstring(ast.parse(program.read_text()))


@pytest.mark.parametrize("file", REQUIREMENTS, ids=lambda file: file.parent.name)
def test_each_list_of_requirements_names_this_version(file: Path) -> None:
    assert f"pulumi-dataprotection=={version('pulumi-dataprotection')}" in file.read_text().splitlines()
