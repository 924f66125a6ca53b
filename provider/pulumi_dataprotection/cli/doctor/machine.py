"""The checks of this machine: the packages, and the `pulumi` command."""

import os
import platform
import shutil
import subprocess
from functools import partial
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from pulumi_dataprotection.cli.doctor.checks import Check, Finding, failed, ok

__all__ = ["MACHINE", "MINIMUM", "PACKAGE", "answer"]

MINIMUM = Version("3.254.0")
"""The oldest `pulumi` command that the provider works with."""

PACKAGE = "pulumi-dataprotection"
_GRPC_PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")
_GRPC_NO_PROXIES = ("no_grpc_proxy", "no_proxy")
"""The variables that gRPC looks at, which knows no capital ones."""

_LOOPBACK = "127.0.0.1"
_LIMIT = 60.0
"""Seconds for another program."""


def _python(_: object) -> Finding:
    version = platform.python_version()
    wanted = metadata.metadata(PACKAGE)["Requires-Python"]
    if not SpecifierSet(wanted).contains(version, prereleases=True):
        return failed(f"{version}, where the package needs {wanted}", "Install a newer Python, and the package into it")
    return ok(version)


def _package(_: object) -> Finding:
    return ok(f"{PACKAGE} {metadata.version(PACKAGE)}")


def _emulator(_: object) -> Finding:
    extra = [one for one in _requirements() if one.marker and one.marker.evaluate({"extra": "emulator"})]
    missing = ", ".join(requirement.name for requirement in extra if not _is_installed(requirement))
    return ok(f"not installed, which only `dataprotection emulator` needs: {missing}" if missing else "installed")


def _sdk(_: object) -> Finding:
    wanted = next(requirement for requirement in _requirements() if requirement.name == "pulumi")
    version = metadata.version("pulumi")
    if not _is_installed(wanted):
        advice = f"Install one of these: pip install 'pulumi{wanted.specifier}', or `uv add` it"
        return failed(f"{version}, where the package needs {wanted.specifier}", advice)
    return ok(f"{version}, of {wanted.specifier}")


def _requirements() -> list[Requirement]:
    return [*map(Requirement, metadata.requires(PACKAGE) or ())]


def _is_installed(requirement: Requirement) -> bool:
    try:
        return requirement.specifier.contains(metadata.version(requirement.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False


def _command(_: object) -> Finding:
    advice = f"Install pulumi >= {MINIMUM} so that it is on PATH: https://www.pulumi.com/docs/install/"
    found = shutil.which("pulumi")
    if found is None:
        return failed("pulumi is not on PATH", advice)
    try:
        version = Version(answer(found, "version").removeprefix("v"))
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


def _host(program: str, _: object) -> Finding:
    """Look for a program where `pulumi` does: beside itself, and on PATH."""
    command = Path(shutil.which("pulumi") or "").absolute()
    folders = [str(command.parent), str(command.resolve().parent), os.environ.get("PATH", os.defpath)]
    if found := shutil.which(program, path=os.pathsep.join(folders)):
        return ok(found)
    return failed(
        f"{program} is neither beside {command} nor on PATH; it {_HOSTS[program]}",
        "Install pulumi as a whole: https://www.pulumi.com/docs/install/",
    )


def _engine(_: object) -> Finding:
    """Look whether gRPC, by which programs and providers talk to Pulumi's engine, goes through a proxy."""
    proxy = next((name for name in _GRPC_PROXIES if os.environ.get(name)), None)
    exempt = next((hosts for name in _GRPC_NO_PROXIES if (hosts := os.environ.get(name))), "")
    if proxy and _LOOPBACK not in [host.strip() for host in exempt.split(",")]:
        return failed(
            f"{proxy} sends what programs ask Pulumi's engine on this machine to the proxy",
            f"Set no_proxy={_LOOPBACK},localhost too, in lower case",
        )
    return ok("is asked without a proxy")


def answer(program: str, *arguments: str, folder: Path | None = None) -> str:
    """Return the output of a program."""
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


MACHINE = (
    Check("Python", _python),
    Check("package", _package),
    Check("emulator", _emulator),
    Check("pulumi SDK", _sdk),
    Check("pulumi command", _command),
    Check("language host", partial(_host, "pulumi-language-python"), needs=["pulumi command"]),
    Check("dynamic resources", partial(_host, "pulumi-resource-pulumi-python"), needs=["pulumi command"]),
    Check("engine", _engine),
)
"""The checks, in order."""
