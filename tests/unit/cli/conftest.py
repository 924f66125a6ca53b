"""The machine on which `dataprotection doctor` runs, and the programs whose results commands print."""

from pathlib import Path

import pytest

from support.cli.visit import visit
from support.functions.program import program, shop

__all__ = ["program", "shop", "visit"]


@pytest.fixture(autouse=True)
def _outside_of_projects(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run commands in a folder without a Pulumi project: the selected stack of a project has settings."""
    folder = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(folder)
    return folder
