"""Programs' settings, and a view of the service that nothing is known from before."""

import os
from collections.abc import Iterator

import pytest

from functions.program import Program
from pulumi_dataprotection.client import close_estates
from support import Emulator


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """A program without any settings, in a process that has read nothing yet."""
    for name in os.environ:
        if name.startswith("DATAPROTECTION_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("DATAPROTECTION_CALLS_PER_SECOND", "0")
    monkeypatch.setenv("DATAPROTECTION_READ_LAG", "0")
    yield Program()
    close_estates()


@pytest.fixture
def shop(program: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A program with the full key of a fresh emulator."""
    monkeypatch.setenv("DATAPROTECTION_API_KEY", emulator.api_key)
    monkeypatch.setenv("DATAPROTECTION_BASE_URL", emulator.url)
    return program
