"""The engine's options and state commands on sets, and the writes of each of them."""

from support import Emulator
from support.engine.programs import Change, program, steps_and_writes, writes_by_thing, writes_in_order
from support.engine.stack import Stack

OPTIONS = {
    "ignore_changes of members": Change(
        'protect_all("frozen", [9, 10], ignore_changes=["assignments"])',
        'protect_all("frozen", [11], "Silver", ignore_changes=["assignments"])',
    ),
    "aliases below a parent": Change(
        'protect_all("moved", [12])',
        'protect_all("moved", [12], parent=Group("home"), aliases=[pulumi.Alias(parent=pulumi.ROOT_STACK_RESOURCE)])',
    ),
    "a parent that goes": Change(
        'protect_all("child", [13], parent=Group("house"))', "", {"child": "delete"}, {"contoso-user-13": ["-gold"]}
    ),
    "retain_on_delete": Change('protect_all("left", [14], retain_on_delete=True)', "", {"left": "delete"}),
    "on_destroy": Change('protect_all("kept", [15], on_destroy="keep")', "", {"kept": "delete"}),
    "protect": Change('protect_all("safe", [16], protect=True)', 'protect_all("safe", [16], protect=False)'),
    "replace_on_changes": Change(
        'protect_all("made", [17, 18], replace_on_changes=["assignments"])',
        'protect_all("made", [18, 19], replace_on_changes=["assignments"])',
        {"made": "replace"},
        {"contoso-user-17": ["-gold"], "contoso-user-19": ["+gold"]},
    ),
    "delete_before_replace": Change(
        'protect_all("gone", [20, 21], replace_on_changes=["assignments"], delete_before_replace=True)',
        'protect_all("gone", [21, 22], replace_on_changes=["assignments"], delete_before_replace=True)',
        {"gone": "replace"},
        {"contoso-user-20": ["-gold"], "contoso-user-22": ["+gold"]},
    ),
    "another tenant": Change(
        'protect_all("tenant", [23, 24], max_removals=2)',
        'protect_all("tenant", [23, 24], max_removals=2, tenant="adatum")',
        {"tenant": "replace"},
        {
            **{f"contoso-user-{number}": ["-gold"] for number in (23, 24)},
            **{f"adatum-user-{number}": ["+gold"] for number in (23, 24)},
        },
    ),
    "only an argument": Change(
        'protect_all("lenient", [25])', 'protect_all("lenient", [25], on_missing="warn")', {"lenient": "update"}
    ),
}


def made(stack: Stack) -> dict[str, set[str]]:
    """Return the members whose policy the state calls the work of the set, by set."""
    return {
        name: {one.partition("-")[2] for one in resource["outputs"]["protected"]}
        for name, resource in stack.resources().items()
    }


def test_options_of_a_set_do_what_they_say(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program(*(change.before for change in OPTIONS.values())))
    stack.write(program(*(change.after for change in OPTIONS.values())))
    steps, writes = steps_and_writes(OPTIONS)
    assert steps == stack.preview().steps
    assert (steps, writes) == (stack.up().steps, writes_by_thing(emulator))
    order = writes_in_order(emulator)
    assert order.index("contoso-user-19 +gold") < order.index("contoso-user-17 -gold")
    # A set is never deleted before its replacement exists, also with delete_before_replace.
    assert order.index("contoso-user-22 +gold") < order.index("contoso-user-20 -gold")
    # A replaced set keeps its policies.
    assert {
        "frozen": {"contoso-user-09", "contoso-user-10"},
        "moved": {"contoso-user-12"},
        "safe": {"contoso-user-16"},
        "made": {"contoso-user-18", "contoso-user-19"},
        "gone": {"contoso-user-21", "contoso-user-22"},
        "tenant": {"adatum-user-23", "adatum-user-24"},
        "lenient": {"contoso-user-25"},
    } == made(stack)
    assert {} == stack.up("--refresh").steps


def test_a_target_keeps_a_member_that_its_neighbour_declares(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program('protect_all("one", [9, 10])', 'protect_all("two", [11, 12])'))
    stack.write(program('protect_all("one", [9])', 'protect_all("two", [10, 12, 13])'))
    assert {"one": "update"} == stack.up("--target", "**::one").steps
    assert {} == writes_by_thing(emulator)
    assert {"two": "update"} == stack.up().steps
    assert {"contoso-user-11": ["-gold"], "contoso-user-13": ["+gold"]} == writes_by_thing(emulator)


SET = "urn:pulumi:dev::test::pulumi-python:dynamic/dataprotection:ProtectionSet::before"


def test_a_set_renamed_in_the_state_or_exported_and_imported_is_unchanged(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program('protect_all("before", [9, "yuki.tanaka@contoso.example"])'))
    stack.rename(SET, "after")
    stack.load(stack.export())
    stack.write(program('protect_all("after", [9, "yuki.tanaka@contoso.example"])'))
    emulator.clear_requests()
    up = stack.up("--refresh")
    assert (False, {}, {}, {}) == (up.failed, up.steps, up.refreshed, writes_by_thing(emulator)), up.text


def test_a_set_that_moves_to_another_tenant_adopts_the_policies_there(stack: Stack, emulator: Emulator) -> None:
    emulator.reset("large:2x3")
    foreign = {"tenant_id": "tenant-0002", "resource_id": "res-0000001", "policy_id": "policy-gold"}
    emulator.patch({"protections": [{**foreign, "id": "prot-1", "job_id": "1"}]})
    members = (
        'ProtectionSet("set", tenant_id="tenant-0001", resources=["res-0000001", "res-0000002"], policy="Gold", '
        'max_removals="100%")'
    )
    for lines in (members, members.replace("0001", "0002", 1), ""):
        stack.deploy(lines)
    assert [foreign] == [{name: one[name] for name in foreign} for one in emulator.state()["protections"]]
