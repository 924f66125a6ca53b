"""Programs that stand in for those a machine may have or lack; nothing here needs Go, pulumi or a network."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache(users_cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tools have the cache of whoever runs the tests: they would have to get or to build again what is there."""
    monkeypatch.setenv("XDG_CACHE_HOME", users_cache)


@pytest.fixture
def path_folder(tmp_path: Path) -> Path:
    """Return the folder on PATH that a test fills."""
    folder = tmp_path / "path"
    folder.mkdir()
    return folder


@pytest.fixture
def program(path_folder: Path) -> Callable[[str, str], Path]:
    """Return what puts a shell script of a name on PATH."""

    def write(name: str, script: str) -> Path:
        target = path_folder / name
        target.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        target.chmod(0o755)
        return target

    return write
