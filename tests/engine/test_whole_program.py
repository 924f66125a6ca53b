"""A removal knows the whole program: any order, target, exclusion, blocking function and callback."""

from dataclasses import dataclass, field

import pytest

from engine.programs import program, writes_by_thing
from engine.stack import Stack
from history import policies_on
from support import Emulator

ON, OFF = "+gold", "-gold"

BLOCK = """
def block(wait_for=None):
    '''Run the event loop in the middle of the program, as a blocking function of another provider does.'''
    from pulumi.runtime.sync_await import _sync_await
    pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", {"stackName": f"organization/test/{pulumi.get_stack()}"}).value
    if wait_for:
        _sync_await(wait_for.id.future())


def later(declare, after):
    after.id.apply(lambda _: pulumi.Output.from_input("known").apply(lambda _: declare()))


"""


@dataclass
class Move:
    """Two versions of some lines of a program.

    Attributes:
        before: the lines in the first version.
        after: the lines in the second version.
        writes: the writes of the second version by item; a member that only moves has none.
        told: parts of what a preview and `up` of the second version tell, by resource.
        silent: words that they must not tell.
    """

    before: str
    after: str
    writes: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    told: dict[str, str] = field(default_factory=dict[str, str])
    silent: dict[str, str] = field(default_factory=dict[str, str])


MOVES = {
    "a blocking function between two sets": Move(
        'protect_all("a1", [6, 7])\nprotect_all("a2", [8])',
        'a1 = protect_all("a1", [6])\nblock(a1)\nprotect_all("a2", [7, 8])',
        silent={"a1": "unprotect"},
    ),
    "a blocking function, and one that really leaves": Move(
        'protect_all("b1", [9, 10, 11])',
        'b1 = protect_all("b1", [9])\nblock(b1)\nprotect_all("b2", [10])',
        {"contoso-user-11": [OFF]},
        {"b1": "1 to unprotect, of 3 members: priya.sharma@contoso.example (res-contoso-user-11)"},
    ),
    "a protection that a callback declares": Move(
        'protect_all("c1", [12, 13])',
        'c1 = protect_all("c1", [12])\nlater(lambda: protect("c2", 13), c1)',
    ),
    "a set that a callback of a callback declares": Move(
        'protect_all("d1", [14, 15])',
        'd1 = protect_all("d1", [14])\nlater(lambda: later(lambda: protect_all("d2", [15]), d1), d1)',
    ),
    "an item that an output names": Move(
        'protect_all("e1", [16, 17])',
        'protect_all("e1", [16])\nprotect("e2", get_resource_output("tenant-contoso", "res-contoso-user-17").id)',
        silent={"e1": "unprotect"},
    ),
    "a protection that moves into a set after a blocking function": Move(
        'protect("f1", 18)\nf2 = protect_all("f2", [19])',
        'f2 = protect_all("f2", [19])\nblock(f2)\nprotect_all("f3", [18])',
    ),
}
IN_USE = range(6, 20)


def test_an_item_that_moves_is_never_unprotected(stack: Stack, emulator: Emulator) -> None:
    for number in IN_USE:
        emulator.unprotect(f"res-contoso-user-{number:02}")
    stack.write(program(BLOCK, *(move.before for move in MOVES.values())))
    assert not stack.up("--skip-preview").failed
    emulator.clear_requests()
    stack.write(program(BLOCK, *(move.after for move in MOVES.values())))
    preview, up = stack.preview(), stack.up("--skip-preview")
    assert not up.failed, up.text
    assert {thing: what for move in MOVES.values() for thing, what in move.writes.items()} == writes_by_thing(emulator)
    for case, move in MOVES.items():
        for outcome in (preview, up):
            assert all(words in outcome.notes.get(name, "") for name, words in move.told.items()), case
            assert all(words not in outcome.notes.get(name, "") for name, words in move.silent.items()), case
    assert {} == stack.preview("--refresh").steps
