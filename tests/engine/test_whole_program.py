"""A removal knows the whole program: any order, target, exclusion, blocking function and callback."""

import pytest

from support import Emulator
from support.engine.programs import SECOND, hire, program, writes_by_thing
from support.engine.stack import Stack
from support.resources.effects import policies_on

OFF = "-gold"

BLOCK = """
def block(resource):
    '''Run the event loop in the middle of the program, as a blocking function of another provider does.'''
    from pulumi.runtime.sync_await import _sync_await
    pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", {"stackName": "organization/test/dev"}).value
    _sync_await(resource.id.future())


def later(declare, after):
    after.id.apply(lambda _: pulumi.Output.from_input("known").apply(lambda _: declare()))


"""


MOVES = {
    "to a set behind a blocking function": (
        'protect_all("a1", [30, 31])\nprotect_all("a2", [32])',
        'a1 = protect_all("a1", [30])\nblock(a1)\nprotect_all("a2", [31, 32])',
    ),
    "behind a blocking function, while another item leaves": (
        'protect_all("b1", [33, 34, 35])',
        'b1 = protect_all("b1", [33], max_removals=1)\nblock(b1)\nprotect_all("b2", [34])',
    ),
    "to a protection in a callback": (
        'protect_all("c1", [36, 37])',
        'c1 = protect_all("c1", [36])\nlater(lambda: protect("c2", 37), c1)',
    ),
    "to a set in a callback of a callback": (
        'protect_all("d1", [38, 39])',
        'd1 = protect_all("d1", [38])\nlater(lambda: later(lambda: protect_all("d2", [39]), d1), d1)',
    ),
    "to a protection whose item is an output": (
        'protect_all("e1", [40, 41])',
        'protect_all("e1", [40])\nprotect("e2", get_resource_output("tenant-contoso", "res-contoso-user-41").id)',
    ),
    "from a protection to a set behind a blocking function": (
        'protect("f1", 42)\nprotect_all("f2", [43])',
        'f2 = protect_all("f2", [43])\nblock(f2)\nprotect_all("f3", ["user-42@contoso.example"])',
    ),
    "to another process behind a blocking function": (
        'protect_all("g1", [44, 45])',
        'g1 = protect_all("g1", [44])\nblock(g1)\nprotect_all("g2", ["ext$usr-1045"], provider=SECOND)',
    ),
    "all at once, although none may leave": (
        'protect_all("h1", [46, 47, 48, 49], max_removals=0)',
        'h1 = protect_all("h1", [], max_removals=0)\nblock(h1)\nprotect_all("h2", [46, 47, 48, 49])',
    ),
    "to an earlier set": (
        'protect_all("i1", [50])\nprotect_all("i2", [51, 52])',
        'i1 = protect_all("i1", [50, 51])\nblock(i1)\nprotect_all("i2", [52])',
    ),
}
"""Two versions of some lines of a program: in the second version items move, and only user 35 leaves."""
REMOVING = {"b1": "1 to unprotect, of 3 members: user-35@contoso.example (res-contoso-user-35)"}


def test_an_item_that_moves_is_never_unprotected(stack: Stack, emulator: Emulator) -> None:
    hire(emulator)
    stack.deploy(program(SECOND, BLOCK, *(before for before, _ in MOVES.values())))
    stack.write(program(SECOND, BLOCK, *(after for _, after in MOVES.values())))
    preview, up = stack.preview(), stack.up()
    assert not up.failed, up.text
    assert {"contoso-user-35": [OFF]} == writes_by_thing(emulator)
    for outcome in (preview, up):
        notes = {name: note.splitlines()[0] for name, note in outcome.notes.items() if "to unprotect" in note}
        assert REMOVING == notes, outcome.text
    assert {} == stack.preview("--refresh").steps
    assert not stack.preview("--expect-no-changes").failed


def test_a_program_that_raises_removes_nothing(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program('protect_all("a", [9, 10])', 'protect("b", 11)'))
    for raising in ("raise ValueError('broken')", "pulumi.Output.from_input(1).apply(lambda _: 1 / 0)"):
        stack.write(program(BLOCK, 'a = protect_all("a", [9])', "block(a)", raising))
        assert stack.up().failed
        assert {} == writes_by_thing(emulator)
    stack.write(program('protect_all("a", [9])'))
    assert not stack.up().failed
    assert {"contoso-user-10": [OFF], "contoso-user-11": [OFF]} == writes_by_thing(emulator)


RENAMED = {
    "a protection": ('protect("a1", 9)', 'protect("b1", 9)'),
    "a protection that a name declares": ('protect("a2", 10)', 'protect("b2", "chiara.rossi@contoso.example")'),
    "a protection that moves into a set": ('protect("a3", 11)', 'protect_all("b3", ["ext$usr-1011"])'),
    "a set": ('protect_all("a4", [12])', 'protect_all("b4", [12])'),
    "a protection of an output": (
        'protect("a5", 13)',
        'protect("b5", get_resource_output("tenant-contoso", "res-contoso-user-13").id)',
    ),
}


