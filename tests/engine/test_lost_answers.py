"""Work that was done, and whose answer comes late, as a gateway's error, or never: nothing is done twice."""

from collections import Counter

from support import Emulator
from support.engine.stack import Stack
from support.history import policies_on

PROGRAM = """
    for number in (1, 2):
        org = Org(f"org-{number}", external_id=f"crm-{number}", name=f"Customer {number}", admin_email="it@x.example")
        pulumi.export(f"id-{number}", org.id)
        pulumi.export(f"invitation-{number}", org.invitation_url)
    for number in (12, 13):
        Protection(f"user-{number}", tenant_id="tenant-contoso", resource=f"res-contoso-user-{number}", policy="Gold")
"""
PEOPLE = ("res-contoso-user-12", "res-contoso-user-13")


def test_an_organization_whose_answer_is_late_or_replaced_is_made_once_and_no_invitation_is_invented(
    stack: Stack, emulator: Emulator
) -> None:
    stack.write(PROGRAM)
    # Longer than an HTTP library waits by itself.
    with emulator.faults({"operation": "create_org", "do": ["after:status:504", "stall:8"]}):
        up = stack.up()
    assert not up.failed, up.text
    made = {
        org["external_id"]: org["id"] for org in emulator.state()["orgs"] if org["external_id"] in {"crm-1", "crm-2"}
    }
    outputs = stack.outputs()
    assert {f"id-{number}": made[f"crm-{number}"] for number in (1, 2)} == {
        name: value for name, value in outputs.items() if name.startswith("id")
    }
    assert Counter(write["operation"] for write in emulator.writes()) == {"create_org": 2, "protect_resource": 2}
    invitations = [value for name, value in outputs.items() if name.startswith("invitation") and value]
    assert len(invitations) == 1
    assert str(invitations[0]).startswith("https://")
    assert stack.preview().steps == {}


def test_a_removal_whose_answer_got_lost_is_a_success_though_the_second_try_finds_nothing(
    stack: Stack, emulator: Emulator
) -> None:
    stack.write(PROGRAM)
    stack.up()
    with emulator.faults({"operation": "unprotect_resource", "do": ["after:reset", "after:status:502"]}):
        destroy = stack.destroy()
    assert not destroy.failed, destroy.text
    assert [[], []] == [policies_on(emulator, person) for person in PEOPLE]
    assert 404 in {write["status"] for write in emulator.writes()}
    assert {"org-1", "org-2"} == destroy.messages.keys(), "only organizations stay"
