"""The same program on services that read the interface otherwise, that are late, and that lose answers."""

import pytest

from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from support import Emulator
from support.engine.stack import Stack

ODD_NAME = 'R&D 100% + 🦄 =ok; "x" <é>'
TWO_CODE_POINTS = "Cafe\u0301"

PROGRAM = """
    org = Org("odd", external_id="crm-1042", parent_org_id="org-meridian", name={name!r}, admin_email="it@odd.example")
    for number in range(12, 18):
        Protection(
            f"user-{{number}}", tenant_id="tenant-contoso", resource=f"res-contoso-user-{{number}}", policy={policy!r}
        )
    pulumi.export("org", org.id)
    pulumi.export("invitation", org.invitation_url)
"""


def program(name: str = ODD_NAME, policy: str = "Gold") -> str:
    return PROGRAM.format(name=name, policy=policy)


def policies(emulator: Emulator) -> set[str]:
    ours = {f"res-contoso-user-{number}" for number in range(12, 18)}
    return {item["policy_id"] for item in emulator.state()["protections"] if item["resource_id"] in ours}


def orgs(emulator: Emulator) -> list[str]:
    return [org["name"] for org in emulator.state()["orgs"] if org["external_id"] == "crm-1042"]


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "default"])
def test_a_stack_lives_the_same_life_on_another_service(stack: Stack, emulator: Emulator, preset: str) -> None:
    emulator.set_dialect(preset)
    stack.set_environment(DATAPROTECTION_READ_LAG=None)
    stack.write(program())
    first = stack.up()
    assert not first.failed, first.text
    assert (7, {"policy-contoso-gold"}, [ODD_NAME]) == (len(first.steps), policies(emulator), orgs(emulator))
    assert stack.up().steps == {}
    refresh = stack.refresh()
    assert (False, {}) == (refresh.failed, {name: step for name, step in refresh.refreshed.items() if step != "update"})
    assert stack.preview().steps == {}
    stack.write(program(policy="Silver"))
    swap = stack.up()
    assert not swap.failed, swap.text
    assert (set(first.steps) - {"odd"}, {"policy-contoso-silver"}) == (set(swap.steps), policies(emulator))
    end = stack.destroy()
    assert not end.failed, end.text
    assert (set[str](), [ODD_NAME]) == (policies(emulator), orgs(emulator))


def test_what_was_just_made_survives_a_refresh_that_cannot_see_it_yet(stack: Stack, emulator: Emulator) -> None:
    emulator.set_dialect(read_lag=6)
    stack.set_environment(DATAPROTECTION_READ_LAG="8")
    stack.write(program())
    stack.up()
    assert {None} == {
        state["outputs"].get("protection_id") for name, state in stack.resources().items() if "user" in name
    }
    refresh = stack.refresh()
    assert "delete" not in refresh.refreshed.values(), refresh.text
    assert None not in {state["outputs"].get("protection_id", "") for state in stack.resources().values()}
    assert (1, 6) == (len(orgs(emulator)), len([write for write in emulator.writes() if "protect" in write["path"]]))
    assert stack.up().steps == {}


def test_a_name_in_another_unicode_form_is_no_change(stack: Stack, emulator: Emulator) -> None:
    emulator.set_dialect(stored_name="normalized")
    stack.write(program(TWO_CODE_POINTS))
    stack.up()
    assert ["Caf\u00e9"] == orgs(emulator)
    assert ({}, {}, {}) == (stack.up().steps, stack.refresh().refreshed, stack.preview().steps)


@pytest.mark.parametrize("repeated", ["existing", "existing_invited", "invalid_argument", "conflict"])
def test_an_organization_whose_answer_got_lost_is_made_once(stack: Stack, emulator: Emulator, repeated: str) -> None:
    emulator.set_dialect(repeated_external_id=repeated)
    stack.write(program())
    with emulator.faults({"operation": "create_org", "do": ["after:reset"]}):
        up = stack.up()
    assert not up.failed, up.text
    (org,) = [org for org in emulator.state()["orgs"] if org["external_id"] == "crm-1042"]
    # The invitation went to the person by mail; its address was in the answer that got lost.
    assert {"org": org["id"]} == {name: value for name, value in stack.outputs().items() if value}
    assert stack.up().steps == {}


def test_a_protection_whose_answer_got_lost_is_made_once(stack: Stack, emulator: Emulator) -> None:
    emulator.set_dialect(same_policy="conflict")
    stack.write(program())
    with emulator.faults({"operation": "protect_resource", "do": ["after:reset", "after:status:502", "reset"]}):
        up = stack.up()
    assert not up.failed, up.text
    assert {"policy-contoso-gold"} == policies(emulator)
    assert stack.up().steps == {}
