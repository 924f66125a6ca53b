"""All kinds of drift of a set at the same time: each command reports them, and nothing else."""

from typing import Any

from support import Emulator
from support.engine.programs import program, writes_by_thing
from support.engine.stack import Stack

PEOPLE = [*(f"res-contoso-user-{number:02}" for number in (9, 10, 11, 12, 14, 15)), "yuki.tanaka@contoso.example"]
PROGRAM = program(f'protect_all("people", {PEOPLE})')
DIFFERS = {"assignments", 'assignments["res-contoso-user-09"]', 'assignments["res-contoso-user-10"]'}
SWAPPED = {"contoso-user-09": ["+gold"], "contoso-user-10": ["+gold", "-silver"]}


def user(number: int, **fields: object) -> dict[str, Any]:
    return {"tenant_id": "tenant-contoso", "id": f"res-contoso-user-{number:02}", **fields}


def drift(emulator: Emulator) -> None:
    """Let all kinds of drift happen, and assign foreign policies to a member and to another item."""
    on = {one["resource_id"]: one for one in emulator.state()["protections"]}
    of_nine, of_ten = on["res-contoso-user-09"], on["res-contoso-user-10"]
    strangers = [
        {**of_nine, "id": f"prot-{number}", "job_id": f"{number}", "resource_id": resource_id, "policy_id": policy_id}
        for number, resource_id, policy_id in (
            (1, "res-contoso-user-15", "policy-contoso-bronze"),
            (2, "res-contoso-user-20", "policy-contoso-gold"),
        )
    ]
    emulator.patch(
        {
            "protections": [
                {**of_nine, "deleted": True},
                {**of_ten, "policy_id": "policy-contoso-silver"},
                *strangers,
            ],
            "resources": [
                user(11, archived=True),
                user(12, deleted=True),
                user(13, name="y.t@contoso.example"),
            ],
            "policies": [{"tenant_id": "tenant-contoso", "id": "policy-contoso-gold", "name": "Platinum"}],
        }
    )


def told(text: str) -> bool:
    return "1 skipped:" in text and "1 archived" in text


def test_each_command_reports_the_differences_and_no_refresh_fails(stack: Stack, emulator: Emulator) -> None:
    stack.set_environment(DATAPROTECTION_READ_LAG="0.2")
    emulator.set_dialect(second_policy="adds")
    stack.deploy(PROGRAM)
    drift(emulator)
    emulator.clear_requests()

    # Without a refresh only a missing policy is a change.
    preview = stack.preview("--expect-no-changes")
    assert (True, {"people": "update"}, True) == (preview.failed, preview.steps, told(preview.messages["people"]))
    assert "1 to protect again" in preview.notes["people"]
    night = stack.preview("--refresh", "--expect-no-changes")
    assert (True, {"people": "update"}, DIFFERS) == (night.failed, night.steps, night.differing["people"])
    refresh = stack.refresh("--run-program")
    assert (False, {"people": "update"}) == (refresh.failed, refresh.refreshed), refresh.text
    refresh = stack.refresh()
    assert (False, {}) == (refresh.failed, refresh.refreshed), refresh.text
    preview = stack.preview("--diff")
    assert (False, {"people": "update"}, DIFFERS) == (preview.failed, preview.steps, preview.differing["people"])
    assert {} == writes_by_thing(emulator)

    up = stack.up("--refresh")
    assert (False, {"people": "update"}, True) == (up.failed, up.steps, told(up.messages["people"]))
    assert SWAPPED == writes_by_thing(emulator)
    night = stack.preview("--refresh", "--expect-no-changes")
    assert (False, {}, True) == (night.failed, night.steps, told(night.messages["people"])), night.text

    emulator.clear_requests()
    assert not stack.destroy().failed
    ours = (9, 10, 11, 13, 14, 15)
    assert {f"contoso-user-{number:02}": ["-gold"] for number in ours} == writes_by_thing(emulator)
