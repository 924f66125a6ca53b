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
    assert "its deletion is scheduled already: this takes it over" in preview.notes["old-2"]
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

    destroy = stack.destroy()
    assert (False, []) == (destroy.failed, destroy.writes)
    # What is gone needs no warning, what is still to go does.
    assert {"old-2"} == {*destroy.messages}
    assert "is not canceled" in destroy.messages["old-2"]


def test_a_reason_that_is_too_long_fails_in_the_preview(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    stack = dataprotection_stack(program(old_1="x" + "é" * 64), key="read_only")
    preview = stack.preview()
    assert (True, []) == (preview.failed, dataprotection_emulator.writes())
    assert "must be at most 128 bytes of UTF-8, and is 129" in preview.messages["old-1"]


def test_another_archive_is_another_deletion_and_the_first_one_goes_on(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    stack = dataprotection_stack(program(old_1="left"))
    stack.up()
    stack.write(program(old_1="left").replace("archive-contoso-{number:02}", "archive-contoso-10"))
    up = stack.up()
    assert {"old-1": "replace"} == up.steps
    assert "is not canceled" in up.messages["old-1"]
    pending = {one["id"] for one in dataprotection_emulator.state()["archives"] if one["delete_at"]}
    assert {"archive-contoso-01", "archive-contoso-10"} == pending