@pytest.mark.parametrize("options", [("--target", "**::a*"), ("--exclude", "**::b*")])
def test_targets_and_exclusions_remove_no_declared_item(
    stack: Stack, emulator: Emulator, options: tuple[str, str]
) -> None:
    stack.deploy(program(*(before for before, _ in RENAMED.values())))
    stack.write(program(*(after for _, after in RENAMED.values())))
    up = stack.up(*options)
    assert (False, {f"a{number}": "delete" for number in range(1, 6)}) == (up.failed, up.steps), up.text
    assert {f"b{number}": "create" for number in range(1, 6)} == stack.up().steps
    assert {} == writes_by_thing(emulator)


FORCED = 'protect("a", 9)', 'protect_all("b", [10, 11, 12, 13])', 'org("c", "crm-1", "Shop")'


def test_a_forced_replacement_removes_no_policy(stack: Stack, emulator: Emulator) -> None:
    for options in (["--replace", "**::a", "--replace", "**::b", "--replace", "**::c"], ["--skip-preview"]):
        stack.deploy(program(*FORCED))
        if "--skip-preview" in options:
            for one in stack.resources().values():
                stack.taint(one["urn"])
        # The list breaks at the same time.
        stack.write(program(FORCED[0], 'protect_all("b", [10])', FORCED[2]))
        up = stack.up(*options)
        assert (False, dict.fromkeys("abc", "replace")) == (up.failed, up.steps), up.text
        assert {} == writes_by_thing(emulator)
        assert "forced replacement" in up.messages["a"]
        assert "4 members" in up.messages["b"]
        assert "invitation_url" in up.messages["c"]
        assert not stack.preview("--refresh", "--expect-no-changes").failed
        stack.destroy()
        protected = [f"res-contoso-user-{number:02}" for number in range(9, 14)]
        assert protected == [id for id in protected if policies_on(emulator, id)]
        emulator.reset()


TRIGGERED = {
    "a": 'protect("a", 9, replacement_trigger=TRIGGER)',
    "b": 'protect_all("b", [10, 11], replacement_trigger=TRIGGER)',
    "c": 'protect_all("c", [12], replace_with=[org("o", "crm-2", "Deli", replacement_trigger=TRIGGER)])',
}


def test_a_replacement_by_a_trigger_is_refused_in_the_preview(stack: Stack, emulator: Emulator) -> None:
    lines = {name: line.replace("TRIGGER", "1") for name, line in TRIGGERED.items()}
    stack.deploy(program(*lines.values()))
    for name, line in TRIGGERED.items():
        stack.write(program(*{**lines, name: line.replace("TRIGGER", "2")}.values()))
        preview = stack.preview()
        assert preview.failed, name
        assert "replacement was forced" in "".join(preview.messages.values()), preview.text
    assert stack.up().failed
    assert {} == writes_by_thing(emulator)


def test_an_old_set_gets_its_part_and_loses_no_item_that_leaves(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program('protect_all("old", [9, 10])'))
    state = stack.export()
    resources = state["deployment"]["resources"]
    state["deployment"]["resources"] = [one for one in resources if not one["type"].endswith(":MemberRemoval")]
    stack.load(state)
    emulator.clear_requests()
    stack.write(program('protect_all("old", [9])'))
    assert "1 to unprotect, of 2 members" in stack.preview().notes["old"]
    assert {"old": "update"} == stack.up().steps
    assert {"contoso-user-10": [OFF]} == writes_by_thing(emulator)
    assert not stack.preview("--expect-no-changes").failed


def test_a_removal_that_failed_is_done_by_the_next_up(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program('protect_all("a", [9, 10, 11, 12])'))
    stack.write(program('protect_all("a", [9, 12])'))
    with emulator.faults({"operation": "unprotect_resource", "path": "*-10/protect", "do": ["status:403"]}):
        up = stack.up()
    assert all(named in up.messages["a-removal"] for named in ("tenant-contoso", "1 failed:", "res-contoso-user-10"))
    emulator.clear_requests()
    assert stack.preview("--expect-no-changes").failed, "the preview shows the deletion that is left to do"
    assert not stack.up().failed
    assert {"contoso-user-10": [OFF]} == writes_by_thing(emulator)
    assert not stack.preview("--expect-no-changes").failed


def test_an_asynchronous_program_has_ended_before_anything_is_removed(stack: Stack, emulator: Emulator) -> None:
    stack.write(program('protect_all("a", [9, 10])'))
    stack.up()
    emulator.clear_requests()
    stack.write(
        program(
            "import asyncio",
            "async def main():",
            '    protect_all("a", [9])',
            "    await asyncio.sleep(0.3)",
            '    protect("b", 10)',
            "pulumi.run(main)",
        )
    )
    assert not stack.up().failed
    assert {} == writes_by_thing(emulator)


def test_a_destroy_that_runs_the_program_removes_its_declarations(stack: Stack, emulator: Emulator) -> None:
    stack.write(program('protect("a", 9)', 'protect_all("b", [10, 11])'))
    stack.up()
    destroy = stack.destroy("--run-program")
    assert (False, {"a": "delete", "b": "delete"}) == (destroy.failed, destroy.steps)
    assert [] == [number for number in ("09", "10", "11") if policies_on(emulator, f"res-contoso-user-{number}")]
