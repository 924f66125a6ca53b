"""The distributions, built once as `make dist` builds them, and a machine's uv to install them with."""

import shutil
import sys
from pathlib import Path

import pytest

from support import ROOT
from support.release.installing import Distributions, Uv, run


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the repository in which the set-up finds that all is there."""
    folder = tmp_path_factory.mktemp("release") / "check out"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    shutil.copy(ROOT / ".gitignore", folder)
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (folder / ".venv" / ".synced").touch()
    if (ROOT / ".local" / "uv").exists():
        (folder / ".local").mkdir()
        (folder / ".local" / "uv").symlink_to(ROOT / ".local" / "uv")
    return folder


@pytest.fixture(scope="session")
def uv(checkout: Path, users_cache: str) -> Uv:
    """Return the uv that the set-up finds, with the cache of whoever runs the tests: it holds the packages."""
    return Uv(checkout, users_cache)


@pytest.fixture(scope="session")
def distributions(checkout: Path, uv: Uv) -> Distributions:
    """Return what `make dist` builds."""
    run("make", "dist", folder=checkout, environment=uv.environment)
    (sdist,) = (checkout / "dist").glob("*.tar.gz")
    (wheel,) = (checkout / "dist").glob("*.whl")
    return Distributions(sdist, wheel)
