"""Items that stay the same under another name: nothing is written, and nothing is unprotected."""

import re

from support import Emulator
from support.engine.programs import Change, program, steps_and_writes, writes_by_thing, writes_in_order
from support.engine.stack import Stack

REWRITTEN = {
    "an address, then the id": Change('protect("a", "łukasz.nowak@contoso.example")', 'protect("a", 9)'),
    "the id, then the external id": Change('protect("b", 10)', 'protect("b", "ext$usr-1010")'),
    "the external id, then an address in capitals": Change(
        'protect("c", "ext$usr-1011")', 'protect("c", "Priya.SHARMA@Contoso.Example")'
    ),
    "a policy's name, then its id": Change('protect("d", 12)', 'protect("d", 12, "policy-contoso-gold")'),
    "an organization, then another spelling of it": Change(
        'org("shop", "crm-2", "Café", admin_email="Ops.Team@Shop.Example")',
        'org("shop", "crm-2", "Cafe\u0301", admin_email="ops.team@shop.example")',
    ),
    "a policy's id, then its name": Change('protect("e", 13, "policy-contoso-gold")', 'protect("e", 13)'),
}


def rename_everything(emulator: Emulator) -> None:
    """Give each mailbox and each policy another name."""
    tenant = {"tenant_id": "tenant-contoso"}
    users = [{**tenant, "id": f"res-contoso-user-{number:02}", "name": f"former-{number}"} for number in range(9, 14)]
    policy = {**tenant, "id": "policy-contoso-gold", "name": "Platinum"}
    emulator.patch({"resources": users, "policies": [policy]})


def test_another_reference_to_the_same_item_is_no_change(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program(*(change.before for change in REWRITTEN.values())))
    stack.write(program(*(change.after for change in REWRITTEN.values())))
    assert {} == stack.up().steps
    assert {} == stack.refresh().refreshed
    rename_everything(emulator)
    renamed = stack.up("--refresh")
    assert (False, {}, {}) == (renamed.failed, renamed.steps, writes_by_thing(emulator)), renamed.text


RENAMED = {
    "another name": Change('protect("old", 9)', 'protect("new", 9)', {"old": "delete", "new": "create"}),
    "below a component": Change(
        'protect("moved", 10)', 'protect("moved", 10, parent=Group("home"))', {"moved": "create, delete"}
    ),
    "another name and another policy": Change(
        'protect("first", 12)',
        'protect("second", 12, "Silver", on_conflict="take_over")',
        {"first": "delete", "second": "create"},
        {"contoso-user-12": ["+silver", "-gold"]},
    ),
    "another name and a profile": Change(
        'protect("direct", 20)',
        'protect("by-profile", 20, profile="same")',
        {"direct": "delete", "by-profile": "create"},
    ),
    "another name of an organization": Change(
        'org("customer", "crm-1", "Shop")', 'org("kunde", "crm-1", "Shop")', {"customer": "delete", "kunde": "create"}
    ),
}
REPLACED = {
    "two names swapped": Change(
        'protect("left", 13)\nprotect("right", 14)',
        'protect("right", 13)\nprotect("left", 14)',
        {"left": "replace", "right": "replace"},
    ),
    "two names swapped and their policies": Change(
        'protect("high", 15, on_conflict="take_over")\nprotect("low", 16, "Silver", on_conflict="take_over")',
        'protect("low", 15, "Silver", on_conflict="take_over")\nprotect("high", 16, on_conflict="take_over")',
        {"high": "replace", "low": "replace"},
        {"contoso-user-15": ["+silver", "-gold"], "contoso-user-16": ["+gold", "-silver"]},
    ),
    "another resource": Change(
        'protect("person", 17)',
        'protect("person", 18)',
        {"person": "replace"},
        {"contoso-user-17": ["-gold"], "contoso-user-18": ["+gold"]},
    ),
    "another tenant": Change(
        'protect("tenant", 19)',
        'protect("tenant", 19, tenant="adatum")',
        {"tenant": "replace"},
        {"contoso-user-19": ["-gold"], "adatum-user-19": ["+gold"]},
    ),
}


def test_an_item_that_is_still_declared_is_never_unprotected(stack: Stack, emulator: Emulator) -> None:
    changes = {**RENAMED, **REPLACED}
    # If the service allows a second policy, a swap has no moment without a policy.
    emulator.set_dialect(second_policy="adds")
    stack.use_profile("same")
    stack.deploy(program(*(change.before for change in changes.values())))
    stack.write(program(*(change.after for change in changes.values())))
    up = stack.up()
    assert steps_and_writes(changes) == (up.steps, writes_by_thing(emulator))
    order = writes_in_order(emulator)
    assert order.index("contoso-user-18 +gold") < order.index("contoso-user-17 -gold")
    assert order.index("adatum-user-19 +gold") < order.index("contoso-user-19 -gold")
    # A resource that leaves the program names the resource that has the policy now.
    declared = {"old": "new", "moved": "moved", "first": "second", "left": "right", "right": "left"}
    assert declared == {name: "".join(re.findall('the resource "(.*?)"', up.messages[name])) for name in declared}
    emulator.clear_requests()
    assert {} == stack.up("--refresh").steps
    assert {} == writes_by_thing(emulator)


def test_a_renaming_that_an_error_interrupts_never_unprotects(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program('protect("old", 9)', 'protect("former", 11)', 'protect("back", 12)'))
    renamed, more = 'new = protect("new", 9)', 'protect("more", 10, depends_on=[new, back])'
    stack.write(program(renamed, 'back = protect("back", 13)', more, 'protect("former", 11)'))
    with emulator.faults({"operation": "protect_resource", "path": "*-user-10/*", "do": ["status:403"]}):
        assert {"new": "create", "back": "replace", "more": "create"} == stack.up().steps
    # The second run deletes what the first run left, although the new resource exists by then.
    latter = 'protect("latter", 11, "Silver", on_conflict="take_over")'
    stack.write(program(renamed, 'back = protect("back", 12)', more, latter))
    with emulator.faults({"operation": "protect_resource", "path": "*-user-11/*", "do": ["status:403"]}):
        up = stack.up("--continue-on-error")
    gone = {"old": "delete", "former": "delete"}
    assert {**gone, "back": "replace", "more": "create", "latter": "create"} == up.steps
    assert {
        "contoso-user-10": ["+gold 403", "+gold"],
        "contoso-user-11": ["+silver 403"],
        "contoso-user-13": ["+gold", "-gold"],
    } == writes_by_thing(emulator)


def test_a_renaming_in_two_runs_never_unprotects_without_preview_checks(stack: Stack, emulator: Emulator) -> None:
    stack.set_environment(DATAPROTECTION_PREVIEW_CHECKS="false")
    stack.write(program('protect("old", 9)'))
    stack.up()
    stack.write(program('protect("new", 9)'))
    assert {"new": "create"} == stack.up("--target", "**::new").steps
    assert {"old": "delete"} == stack.up().steps
    assert {"contoso-user-09": ["+gold"]} == writes_by_thing(emulator)
