"""Stand-ins for the programs of a machine; no test here needs Go, pulumi or a network."""

from collections.abc import Callable
from pathlib import Path

import pytest

from support.shell import write_script


@pytest.fixture(autouse=True)
def cache(users_cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give tools the cache of the user, so that they do not download and build again."""
    monkeypatch.setenv("XDG_CACHE_HOME", users_cache)


@pytest.fixture
def path_folder(tmp_path: Path) -> Path:
    """Return the folder on PATH for the programs of a test."""
    folder = tmp_path / "path"
    folder.mkdir()
    return folder


@pytest.fixture
def program(path_folder: Path) -> Callable[[str, str], Path]:
    """Return a function that puts a shell script on PATH."""
    return lambda name, script: write_script(path_folder / name, script)
