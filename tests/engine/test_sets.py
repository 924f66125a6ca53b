"""A set's life on the real engine: created, unchanged, changed, destroyed; a small one and a very large one."""

import re
from pathlib import Path

from support import Emulator
from support.engine.programs import program, writes_by_thing
from support.engine.stack import Stack
from support.resources.contoso import GOLD, SILVER, user

PROGRAM = program(
    'people = {"res-contoso-user-01": "Silver", 9: "Gold", "yuki.tanaka@contoso.example": "Silver"}',
    'people = protect_all("people", people, max_removals="50%")',
    'for name in ("id", "assignments", "protected", "adopted", "max_removals"):',
    "    pulumi.export(name, getattr(people, name))",
    'pulumi.export("policy", people.protected["res-contoso-user-13"])',
)
OUTPUTS = {
    "id": "tenant-contoso",
    "assignments": {
        "res-contoso-user-01": "Silver",
        "res-contoso-user-09": "Gold",
        "yuki.tanaka@contoso.example": "Silver",
    },
    "protected": {"res-contoso-user-09": GOLD, "res-contoso-user-13": SILVER},
    "adopted": {"res-contoso-user-01": SILVER},
    "max_removals": "50%",
    "policy": SILVER,
}


def protections(emulator: Emulator) -> list[tuple[str, str]]:
    return sorted((one["resource_id"], one["policy_id"]) for one in emulator.state()["protections"])


def test_a_set_is_made_left_alone_refreshed_and_destroyed(stack: Stack, emulator: Emulator) -> None:
    before = protections(emulator)
    stack.write(PROGRAM)
    preview = stack.preview()
    assert ({"people": "create"}, True) == (preview.steps, "2 to protect" in preview.notes["people"])
    up = stack.up()
    assert ({"people": "create"}, True) == (up.steps, "2 protected, 1 adopted." in up.notes["people"])
    assert OUTPUTS == stack.outputs()
    assert {"contoso-user-09": ["+gold"], "contoso-user-13": ["+silver"]} == writes_by_thing(emulator)

    emulator.clear_requests()
    again = stack.up()
    assert ({}, {}, {""}) == (again.steps, again.messages, {*again.notes})
    assert {} == stack.refresh("--run-program").refreshed
    assert not stack.preview("--expect-no-changes").failed
    assert OUTPUTS == stack.outputs()
    assert {} == writes_by_thing(emulator)

    destroy = stack.destroy()
    assert before == protections(emulator)
    assert user(1) in destroy.messages["people"]


LARGE = """
policies = {f"res-{number:07}": "Gold" for number in range(1, 20_001)}
CHANGES
ProtectionSet("everybody", tenant_id="tenant-0001", assignments=policies)
"""
CHANGES = 'policies |= {"res-0000007": "Silver", "res-0019999": "Bronze"}\ndel policies["res-0000070"]'


def test_a_set_of_twenty_thousand_shows_only_the_three_members_that_change(tmp_path: Path) -> None:
    with Emulator("large:1x20000") as emulator:
        protected = [
            {
                "tenant_id": "tenant-0001",
                "id": f"prot-{number}",
                "job_id": f"{number}",
                "resource_id": f"res-{number:07}",
                "policy_id": "policy-gold",
            }
            for number in range(3, 20_001)
        ]
        emulator.patch({"protections": protected})
        stack = Stack(tmp_path, emulator)
        stack.write(LARGE.replace("CHANGES", ""))
        up = stack.up()
        assert "2 protected, 19,998 adopted." in up.notes["everybody"], up.text
        outputs = stack.resources()["everybody"]["outputs"]
        assert (2, 19_998) == (len(outputs["protected"]), len(outputs["adopted"]))
        assert {"0000001": ["+gold"], "0000002": ["+gold"]} == writes_by_thing(emulator)

        stack.write(LARGE.replace("CHANGES", CHANGES))
        preview = stack.preview("--diff")
        assert {"everybody": "update"} == preview.steps
        assert {"res-0000007", "res-0000070", "res-0019999"} == {*re.findall(r"res-\d+", preview.text)}
        emulator.clear_requests()
        assert {"everybody": "update"} == stack.up().steps
        swapped = {"0000007": ["+silver 400", "-gold", "+silver"], "0019999": ["+bronze 400", "-gold", "+bronze"]}
        assert swapped == writes_by_thing(emulator)
        assert {} == stack.refresh().refreshed
