"""Programs' settings, and a view of the service that nothing is known from before."""

import os
from itertools import count

import pytest

from functions.program import Program
from support import Emulator

_tests = count(1)


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Program:
    """A program without any settings.

    What was read is kept for each different settings, so every program has a time limit that no other has.
    """
    for name in os.environ:
        if name.startswith("DATAPROTECTION_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("DATAPROTECTION_CALLS_PER_SECOND", "0")
    monkeypatch.setenv("DATAPROTECTION_READ_LAG", "0")
    monkeypatch.setenv("DATAPROTECTION_REQUEST_TIMEOUT", str(30 + next(_tests) / 1000))
    return Program()


@pytest.fixture
def shop(program: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A program with the full key of a fresh emulator."""
    monkeypatch.setenv("DATAPROTECTION_API_KEY", emulator.api_key)
    monkeypatch.setenv("DATAPROTECTION_BASE_URL", emulator.url)
    return program
