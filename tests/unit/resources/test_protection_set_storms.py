"""Protection sets while requests fail at random: no wanted member loses its policy, and all runs reach their end."""

import pytest

from support import NIGHTLY, Emulator
from support.resources.servicer import Servicer
from support.resources.storms import Storm

pytestmark = pytest.mark.thorough

STORMS = 20 if NIGHTLY else 8
"""The number of storms of a test."""


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_faults_leave_nothing_behind(hurried: Servicer, emulator: Emulator, first: int) -> None:
    for seed in range(first, first + STORMS):
        try:
            Storm(hurried, emulator, seed, lasting=first >= 140).rage()
        except AssertionError as error:
            error.add_note(f"the seed is {seed}")
            raise
