"""The rows of `dataprotection doctor` about the packages, the `pulumi` command and the project."""

import re
import sys
from collections.abc import Callable
from functools import partial
from importlib import metadata
from operator import methodcaller
from pathlib import Path

import pytest

from pulumi_dataprotection.cli.doctor.machine import MINIMUM
from support import ROOT
from support.cli.visit import Visit

Prepare = Callable[[Visit], object]

OURS = "pulumi-dataprotection"
OURS_HERE = (
    OURS,
    "9.9.9",
    "Requires-Python: >=3.11",
    "Requires-Dist: pulumi<4,>=3.268",
    "Provides-Extra: emulator",
    "Requires-Dist: no-such-thing>=1; extra == 'emulator'",
)


def _nothing(_: Visit) -> None:
    """Change nothing."""


def _without(program: str) -> Prepare:
    return lambda visit: (visit.path / program).unlink()


_program, _set, _distribution = (partial(methodcaller, name) for name in ("program", "set", "distribution"))

VERSION = metadata.version(OURS)
SDK = metadata.version("pulumi")
NO_VERSION = " version` "

MACHINES = {
    "python": (_nothing, "Python", "ok", ".".join(map(str, sys.version_info[:3]))),
    "old python": (_distribution(OURS, "1", "Requires-Python: >=4"), "Python", "failed", "the package needs >=4"),
    "package": (_nothing, "package", "ok", f"{OURS} {VERSION}"),
    "other package": (_distribution(*OURS_HERE), "package", "ok", f"{OURS} 9.9.9"),
    "emulator": (_nothing, "emulator", "ok", "installed"),
    "no emulator": (_distribution(*OURS_HERE), "emulator", "ok", "`dataprotection emulator` needs: no-such-thing"),
    "sdk": (_nothing, "pulumi SDK", "ok", f"{SDK}, of <4,>=3.268"),
    "old sdk": (_distribution("pulumi", "3.267.9"), "pulumi SDK", "failed", "3.267.9, "),
    "next sdk": (_distribution("pulumi", "4.0.0"), "pulumi SDK", "failed", "4.0.0, "),
    "pulumi": (_nothing, "pulumi command", "ok", "3.300.0, /"),
    "oldest pulumi": (_program("pulumi", "echo v3.254.0"), "pulumi command", "ok", "3.254.0, /"),
    "pulumi of a developer": (_program("pulumi", "echo v3.301.0-dev.0"), "pulumi command", "ok", "3.301.0.dev0, /"),
    "old pulumi": (_program("pulumi", "echo v3.253.9"), "pulumi command", "failed", "3.253.9, older than 3.254.0"),
    "broken pulumi": (_program("pulumi", "exit 1"), "pulumi command", "failed", NO_VERSION),
    "odd pulumi": (_program("pulumi", "echo nonsense"), "pulumi command", "failed", NO_VERSION),
    "no pulumi": (_without("pulumi"), "pulumi command", "failed", "pulumi is not on PATH"),
    "host": (_nothing, "language host", "ok", "/path/pulumi-language-python"),
    "no host": (
        _without("pulumi-language-python"),
        "language host",
        "failed",
        "pulumi-language-python is neither beside",
    ),
    "host of no pulumi": (_without("pulumi"), "language host", "skipped", "depends on: pulumi command"),
    "provider": (_nothing, "dynamic resources", "ok", "/path/pulumi-resource-"),
    "no provider": (_without("pulumi-resource-pulumi-python"), "dynamic resources", "failed", "resource-pulumi-"),
    "engine": (_set(HTTPS_PROXY="http://proxy:1"), "engine", "ok", "without a proxy"),
    "engine behind a proxy": (_set(https_proxy="http://proxy:1"), "engine", "failed", "https_proxy sends"),
    "engine behind no proxy": (
        _set(http_proxy="http://proxy:1", no_proxy="127.0.0.1"),
        "engine",
        "ok",
        "without a proxy",
    ),
    "provider of no pulumi": (_without("pulumi"), "dynamic resources", "skipped", "depends on: pulumi command"),
}


@pytest.mark.parametrize(("prepare", "name", "result", "found"), MACHINES.values(), ids=MACHINES)
def test_packages_and_programs_are_checked(visit: Visit, prepare: Prepare, name: str, result: str, found: str) -> None:
    prepare(visit)
    visit.assert_row(name, result, found)


