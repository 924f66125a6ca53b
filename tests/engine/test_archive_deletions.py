"""Deletions of archives on the real engine, on driven time."""

from typing import cast

from pulumi_dataprotection.testing import Emulator, StackFactory

PROGRAM = """
from pulumi_dataprotection import ArchiveDeletion

for number, reason in {reasons}.items():
    ArchiveDeletion(
        f"old-{{number}}", tenant_id="tenant-contoso", archive_id=f"archive-contoso-{{number:02}}", reason=reason
    )
"""
SEVEN_DAYS = 7 * 24 * 3600


def program(**reasons: str) -> str:
    return PROGRAM.format(reasons={int(name.removeprefix("old_")): reason for name, reason in reasons.items()})


def there(emulator: Emulator) -> set[str]:
    archives = emulator.state()["archives"]
    ids = (cast("str", one["id"]) for one in archives if one["tenant_id"] == "tenant-contoso")
    return {f"old-{int(id[-2:])}" for id in ids}


def test_a_deletion_is_scheduled_once_and_done_after_seven_days(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    emulator = dataprotection_emulator
    emulator.patch(
        {"archives": [{"tenant_id": "tenant-contoso", "id": "archive-contoso-02", "delete_at": "2100-01-01T00:00:00Z"}]}
    )
    stack = dataprotection_stack(program(old_1="left in 2024", old_2="é" * 64))
    preview = stack.preview()
    assert ({"old-1": "create", "old-2": "create"}, []) == (preview.steps, preview.writes)
    assert "scheduled" in preview.notes["old-2"]
    up = stack.up()
    assert ["archive-contoso-01"] == [request["path"].rpartition("/")[2] for request in up.writes]
    again = stack.up()
    assert ({}, []) == (again.steps, again.writes)

    emulator.advance(SEVEN_DAYS)
    assert "old-1" not in there(emulator)
    night = stack.preview("--refresh", "--expect-no-changes")
    assert (False, {}) == (night.failed, night.steps)
    stack.write(program(old_1="left", old_2="é" * 64))
    reworded = stack.up()
    assert ({"old-1": "update"}, []) == (reworded.steps, reworded.writes)

    # The deletion of the former archive goes on, after a replacement and after a destroy.
    stack.write(program(old_2="é" * 64).replace("archive-contoso-{number:02}", "archive-contoso-10"))
    replaced = stack.up()
    assert {"old-1": "delete", "old-2": "replace"} == replaced.steps
    # A warning names only a deletion that is still to come.
    assert {"old-2"} == {*replaced.messages}
    destroy = stack.destroy()
    assert (False, [], {"old-2"}) == (destroy.failed, destroy.writes, {*destroy.messages})
    assert {"archive-contoso-02", "archive-contoso-10"} == {
        one["id"] for one in emulator.state()["archives"] if one["delete_at"]
    }
