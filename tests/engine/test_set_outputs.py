"""Sets whose members or policies are outputs, known in the preview or only in `up`."""

import re

from support import Emulator
from support.engine.programs import placeholders, program, writes_by_thing
from support.engine.stack import Stack

LATE = """
late = org("late", "crm-7", "Litware")
later = lambda value: late.id.apply(lambda _: value)
CONTOSO = "tenant-contoso"
declare = lambda name, members, *, at=CONTOSO, **more: ProtectionSet(name, tenant_id=at, resources=members, **more)
"""
FORMS = """
declare("members", later(["ext$usr-1009", "res-contoso-user-10"]), policy="Gold")
declare("one member", [later("ext$usr-1011"), "res-contoso-user-12"], policy="Gold")
declare("the policy", ["ext$usr-1013", "res-contoso-user-14"], policy=later("Gold"))
declare("a mapping", None, assignments=later({"ext$usr-1015": "Gold", "res-contoso-user-16": "Gold"}))
declare("one policy", None, assignments={"ext$usr-1017": later("Gold"), "res-contoso-user-18": "Gold"})
declare("the tenant", ["ext$usr-1019", "res-contoso-user-20"], policy="Gold", at=later(CONTOSO))
declare("an option", ["ext$usr-1021", "res-contoso-user-22"], policy="Gold", on_conflict=later("take_over"))
"""
CREATED = dict.fromkeys(re.findall(r'declare\("([^"]+)"', FORMS), "create")
MADE = {f"contoso-user-{number:02}": ["+gold"] for number in range(9, 23)}


def test_unknown_values_are_left_to_up_also_if_they_were_known_before(stack: Stack, emulator: Emulator) -> None:
    stack.write(program(LATE, FORMS))
    preview = stack.preview()
    assert (False, {"late": "create", **CREATED}) == (preview.failed, preview.steps), preview.text
    assert not stack.up().failed
    assert {"crm-7": ["+"], **MADE} == writes_by_thing(emulator)
    again = stack.preview()
    assert (False, {}) == (again.failed, again.steps), again.text

    (late,) = (one["id"] for one in emulator.state()["orgs"] if one["external_id"] == "crm-7")
    emulator.patch({"orgs": [{"id": late, "deleted": True}]})
    preview = stack.preview("--refresh")
    assert (False, "create") == (preview.failed, preview.steps["late"]), preview.text
    assert {"create", "update"} == {*preview.steps.values()}
    up = stack.up("--refresh")
    assert (False, "create") == (up.failed, up.steps["late"]), up.text
    assert {"crm-7": ["+", "+"], **MADE} == writes_by_thing(emulator)
    assert [] == placeholders(emulator)
