"""The checks of this machine: the packages, the `pulumi` command, and the project."""

import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import cast

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from pulumi_dataprotection.cli.doctor.checks import Check, Finding, failed, ok, skipped

__all__ = ["MACHINE", "MINIMUM", "Machine"]

MINIMUM = Version("3.254.0")
"""The oldest `pulumi` command that the provider works with."""

_PACKAGE = "pulumi-dataprotection"
_GRPC_PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")
_GRPC_NO_PROXIES = ("no_grpc_proxy", "no_proxy")
"""The variables that gRPC looks at, which knows no capital ones."""

_LOOPBACK = "127.0.0.1"
_LIMIT = 60.0
"""Seconds for another program."""


@dataclass
class Machine:
    """The facts about this machine that its checks share.

    Attributes:
        folder: the folder in which the search for a project begins.
        command: the `pulumi` command.
        project: the folder of Pulumi.yaml.
        program: the folder of the program.
        options: `runtime.options` of Pulumi.yaml.
    """

    folder: Path
    command: Path = Path()
    project: Path = Path()
    program: Path = Path()
    options: dict[str, object] | None = None


def _python(_: Machine) -> Finding:
    version = platform.python_version()
    wanted = metadata.metadata(_PACKAGE)["Requires-Python"]
    if not SpecifierSet(wanted).contains(version, prereleases=True):
        return failed(f"{version}, where the package needs {wanted}", "Install a newer Python, and the package into it")
    return ok(version)


def _package(_: Machine) -> Finding:
    return ok(f"{_PACKAGE} {metadata.version(_PACKAGE)}")


def _emulator(_: Machine) -> Finding:
    missing = [
        requirement.name
        for requirement in map(Requirement, metadata.requires(_PACKAGE) or ())
        if requirement.marker and requirement.marker.evaluate({"extra": "emulator"}) and not _is_installed(requirement)
    ]
    return ok(
        f"not installed, which only `dataprotection emulator` needs: {', '.join(missing)}" if missing else "installed"
    )


def _sdk(_: Machine) -> Finding:
    requirements = [Requirement(text) for text in metadata.requires(_PACKAGE) or ()]
    wanted = next(requirement for requirement in requirements if requirement.name == "pulumi")
    version = metadata.version("pulumi")
    if not _is_installed(wanted):
        advice = f"Install one of these: pip install 'pulumi{wanted.specifier}', or `uv add` it"
        return failed(f"{version}, where the package needs {wanted.specifier}", advice)
    return ok(f"{version}, of {wanted.specifier}")


