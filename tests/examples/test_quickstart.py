"""The quickstart on the real engine, as `make up` and `make down` run it."""

from pathlib import Path

from engine.stack import Stack
from support import Emulator

PROGRAM = Path(__file__).parents[2] / "examples/quickstart/__main__.py"


def test_it_protects_everybody_changes_nothing_again_and_takes_back_what_it_did(
    stack: Stack, emulator: Emulator
) -> None:
    before = emulator.state()["protections"]
    people = {
        resource["id"]
        for resource in emulator.state()["resources"]
        if (resource["tenant_id"], resource["kind"]) == ("tenant-contoso", "office_user") and not resource["archived"]
    }
    stack.write(PROGRAM.read_text())

    assert not stack.up().failed
    assert people <= {protection["resource_id"] for protection in emulator.state()["protections"]}
    assert len(people) == stack.outputs()["protected people"]
    assert "crm-1042" in [org["external_id"] for org in emulator.state()["orgs"]]

    emulator.clear_requests()
    assert {} == stack.up().steps
    assert [] == emulator.writes()

    assert not stack.destroy().failed
    assert before == emulator.state()["protections"]
