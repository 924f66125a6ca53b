"""The package, installed from the wheel outside of the repository, with old and new packages."""

import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from support import ROOT
from support.forking import NIGHTLY
from support.functions.names import PUBLIC
from support.release.customers import Customers, emulator
from support.release.installing import Distributions, Installed, Uv, find_python

RUNNING = f"{sys.version_info.major}.{sys.version_info.minor}"
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def oldest(requirement: Requirement) -> SpecifierSet:
    """Return the oldest admitted version; its first patches may be yanked."""
    (bound,) = (part.version for part in requirement.specifier if part.operator == ">=")
    return SpecifierSet(f"=={bound}.*" if "." in bound else f"=={bound}.0.*")


REQUIREMENTS = map(Requirement, [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["emulator"]])
OLDEST = {requirement.name: oldest(requirement) for requirement in REQUIREMENTS}


def run_the_quickstart(folder: Path, installed: Installed) -> None:
    """Deploy, repeat and destroy the quickstart; no file of it may come from the repository."""
    with emulator(installed) as service:
        customers = Customers(folder, installed, service)
        before = service.control("GET", "state")["protections"]
        customers.pulumi("up", "--yes", "--skip-preview")
        outputs = customers.outputs()
        after = service.control("GET", "state")["protections"]
        service.control("DELETE", "requests")
        customers.pulumi("up", "--yes", "--skip-preview", "--expect-no-changes")
        methods = {request["method"] for request in service.control("GET", "requests")}
        customers.pulumi("state", "unprotect", "--all", "--yes")
        customers.pulumi("destroy", "--yes", "--skip-preview")

        assert installed.folder in Path(outputs["package"]).parents
        assert 0 < outputs["protected by the set"] < len(after) - len(before) + 1
        assert {"GET"} == methods
        assert before == service.control("GET", "state")["protections"]


@pytest.fixture
def wheel(distributions: Distributions) -> str:
    """Return the requirement of the wheel with its emulator."""
    return f"pulumi-dataprotection[emulator] @ {distributions.wheel.as_uri()}"


@pytest.fixture
def python(request: pytest.FixtureRequest) -> str:
    """Return an interpreter of the version of the test."""
    found = sys.executable if request.param == RUNNING else find_python(request.param)
    if found is None:
        pytest.skip(f"Python {request.param} was not found on PATH or in pyenv")
    return found


@pytest.mark.parametrize("python", PYTHONS if NIGHTLY else [RUNNING], indirect=True)
def test_the_quickstart_runs_from_the_wheel_on_the_newest_packages(
    python: str, wheel: str, uv: Uv, tmp_path: Path
) -> None:
    installed = Installed(tmp_path / ".venv", uv, python, wheel)

    assert Version(version("pulumi")) <= installed.versions()["pulumi"]
    run_the_quickstart(tmp_path, installed)


# Python 3.14 is younger than some of the oldest packages, which have no wheels for it.
@pytest.mark.parametrize("python", PYTHONS[:-1] if NIGHTLY else [RUNNING], indirect=True)
def test_the_quickstart_runs_from_the_wheel_on_the_oldest_admitted_packages(
    python: str, wheel: str, uv: Uv, tmp_path: Path
) -> None:
    # uv takes the oldest of what it is asked for by name, so it is asked for all that the package itself asks for.
    named = ("--requirements", ROOT / "pyproject.toml", "--extra", "emulator")
    choice = ("--resolution", "lowest-direct", "--only-binary", ":all:")
    installed = Installed(tmp_path / ".venv", uv, python, *choice, *named, wheel)

    versions = installed.versions()
    assert {} == {name: versions[name] for name, bound in OLDEST.items() if versions[name] not in bound}
    run_the_quickstart(tmp_path, installed)


def test_the_package_without_its_extra_has_its_names_and_command_and_names_the_extra(
    distributions: Distributions, uv: Uv, tmp_path: Path
) -> None:
    installed = Installed(tmp_path / ".venv", uv, sys.executable, distributions.wheel)

    assert f"dataprotection, version {PROJECT['version']}\n" == installed.run("dataprotection", "--version")
    names = "import pulumi_dataprotection as p; print(p.__file__, *(getattr(p, name).__name__ for name in p.__all__))"
    path, *found = installed.run("python", "-c", names).split()
    assert installed.folder in Path(path).parents
    assert PUBLIC == found
    code, printed = installed.try_to("dataprotection", "emulator", "serve")
    assert (1, True) == (code, "pip install 'pulumi-dataprotection[emulator]' (" in printed)