def _is_installed(requirement: Requirement) -> bool:
    try:
        return requirement.specifier.contains(metadata.version(requirement.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False


def _command(machine: Machine) -> Finding:
    advice = f"Install pulumi >= {MINIMUM} so that it is on PATH: https://www.pulumi.com/docs/install/"
    found = shutil.which("pulumi")
    if found is None:
        return failed("pulumi is not on PATH", advice)
    machine.command = Path(found).absolute()
    try:
        text = _answer(found, "version", folder=machine.folder)
        version = Version(text.removeprefix("v"))
    except (OSError, subprocess.SubprocessError, InvalidVersion) as error:
        return failed(f"`{found} version` does not answer with a version: {error}", advice)
    if version < MINIMUM:
        return failed(f"{found} is version {version}, older than {MINIMUM}", advice)
    return ok(f"{version}, {found}")


_HOSTS = {
    "pulumi-language-python": "runs Python programs",
    "pulumi-resource-pulumi-python": "runs dynamic resources, which this package consists of",
}
"""The programs that come with the `pulumi` command."""


def _host(program: str, machine: Machine) -> Finding:
    """Look for a program where `pulumi` does: beside itself, and on PATH."""
    folders = [str(machine.command.parent), str(machine.command.resolve().parent), os.environ.get("PATH", os.defpath)]
    if found := shutil.which(program, path=os.pathsep.join(folders)):
        return ok(found)
    return failed(
        f"{program} is neither beside {machine.command} nor on PATH; it {_HOSTS[program]}",
        "Install pulumi as a whole: https://www.pulumi.com/docs/install/",
    )


def _engine(_: Machine) -> Finding:
    """Look whether gRPC, by which programs and providers talk to Pulumi's engine, goes through a proxy."""
    proxy = next((name for name in _GRPC_PROXIES if os.environ.get(name)), None)
    exempt = next((hosts for name in _GRPC_NO_PROXIES if (hosts := os.environ.get(name))), "")
    if proxy and _LOOPBACK not in [host.strip() for host in exempt.split(",")]:
        return failed(
            f"{proxy} sends what programs ask Pulumi's engine on this machine to the proxy",
            f"Set no_proxy={_LOOPBACK},localhost too, in lower case",
        )
    return ok("is asked without a proxy")


def _project(machine: Machine) -> Finding:
    names = ("Pulumi.yaml", "Pulumi.yml", "Pulumi.json")
    folders = (machine.folder, *machine.folder.parents)
    file = next((file for folder in folders for name in names if (file := folder / name).is_file()), None)
    if file is None:
        return skipped(f"{machine.folder} is not in a project: no Pulumi.yaml", "Run this in the project's folder")
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
    machine.project = file.parent
    main = file.parent / str(settings.get("main") or "")
    machine.program = main.parent if main.is_file() else main
    machine.options = _mapping(_mapping(runtime).get("options"))
    if not machine.program.is_dir():
        return failed(f"main of {file} leads to {machine.program}, which is not a folder", "Correct `main`")
    return ok(f"{file}, with the program in {machine.program}")


def _project_python(machine: Machine) -> Finding:
    options = machine.options or {}
    if options.get("toolchain") == "poetry" and not options.get("virtualenv"):
        return skipped("the environment is that of poetry", "Run `poetry run dataprotection doctor` for its packages")
    pythons, advice = _pythons(machine, str(options.get("virtualenv") or ""), uv=options.get("toolchain") == "uv")
    found = [_import(python, machine.program, advice) for python in pythons]
    return next((finding for finding in found if finding.result != "ok"), found[-1])


def _import(python: str, folder: Path, advice: str) -> Finding:
    if not shutil.which(python):
        return failed(f"the program {python} does not exist", advice)
    code = f"import pulumi_dataprotection, importlib.metadata as m; print(m.version({_PACKAGE!r}))"
    try:
        version = _answer(python, "-c", code, folder=folder)
    except subprocess.CalledProcessError as error:
        reason = str(error.stderr).strip().rpartition("\n")[2]
        return failed(f"{python} cannot import pulumi_dataprotection: {reason}", f"Install {_PACKAGE} there")
    except (OSError, subprocess.SubprocessError) as error:
        return failed(f"{python} cannot be run: {error}", advice)
    return ok(f"{python} has {_PACKAGE} {version}")


def _pythons(machine: Machine, virtualenv: str, *, uv: bool) -> tuple[list[str], str]:
    """Return the Pythons that Pulumi starts for the program and its resources, and the fix if one is missing."""
    if not virtualenv and not uv:
        names = (os.environ.get("PULUMI_PYTHON_CMD") or "python3", "python")
        python = next((name for name in names if shutil.which(name)), names[0])
        return [python], f"Put the folder of a Python with {_PACKAGE} first on PATH"
    folders = [machine.project / virtualenv] if virtualenv else []
    # The host of dynamic resources starts in the program's folder, and looks from there.
    folders.append(machine.program / (virtualenv or ".venv"))
    bin = "Scripts" if os.name == "nt" else "bin"
    advice = f"Make the environment (`uv sync`, or python -m venv), and install {_PACKAGE} into it"
    if machine.program != machine.project:
        advice = (
            "With `main`, Pulumi looks for the environment of dynamic resources below it: leave `virtualenv` and "
            "`toolchain` out, and put the environment's bin first on PATH"
        )
    return [str(folder / bin / "python") for folder in dict.fromkeys(folders)], advice


def _answer(program: str, *arguments: str, folder: Path) -> str:
    return subprocess.run(  # noqa: S603 - the user's own programs
        (program, *arguments),
        cwd=folder,
        env={**os.environ, "PULUMI_SKIP_UPDATE_CHECK": "true"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        encoding="utf-8",
        errors="replace",
        timeout=_LIMIT,
    ).stdout.strip()


def _mapping(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


MACHINE = (
    Check("Python", _python),
    Check("package", _package),
    Check("emulator", _emulator),
    Check("pulumi SDK", _sdk),
    Check("pulumi command", _command),
    Check("language host", partial(_host, "pulumi-language-python"), needs=["pulumi command"]),
    Check("dynamic resources", partial(_host, "pulumi-resource-pulumi-python"), needs=["pulumi command"]),
    Check("engine", _engine),
    Check("project", _project),
    Check("project's Python", _project_python, needs=["project"]),
)
"""The checks, in order."""
