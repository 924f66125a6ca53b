"""Protection sets in storms: whatever goes wrong, nobody who is wanted loses a policy, and all comes to its end."""

import pytest

from support import NIGHTLY, Emulator
from support.resources.servicer import Servicer
from support.resources.storms import Storm

pytestmark = pytest.mark.thorough

STORMS = 20 if NIGHTLY else 8
"""The storms of a test."""


def weather(servicer: Servicer, emulator: Emulator, first: int, *, lasting: bool) -> None:
    for seed in range(first, first + STORMS):
        try:
            Storm(servicer, emulator, seed, lasting=lasting).rage()
        except AssertionError as error:
            error.add_note(f"the seed is {seed}")
            raise


@pytest.mark.parametrize("first", range(0, 140, 20))
def test_what_passes_leaves_nothing_behind(hurried: Servicer, emulator: Emulator, first: int) -> None:
    weather(hurried, emulator, first, lasting=False)


@pytest.mark.parametrize("first", range(140, 200, 20))
def test_what_lasts_is_caught_up_on(hurried: Servicer, emulator: Emulator, first: int) -> None:
    weather(hurried, emulator, first, lasting=True)
