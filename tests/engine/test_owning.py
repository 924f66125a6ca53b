"""Existing policies stay, unless the program says that they belong to the resource."""

from support import Emulator
from support.engine.programs import writes_by_thing
from support.engine.stack import Stack
from support.resources.contoso import policies, user

OWNING = """
Protection("one", tenant_id="tenant-contoso", resource="res-contoso-user-01", policy="Silver", adopt=ADOPT)
ProtectionSet(
    "many",
    tenant_id="tenant-contoso",
    assignments={"res-contoso-user-02": "Silver", "res-contoso-user-03": "Gold", "res-contoso-user-09": "Gold"},
    on_conflict="accept",
    adopt=ADOPT,
)
"""
ADOPTED = [user(number) for number in (1, 2, 3)]


def owning(adopt: str) -> str:
    return OWNING.replace("ADOPT", f'"{adopt}"')


def test_an_adopted_policy_becomes_owned_without_a_write(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(owning("keep"))
    stack.write(owning("own"))
    preview = stack.preview()
    assert {"one": "update", "many": "update"} == preview.steps
    assert "1 to own" in preview.notes["one"]
    assert "2 to own, of 3 members." in preview.notes["many"]
    assert not stack.up().failed
    assert {} == writes_by_thing(emulator)
    for options in ([], ["--refresh"]):
        assert not stack.preview(*options, "--expect-no-changes").failed

    # A change back to "keep" has no effect on the owned policies.
    stack.write(owning("keep"))
    assert {"one": "update", "many": "update"} == stack.up().steps
    assert not stack.preview("--refresh", "--expect-no-changes").failed
    assert {} == writes_by_thing(emulator)
    stack.destroy()
    assert [] == [id for id in (*ADOPTED, user(9)) if id in policies(emulator)]


def test_a_policy_that_was_adopted_after_a_refresh_is_owned_too(stack: Stack, emulator: Emulator) -> None:
    accepting = owning("own").replace("adopt=", 'on_conflict="accept", adopt=', 1)
    stack.deploy(accepting)
    emulator.patch(
        {
            "protections": [
                {**one, "policy_id": "policy-contoso-bronze"}
                for one in emulator.state()["protections"]
                if one["resource_id"] in ADOPTED
            ]
        }
    )
    assert not stack.up("--refresh").failed
    assert not stack.preview("--refresh", "--expect-no-changes").failed
    assert {} == writes_by_thing(emulator)
    stack.destroy()
    assert [] == [id for id in (*ADOPTED, user(9)) if id in policies(emulator)]
