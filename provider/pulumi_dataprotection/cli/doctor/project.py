"""The checks of the project in the current folder, and of the Pythons that Pulumi starts for it."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import yaml

from pulumi_dataprotection.cli.doctor.checks import Check, Finding, failed, ok, skipped
from pulumi_dataprotection.cli.doctor.machine import PACKAGE, answer

__all__ = ["PROJECT", "Project"]


@dataclass
class Project:
    """The facts about the project that its checks share.

    Attributes:
        folder: the folder in which the search for the project begins, later the folder of Pulumi.yaml.
        program: the folder of the program.
        toolchain: the toolchain of the program; empty without one.
        virtualenv: the folder of the environment; empty without one.
    """

    folder: Path
    program: Path = Path()
    toolchain: str = ""
    virtualenv: str = ""


def _project(project: Project) -> Finding:
    names = ("Pulumi.yaml", "Pulumi.yml", "Pulumi.json")
    folders = (project.folder, *project.folder.parents)
    file = next((file for folder in folders for name in names if (file := folder / name).is_file()), None)
    if file is None:
        return skipped(f"{project.folder} is not in a project: no Pulumi.yaml", "Run this in the project's folder")
    try:
        document: object = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        return failed(f"{file} cannot be read: {error}", "Correct the file")
    settings = _mapping(document)
    runtime = settings.get("runtime")
    name = runtime if isinstance(runtime, str) else _mapping(runtime).get("name")
    if name != "python":
        return failed(
            f"the runtime of {file} is {name!r}", "The package works only in Python programs: write `runtime: python`"
        )
    options = _mapping(_mapping(runtime).get("options"))
    project.toolchain, project.virtualenv = (str(options.get(key) or "") for key in ("toolchain", "virtualenv"))
    project.folder = file.parent
    main = file.parent / str(settings.get("main") or "")
    project.program = main.parent if main.is_file() else main
    if not project.program.is_dir():
        return failed(f"main of {file} leads to {project.program}, which is not a folder", "Correct `main`")
    return ok(f"{file}, with the program in {project.program}")


def _mapping(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _pythons(project: Project) -> Finding:
    """Look whether each Python that Pulumi starts for the program and its resources has the package."""
    if project.toolchain == "poetry" and not project.virtualenv:
        return skipped("the environment is that of poetry", "Run `poetry run dataprotection doctor` for its packages")
    if project.virtualenv or project.toolchain == "uv":
        folders = [project.folder / project.virtualenv] if project.virtualenv else []
        # The host of dynamic resources starts in the program's folder, and looks from there.
        folders.append(project.program / (project.virtualenv or ".venv"))
        bin = "Scripts" if os.name == "nt" else "bin"
        pythons = [str(folder / bin / "python") for folder in dict.fromkeys(folders)]
        advice = f"Make the environment (`uv sync`, or python -m venv), and install {PACKAGE} into it"
        if project.program != project.folder:
            advice = (
                "With `main`, Pulumi looks for the environment of dynamic resources below it: leave `virtualenv` and "
                "`toolchain` out, and put the environment's bin first on PATH"
            )
    else:
        names = (os.environ.get("PULUMI_PYTHON_CMD") or "python3", "python")
        pythons = [next((name for name in names if shutil.which(name)), names[0])]
        advice = f"Put the folder of a Python with {PACKAGE} first on PATH"
    found = [_import(python, project.program, advice) for python in pythons]
    return next((finding for finding in found if finding.result != "ok"), found[-1])


def _import(python: str, folder: Path, advice: str) -> Finding:
    if not shutil.which(python):
        return failed(f"the program {python} does not exist", advice)
    code = f"import pulumi_dataprotection, importlib.metadata as m; print(m.version({PACKAGE!r}))"
    try:
        version = answer(python, "-c", code, folder=folder)
    except subprocess.CalledProcessError as error:
        reason = str(error.stderr).strip().rpartition("\n")[2]
        return failed(f"{python} cannot import pulumi_dataprotection: {reason}", f"Install {PACKAGE} there")
    except (OSError, subprocess.SubprocessError) as error:
        return failed(f"{python} cannot be run: {error}", advice)
    return ok(f"{python} has {PACKAGE} {version}")


PROJECT = (
    Check("project", _project),
    Check("project's Python", _pythons, needs=["project"]),
)
"""The checks, in order."""
