"""The example that deletes old archives, on the real engine."""

from pulumi_dataprotection.testing import Emulator, StackFactory
from support import ROOT

EXAMPLE = ROOT / "examples/archive-cleanup"
TENANT = "tenant-contoso"
FOUR_DAYS = 4 * 24 * 3600


def leave(emulator: Emulator, number: int) -> None:
    """Let a person leave, with the old archive of the workspace and an archive of today."""
    person, now = f"res-contoso-user-{number:02}", emulator.now().isoformat()
    emulator.patch(
        {
            "resources": [{"tenant_id": TENANT, "id": person, "archived": True}],
            "archives": [
                {"tenant_id": TENANT, "id": f"archive-today-{number:02}", "resource_id": person, "created_at": now}
            ],
        }
    )


def archives(emulator: Emulator) -> set[object]:
    return {archive["id"] for archive in emulator.state()["archives"] if archive["tenant_id"] == TENANT}


def test_old_archives_of_leavers_are_scheduled_once_and_leave_the_state_when_they_are_gone(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    emulator = dataprotection_emulator
    leave(emulator, 1)
    config = {"tenantId": TENANT, "olderThanDays": 90, "reason": "DP-17: left"}
    cleanup = dataprotection_stack(EXAMPLE, config=config)

    first = cleanup.up()
    assert {"archive-contoso-01": "create"} == first.steps, first.text
    assert [("delete_archive", {"reason": "DP-17: left"})] == [
        (write["operation"], write["query"]) for write in first.writes
    ]
    assert {
        "to be deleted": {"archive-contoso-01": "jane.doe@contoso.example"},
        "KB freed": 1_250_000,
    } == first.outputs

    pending = cleanup.up()
    assert ({}, []) == (pending.steps, pending.writes)

    emulator.advance(FOUR_DAYS)
    leave(emulator, 2)
    both = cleanup.up()
    assert ({"archive-contoso-02": "create"}, 3_750_000) == (both.steps, both.outputs["KB freed"])

    emulator.advance(FOUR_DAYS)
    assert "archive-contoso-01" not in archives(emulator)
    refreshed = cleanup.refresh()
    assert ({}, []) == (refreshed.refreshed, refreshed.writes), "a finished deletion drifted"
    shorter = cleanup.up()
    assert {"archive-contoso-01": "delete"} == shorter.steps, shorter.text
    assert ([], {}) == (shorter.writes, shorter.messages), "a finished deletion only leaves the state"
    assert {"archive-contoso-02": "john.smith@contoso.example"} == shorter.outputs["to be deleted"]

    destroyed = cleanup.destroy()
    assert (False, []) == (destroyed.failed, destroyed.writes)
    assert "is not canceled" in destroyed.messages["archive-contoso-02"]
    emulator.advance(FOUR_DAYS)
    assert "archive-contoso-02" not in archives(emulator), "the deletion went on, as the warning said"
    assert {"archive-today-01", "archive-today-02", "archive-contoso-03"} <= archives(emulator)
