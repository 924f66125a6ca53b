"""The package, built and installed outside of the repository."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from packaging.utils import canonicalize_name
from packaging.version import Version

from support import HANG, run_process

# Settings of the user, and variables that would lead to packages of another environment.
_LEFT_OUT = ("COVERAGE_", "DATAPROTECTION_", "MAKE", "MFLAGS", "PULUMI_", "PYTHON", "UV_", "VIRTUAL_ENV")
_INDEX = ("UV_DEFAULT_INDEX", "UV_INDEX", "UV_OFFLINE", "UV_CACHE_DIR")


class Distributions(NamedTuple):
    """The files that a release uploads."""

    sdist: Path
    wheel: Path


class Uv:
    """The uv that `tools/setup.sh` finds or gets.

    Args:
        checkout: the folder with the set-up.
        cache: the folder for caches; "": the usual one.

    Attributes:
        environment: the variables of each command.
    """

    def __init__(self, checkout: Path, cache: str) -> None:
        kept = {name: value for name, value in os.environ.items() if name in _INDEX or not name.startswith(_LEFT_OUT)}
        self.environment = {**kept, "XDG_CACHE_HOME": cache, "UV_PYTHON_DOWNLOADS": "never"}
        found = run("tools/setup.sh", "uv", folder=checkout, environment=self.environment).strip()
        self._command = str(checkout / found) if "/" in found else found
        self._checkout = checkout

    def __call__(self, *arguments: str | Path) -> str:
        """Run uv; return what it prints."""
        return run(self._command, *arguments, folder=self._checkout, environment=self.environment)


class Installed:
    """An environment outside of the repository.

    Args:
        folder: its folder.
        uv: the command.
        python: its interpreter.
        requirements: what uv installs into it, and how.

    Attributes:
        folder: its folder.
        programs: the folder of its programs.
        environment: the variables of each of its commands.
    """

    def __init__(self, folder: Path, uv: Uv, python: str, *requirements: str | Path) -> None:
        uv("venv", "--quiet", "--python", python, folder)
        uv("pip", "install", "--quiet", "--python", folder, "pip")  # which the language host asks for its list
        if requirements:
            uv("pip", "install", "--quiet", "--python", folder, *requirements)
        self.folder = folder
        self.programs = folder / "bin"
        self.environment = {**uv.environment, "PATH": f"{self.programs}{os.pathsep}{uv.environment['PATH']}"}

    def run(self, program: str, *arguments: str) -> str:
        """Run one of its programs; return what it prints."""
        return run(str(self.programs / program), *arguments, folder=self.folder, environment=self.environment)

    def try_to(self, program: str, *arguments: str) -> tuple[int, str]:
        """Run one of its programs that may fail; return its exit code and all that it prints."""
        ended = attempt(str(self.programs / program), *arguments, folder=self.folder, environment=self.environment)
        return ended.returncode, ended.stdout + ended.stderr

    def versions(self) -> Mapping[str, Version]:
        """Return the version of each package in it."""
        packages = json.loads(self.run("python", "-m", "pip", "list", "--format", "json"))
        return {canonicalize_name(package["name"]): Version(package["version"]) for package in packages}


def run(program: str, *arguments: str | Path, folder: Path, environment: Mapping[str, str]) -> str:
    """Run a command that must succeed; return what it prints."""
    ended = attempt(program, *arguments, folder=folder, environment=environment)
    assert 0 == ended.returncode, f"{ended.args}\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout


def attempt(
    program: str, *arguments: str | Path, folder: Path, environment: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Run a command that ends within two minutes."""
    found = shutil.which(program, path=environment["PATH"])
    assert found, f"no {program} on PATH: run `make test`"
    command = [found if "/" not in program else program, *map(str, arguments)]
    return run_process(command, cwd=folder, env=environment)


def find_python(version: str) -> str | None:
    """Return an interpreter of a version: the one on PATH, else the newest of pyenv, if there is any.

    Args:
        version: such as "3.12".
    """
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    others = sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"), reverse=True)
    for candidate in (shutil.which(f"python{version}"), *map(str, others)):
        # A shim of pyenv is on PATH whether its version is chosen or not.
        if (
            candidate
            and subprocess.run([candidate, "-V"], capture_output=True, timeout=HANG, check=False).returncode == 0
        ):
            return candidate
    return None