def test_programs_beside_the_target_of_a_link_are_found(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    for program in list(visit.path.iterdir()):
        program.rename(tmp_path / "kept" / program.name)
    (visit.path / "pulumi").symlink_to(tmp_path / "kept" / "pulumi")
    assert visit.rows()["language host"].found == str(tmp_path / "kept" / "pulumi-language-python")


def test_the_oldest_pulumi_is_the_minimum_of_the_installer() -> None:
    script = ROOT / "tools" / "pulumi-cli" / "install.py"
    (found,) = re.findall(r"^MINIMUM = Version\((\d+), (\d+)\)$", script.read_text(encoding="utf-8"), re.MULTILINE)
    assert MINIMUM.release[:2] == tuple(map(int, found))


PROJECTS = {
    "one word": ("name: x\nruntime: python\n", "ok", "/project/Pulumi.yaml, with"),
    "options": ("runtime: {name: python, options: {virtualenv: .venv}}", "ok", "/project/Pulumi.yaml, with"),
    "json": ('{"name": "x", "runtime": "python"}', "ok", "/project/Pulumi.yaml, with"),
    "main": ("runtime: python\nmain: program\n", "ok", "/project/program"),
    "main file": ("runtime: python\nmain: program/app.py\n", "ok", "/project/program"),
    "lost main": ("runtime: python\nmain: nowhere\n", "failed", "/project/nowhere, "),
    "other runtime": ("runtime: nodejs\n", "failed", "/project/Pulumi.yaml is 'nodejs'"),
    "other runtime with options": ("runtime: {name: go}\n", "failed", "/project/Pulumi.yaml is 'go'"),
    "no runtime": ("name: x\n", "failed", "/project/Pulumi.yaml is None"),
    "list": ("[1, 2]", "failed", "/project/Pulumi.yaml is None"),
    "no yaml": ("name: [x\n", "failed", "/project/Pulumi.yaml cannot be read: "),
    "no text": ("name: \x00\n", "failed", "/project/Pulumi.yaml cannot be read: "),
}


@pytest.mark.parametrize(("text", "result", "found"), PROJECTS.values(), ids=PROJECTS)
def test_the_nearest_project_is_checked(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, text: str, result: str, found: str
) -> None:
    visit.file("program/app.py", "")
    visit.file("Pulumi.yaml", text)
    monkeypatch.chdir(visit.folder / "program")
    visit.assert_row("project", result, found)


def test_the_python_is_not_checked_without_a_project(visit: Visit) -> None:
    rows = visit.rows()
    assert (rows["project"].result, rows["project's Python"].result) == ("skipped", "skipped")


def _project(*lines: str, **options: str) -> Prepare:
    written = "".join(f"    {name}: {value}\n" for name, value in options.items())
    text = f"name: x\nruntime:\n  name: python\n  options:\n{written}" + "".join(f"{line}\n" for line in lines)
    return methodcaller("file", "Pulumi.yaml", text)


def _all(*steps: Prepare) -> Prepare:
    return lambda visit: [step(visit) for step in steps]


def _environment(name: str, script: str = "echo 1.2.3") -> Prepare:
    return methodcaller("environment", name, script)


_main = methodcaller("file", "program/__main__.py", "")
_real = methodcaller("environment", ".venv")


def _interpreter(line: str) -> Prepare:
    """Make an environment whose Python is another script."""

    def prepare(visit: Visit) -> None:
        visit.environment(".venv")
        (visit.folder / ".venv/bin/python").write_text(line)

    return prepare


def _dangling(visit: Visit) -> None:
    """Make an environment whose Python was removed from the machine."""
    visit.environment(".venv")
    (visit.folder / ".venv/bin/python").unlink()
    (visit.folder / ".venv/bin/python").symlink_to("/nowhere/python3")


NO_PACKAGE = "echo \"ModuleNotFoundError: No module named 'pulumi_dataprotection'\" >&2; exit 1"


VENV = _project(virtualenv=".venv")
MAIN = _all(_main, _project("main: program", virtualenv=".venv"))

PYTHONS = {
    "real": (_all(VENV, _real), "ok", f"/.venv/bin/python has {OURS} {VERSION}"),
    "without the package": (_all(VENV, _environment(".venv", NO_PACKAGE)), "failed", "No module named 'pulumi_d"),
    "broken": (_all(VENV, _environment(".venv", "exit 3")), "failed", "cannot import"),
    "dangling": (_all(VENV, _dangling), "failed", "/.venv/bin/python does not exist"),
    "moved": (_all(VENV, _interpreter("#!/nowhere/python3\n")), "failed", "/.venv/bin/python cannot be run: "),
    "not made": (VENV, "failed", "/project/.venv/bin/python"),
    "other name": (_all(_project(virtualenv="other"), _environment("other")), "ok", "/project/other/bin/python has"),
    "uv": (_all(_project(toolchain="uv"), _environment(".venv")), "ok", "/project/.venv/bin/python has"),
    "uv, not made": (_project(toolchain="uv"), "failed", "/project/.venv/bin/python"),
    "poetry": (_project(toolchain="poetry"), "skipped", "poetry"),
    "above main": (_all(MAIN, _environment(".venv")), "failed", "/program/.venv/"),
    "below main": (_all(MAIN, _environment("program/.venv")), "failed", "/project/.venv/"),
    "both": (_all(MAIN, _environment(".venv"), _environment("program/.venv")), "ok", "/program/.venv/bin/python has"),
    "main": (_all(_main, _project("main: program")), "ok", "python3 has"),
    "none": (_project(), "ok", f"python3 has {OURS} 1.2.3"),
    "none, without the package": (_all(_project(), _program("python3", NO_PACKAGE)), "failed", "python3 cannot import"),
    "python": (_all(_project(), _without("python3"), _program("python", "echo 1")), "ok", "python has"),
    "no python": (_all(_project(), _without("python3")), "failed", "program python3 does not exist"),
    "named": (_all(_project(), _program("mine", "echo 7"), _set(PULUMI_PYTHON_CMD="mine")), "ok", "mine has"),
}


@pytest.mark.parametrize(("prepare", "result", "found"), PYTHONS.values(), ids=PYTHONS)
def test_the_python_of_the_project_must_have_the_package(
    visit: Visit, prepare: Prepare, result: str, found: str
) -> None:
    prepare(visit)
    visit.assert_row("project's Python", result, found)


def test_an_environment_above_main_is_explained(visit: Visit) -> None:
    _all(MAIN, _environment(".venv"))(visit)
    assert "leave `virtualenv` and `toolchain` out" in visit.rows()["project's Python"].advice


def test_a_check_that_raises_does_not_stop_the_others(visit: Visit) -> None:
    visit.distribution(OURS, "1")
    rows = visit.rows()
    assert "itself failed" in rows["Python"].found
    assert rows["pulumi command"].result == "ok"
