"""A preview warns of missing licences, or fails, and the update of an `up` does not compare them again."""

from support import Emulator
from support.engine.programs import program
from support.engine.stack import Outcome, Stack, traceback_in
from support.resources.contoso import TENANT, user
from support.resources.effects import policies_on

PROGRAM = program(f'protect_all("people", {[*range(9, 13)]})', 'protect("hannah", 20)')
SHORT = {"people": "4 to protect, 3 licences free (10 of 13 used)", "hannah": "5 to protect, 3 licences free"}


def licence_calls(outcome: Outcome) -> list[str]:
    """Return the calls for licences; the counts of the tenant are read for other reasons, too."""
    return [name for request in outcome.requests if (name := request["operation"]) == "get_tenant_quotas"]


def leave(emulator: Emulator, free: int) -> None:
    """Let the tenant have some free licences."""
    used = len({one["resource_id"] for one in emulator.state()["protections"] if one["tenant_id"] == TENANT})
    emulator.patch({"quotas": [{"tenant_id": TENANT, "kind": "resource", "count": str(used + free)}]})


def test_a_preview_warns_of_missing_licences_and_an_up_goes_on(stack: Stack, emulator: Emulator) -> None:
    leave(emulator, 3)
    stack.write(PROGRAM)
    preview = stack.preview()
    assert (False, ["get_tenant_quotas"]) == (preview.failed, licence_calls(preview))
    assert [True, True] == [text in preview.messages[name] for name, text in SHORT.items()]
    assert not traceback_in(preview)
    # An `up` is a preview and an update, each with processes of its own.
    up = stack.preview_and_up()
    assert (False, ["get_tenant_quotas"]) == (up.failed, licence_calls(up))
    assert ["policy-contoso-gold"] == policies_on(emulator, user(9))
    # Nothing is new.
    again = stack.preview()
    assert ({}, {}, []) == (again.steps, again.messages, licence_calls(again))
