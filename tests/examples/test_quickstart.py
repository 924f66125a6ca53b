"""The quickstart on the real engine, as `make up` and `make down` run it."""

from support import ROOT, Emulator
from support.engine.stack import Stack

PROGRAM = ROOT / "examples/quickstart/__main__.py"


BOSS = "res-contoso-user-12"


def policies(emulator: Emulator) -> dict[str, str]:
    """The policy on each protected resource."""
    return {one["resource_id"]: one["policy_id"] for one in emulator.state()["protections"]}


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
    expected = {**dict.fromkeys(people, "policy-contoso-silver"), BOSS: "policy-contoso-gold", **shown}
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
