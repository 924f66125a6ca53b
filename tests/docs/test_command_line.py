"""The documents have each command and each option, and the examples of docs/command-line.md print the text below."""

import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pulumi_dataprotection.cli import main
from support import HANG, ROOT, Emulator
from support.cli.commands import COMMANDS, PYTHON, options
from support.cli.getting import run_unset, settings
from support.pages import blocks

DOCUMENT = (ROOT / "docs/command-line.md").read_text()
FUNCTIONS = (ROOT / "docs/functions/index.md").read_text()
OF_EACH_FUNCTION = {"--format", "--profile", "--stack"}
OF_EACH_TENANT = {"--all-tenants", "--org", "--recursive"}
SERVES = "emulator serve --seed demo"
DOING = {name for name, command in COMMANDS.items() if not isinstance(command, click.Group)}


def examples() -> Iterator[tuple[str, str]]:
    """Yield each example: its words and its output; `…` is any text, and a line with only `…` any lines."""
    for block in blocks("command-line.md", "console"):
        for example in re.split(r"^\$ dataprotection ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = example.partition("\n")
            yield command, printed


def rows() -> Mapping[str, set[str]]:
    """Return the options of the command of each function, as the table of functions has them."""
    found = re.findall(r"^\| \[`get_(\w+)`\].*\|(.*)\|$", FUNCTIONS, re.MULTILINE)
    return {f"dataprotection get {name.replace('_', '-')}": {*re.findall(r"--[\w-]+", cell)} for name, cell in found}


def section(title: str) -> str:
    return DOCUMENT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_table_has_each_function_and_each_of_its_options() -> None:
    commands = {name: options(command) for name, command in COMMANDS.items() if name.startswith("dataprotection get ")}
    assert commands == {
        name: given | OF_EACH_FUNCTION | (OF_EACH_TENANT if "--tenant" in given else set())
        for name, given in rows().items()
    }


@pytest.mark.parametrize("name", sorted(DOING - rows().keys()))
def test_each_option_of_another_command_has_a_row(name: str) -> None:
    assert options(COMMANDS[name]) == {*re.findall(r"^\| `(--[\w-]+)", section(name), re.MULTILINE)}


def test_each_command_that_does_something_has_a_section() -> None:
    titles = {*re.findall(r"^## (dataprotection .*)$", DOCUMENT, re.MULTILINE)}
    assert DOING == (titles - {"dataprotection get"}) | rows().keys()


def test_the_defaults_of_the_emulator_are_those_of_its_table() -> None:
    table = dict(re.findall(r"^\| `(--[\w-]+)` \| `(.*?)` \|", section("dataprotection emulator serve"), re.MULTILINE))
    serve = COMMANDS["dataprotection emulator serve"]
    assert table == {parameter.opts[0]: str(parameter.default) for parameter in serve.params}


@pytest.mark.engine
@pytest.mark.parametrize(("command", "printed"), [one for one in examples() if one[0] != SERVES])
def test_an_example_prints_the_text_below_it(
    emulator: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, printed: str
) -> None:
    monkeypatch.chdir(tmp_path)  # without a project
    words, variables = shlex.split(command), settings(emulator)
    ended = run_unset(*words, **variables) if words[0] != "doctor" else CliRunner().invoke(main, words, env=variables)
    assert re.fullmatch(pattern(printed), lines(ended.output)), ended.output
    assert ended.exit_code == int("Error: " in printed)


def test_the_example_that_serves_prints_its_line() -> None:
    (printed,) = (printed for command, printed in examples() if command == SERVES)
    command = [*PYTHON, *SERVES.split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        line = process.stdout.readline()
        process.terminate()
        assert process.wait(timeout=HANG) == 0
    assert re.fullmatch(pattern(printed), line)


def test_all_documents_name_commands_and_options_that_exist() -> None:
    texts = [path.read_text() for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]]
    command = rf"\bdataprotection (?:{'|'.join(main.commands)})[^`|\n]*"
    named = {line.strip() for text in texts for line in re.findall(command, text)}
    assert len(named) > len(COMMANDS) // 2
    for line in named:
        words = shlex.split(line.partition(" #")[0])
        known = [name for name in COMMANDS if f"{' '.join(words)} ".startswith(f"{name} ")]
        used = {word for word in words if word.startswith("--")}
        assert set() == used - options(COMMANDS[max(known, key=len)]), line


def lines(text: str) -> str:
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


def pattern(printed: str) -> str:
    """Return the pattern of the lines of an example."""
    parts = [
        r"(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n"
        for line in printed.splitlines()
    ]
    return "".join(parts)
