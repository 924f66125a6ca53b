"""Fixtures of the tests on the real engine."""

import shutil
from pathlib import Path

import pytest
from pulumi import automation

from engine.stack import Stack
from support import Emulator


@pytest.fixture(scope="session")
def pulumi_command() -> automation.PulumiCommand:
    """The `pulumi` on PATH, where `make test` puts it."""
    found = shutil.which("pulumi")
    assert found, "no pulumi on PATH: run `make test`, or put the folder that tools/pulumi-cli/install.py prints there"
    return automation.PulumiCommand(root=str(Path(found).parent.parent), skip_version_check=True)


@pytest.fixture
def stack(tmp_path: Path, emulator: Emulator, pulumi_command: automation.PulumiCommand) -> Stack:
    """An empty stack against an emulator with the demo estate."""
    return Stack(tmp_path, emulator, pulumi_command)
