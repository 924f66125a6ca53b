"""The parts of each example."""

import ast
import re
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

from pulumi_dataprotection.testing import Emulator, StackFactory
from support import ROOT, run_process

EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.is_dir())
PROGRAMS = sorted((ROOT / "examples").rglob("__main__.py"))
REQUIREMENTS = sorted((ROOT / "examples").rglob("requirements.txt"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_each_example_has_a_test(example: Path) -> None:
    assert (ROOT / f"tests/examples/test_{example.name.replace('-', '_')}.py").exists()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.parent.name)
def test_each_program_has_a_docstring(program: Path) -> None:
    assert _docstring(program)


def _docstring(program: Path) -> str:
    return ast.get_docstring(ast.parse(program.read_text())) or ""


# The stack of a customer needs the stack of all customers; test_pipeline runs the commands of the pipeline.
CONFIGURED = [
    program.parent
    for program in PROGRAMS
    if "pulumi config set" in _docstring(program) and program.parent.name not in {"customer", "pipeline"}
]


@pytest.mark.parametrize("folder", CONFIGURED, ids=lambda folder: folder.name)
def test_a_stack_of_the_commands_in_the_docstring_can_be_previewed(
    folder: Path, dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, tmp_path: Path
) -> None:
    environment = dataprotection_stack("", name="unused").environment
    checkout = shutil.copytree(folder, tmp_path / "checkout")
    told = re.findall(r"^    (pulumi (?:stack init|config set) .*)$", _docstring(folder / "__main__.py"), re.MULTILINE)
    for command in (*told, "pulumi preview --non-interactive"):
        ended = run_process(
            ["bash", "-c", command.replace("https://…", dataprotection_emulator.url)], cwd=checkout, env=environment
        )
        assert 0 == ended.returncode, ended.stdout + ended.stderr
    assert [] == dataprotection_emulator.writes()


@pytest.mark.parametrize("file", REQUIREMENTS, ids=lambda file: file.parent.name)
def test_each_list_of_requirements_names_this_version(file: Path) -> None:
    assert f"pulumi-dataprotection=={version('pulumi-dataprotection')}" in file.read_text().splitlines()
