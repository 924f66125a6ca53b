"""A set's life on the real engine: created, unchanged, changed, destroyed; a small one and a very large one."""

import re
from collections.abc import Iterator

import pytest

from engine.programs import program, writes_by_thing
from engine.stack import Stack
from history import policies_on
from support import Emulator

FORMS = {
    "a mapping": '{"res-contoso-user-01": "Silver", 9: "Gold", "yuki.tanaka@contoso.example": "Silver"}',
    "a list": '["res-contoso-user-01", "ext$usr-1009", "yuki.tanaka@contoso.example", "ext$usr-1009"], "Silver"',
}
SHOW = """
pulumi.export("id", people.id)
pulumi.export("assignments", people.assignments)
pulumi.export("protected", people.protected)
pulumi.export("adopted", people.adopted.apply(len))
pulumi.export("policy", people.protected["res-contoso-user-13"])
pulumi.export("limit", people.max_removals)
"""


@pytest.mark.parametrize("form", FORMS)
def test_a_set_is_made_left_alone_refreshed_and_destroyed(stack: Stack, emulator: Emulator, form: str) -> None:
    emulator.reset()
    before = sorted((one["resource_id"], one["policy_id"]) for one in emulator.state()["protections"])
    stack.write(program(f'people = protect_all("people", {FORMS[form]}, max_removals="50%")', SHOW))
    preview = stack.preview()
    assert {"people": "create"} == preview.steps
    assert "2 to protect" in preview.notes["people"]
    up = stack.up()
    assert {"people": "create"} == up.steps
    assert 1 == up.notes["people"].count("2 protected, 1 adopted.")
    on = {one["resource_id"]: one["policy_id"] for one in emulator.state()["protections"]}
    outputs = stack.outputs()
    assert {
        "id": "tenant-contoso",
        "protected": {one: on[one] for one in ("res-contoso-user-09", "res-contoso-user-13")},
        "adopted": 1,
        "policy": "policy-contoso-silver",
        "limit": "50%",
    } == {name: value for name, value in outputs.items() if name != "assignments"}
    assert dict == type(outputs["assignments"])
    emulator.clear_requests()
    assert ({}, {}) == ((again := stack.up()).steps, again.messages)
    assert {} == stack.refresh().refreshed
    assert not stack.preview("--expect-no-changes").failed
    assert outputs == stack.outputs()
    assert {} == writes_by_thing(emulator)

    destroy = stack.destroy()
    assert "res-contoso-user-01: this set did not make the protection" in destroy.messages["people"]
    assert before == sorted((one["resource_id"], one["policy_id"]) for one in emulator.state()["protections"])
