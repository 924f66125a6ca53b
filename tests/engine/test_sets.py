"""A very large set on the real engine."""

import re
from pathlib import Path

from support import Emulator
from support.engine.programs import writes_by_thing
from support.engine.stack import Stack

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
