"""Protection sets in storms: whatever goes wrong, nobody who is wanted loses a policy, and all comes to its end."""

import pytest

from resources.servicer import Servicer
from resources.storms import Storm
from support import Emulator

AT_ONCE = 20
"""So many storms make one test."""


def weather(servicer: Servicer, emulator: Emulator, first: int, *, lasting: bool) -> None:
    for seed in range(first, first + AT_ONCE):
        try:
            Storm(servicer, emulator, seed, lasting=lasting).rage()
        except AssertionError as error:
            error.add_note(f"the seed is {seed}")
            raise


@pytest.mark.parametrize("first", range(0, 140, AT_ONCE))
def test_what_passes_leaves_nothing_behind(hurried: Servicer, emulator: Emulator, first: int) -> None:
    weather(hurried, emulator, first, lasting=False)


@pytest.mark.parametrize("first", range(140, 200, AT_ONCE))
def test_what_lasts_is_caught_up_on(hurried: Servicer, emulator: Emulator, first: int) -> None:
    weather(hurried, emulator, first, lasting=True)
