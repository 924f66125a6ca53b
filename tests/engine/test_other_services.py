"""The same program on services with other readings of the interface."""

import pytest

from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from support import Emulator
from support.engine.stack import Stack

ODD_NAME = 'R&D 100% + 🦄 =ok; "x" <é>'
PROGRAM = """
    org = Org("odd", external_id="crm-1042", parent_org_id="org-meridian", name={name!r}, admin_email="it@odd.example")
    for number in range(12, 18):
        Protection(
            f"user-{{number}}", tenant_id="tenant-contoso", resource=f"res-contoso-user-{{number}}", policy={policy!r}
        )
    pulumi.export("org", org.id)
    pulumi.export("invitation", org.invitation_url)
"""


def program(policy: str = "Gold") -> str:
    return PROGRAM.format(name=ODD_NAME, policy=policy)


def policies(emulator: Emulator) -> set[str]:
    ours = {f"res-contoso-user-{number}" for number in range(12, 18)}
    return {item["policy_id"] for item in emulator.state()["protections"] if item["resource_id"] in ours}


def orgs(emulator: Emulator) -> list[str]:
    return [org["name"] for org in emulator.state()["orgs"] if org["external_id"] == "crm-1042"]


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "published"])
def test_a_stack_lives_the_same_life_on_another_service(stack: Stack, emulator: Emulator, preset: str) -> None:
    emulator.set_dialect(preset)
    stack.set_environment(DATAPROTECTION_READ_LAG=None)
    stack.write(program())
    first = stack.up()
    assert not first.failed, first.text
    assert (7, {"policy-contoso-gold"}, [ODD_NAME]) == (len(first.steps), policies(emulator), orgs(emulator))
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
