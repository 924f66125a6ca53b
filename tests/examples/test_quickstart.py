"""The quickstart on the real engine, as `make up` and `make down` run it."""

from support import ROOT, Emulator
from support.engine.stack import Stack
from support.resources.contoso import GOLD, SILVER, policies, user

PROGRAM = ROOT / "examples/quickstart/__main__.py"


def test_the_quickstart_protects_all_people_once_and_a_destroy_removes_its_policies(
    stack: Stack, emulator: Emulator
) -> None:
    before, shown = emulator.state()["protections"], policies(emulator)
    people = {
        resource["id"]
        for resource in emulator.state()["resources"]
        if (resource["tenant_id"], resource["kind"]) == ("tenant-contoso", "office_user") and not resource["archived"]
    }
    stack.write(PROGRAM.read_text())

    assert not stack.up().failed
    expected = {**{id: [SILVER] for id in people}, user(12): [GOLD], **shown}
    assert expected == policies(emulator)
    assert len(expected.keys() - shown.keys()) - 1 == stack.outputs()["protected by the set"]
    assert "crm-1042" in [org["external_id"] for org in emulator.state()["orgs"]]

    emulator.clear_requests()
    assert {} == stack.up().steps
    assert [] == emulator.writes()

    assert stack.destroy().failed, "the set is protected"
    stack.unprotect_state()
    assert not stack.destroy().failed
    assert before == emulator.state()["protections"]
