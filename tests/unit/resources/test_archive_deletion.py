"""Deletions of archives, as the engine drives them over the provider's wire."""

from pathlib import Path
from typing import Any

import pytest

from support import TESTS, Emulator
from support.resources.runs import operations
from support.resources.servicer import UNKNOWN, Difference, Engine, OperationError, Run, Servicer

TENANT, ARCHIVE, OWNER = "tenant-contoso", "archive-contoso-01", "res-contoso-user-01"
ID = f"{TENANT}/{ARCHIVE}"
INPUTS: dict[str, Any] = {"tenant_id": TENANT, "archive_id": ARCHIVE, "reason": "left in 2024"}
STATE: dict[str, Any] = {**INPUTS, "resource_id": OWNER, "schema_version": 1}
SEVEN_DAYS = 7 * 24 * 3600


def schedule(emulator: Emulator, delete_at: str | None = "2100-01-01T00:00:00Z") -> None:
    """Schedule the deletion behind the program's back, or cancel it."""
    emulator.patch({"archives": [{"tenant_id": TENANT, "id": ARCHIVE, "delete_at": delete_at}]})


def remove(emulator: Emulator) -> None:
    emulator.patch({"archives": [{"tenant_id": TENANT, "id": ARCHIVE, "deleted": True}]})


def delete_at(emulator: Emulator) -> str | None:
    (archive,) = (one for one in emulator.state()["archives"] if one["id"] == ARCHIVE)
    due: str | None = archive["delete_at"]
    return due


def told(engine: Engine) -> list[str]:
    return [message.message for message in engine.messages]


# check


def test_an_archive_that_is_there_can_be_deleted(run: Run, emulator: Emulator) -> None:
    assert (INPUTS, [], ["list_archives"]) == (*run.archive_deletion.check({}, INPUTS), operations(emulator))


@pytest.mark.parametrize("reason", ["x" * 128, "é" * 64, "🚀" * 32])
def test_a_reason_of_128_bytes_is_short_enough(run: Run, reason: str) -> None:
    assert [] == run.archive_deletion.check({}, {**INPUTS, "reason": reason}).failures
    assert f"{TENANT}/{ARCHIVE}" == run.archive_deletion.create({**INPUTS, "reason": reason}).id


@pytest.mark.parametrize(("reason", "size"), [("x" * 129, 129), ("x" + "é" * 64, 129), ("🚀" * 33, 132)])
def test_a_longer_reason_fails_by_its_bytes_and_nothing_is_asked(
    run: Run, emulator: Emulator, reason: str, size: int
) -> None:
    failures = run.archive_deletion.check({}, {**INPUTS, "reason": reason}).failures
    expected = [("reason", f"must be at most 128 bytes of UTF-8, and is {size}")]
    assert (expected, []) == (failures, emulator.requests())


BAD: list[tuple[str, object, str]] = [
    ("reason", None, "is required"),
    ("reason", " ", "must not be empty"),
    ("reason", "a\nb", "must not hold control characters"),
    ("reason", 7, "must be text"),
    ("archive_id", "", "must not be empty"),
    ("tenant_id", None, "is required"),
    ("profile", 7, "must be text"),
]


@pytest.mark.parametrize(("name", "value", "reason"), BAD)
def test_a_bad_argument_fails_on_its_property(run: Run, name: str, value: object, reason: str) -> None:
    assert [(name, reason)] == run.archive_deletion.check({}, {**INPUTS, name: value}).failures


def test_an_archive_that_is_not_there_fails_on_the_archive(run: Run) -> None:
    failures = run.archive_deletion.check({}, {**INPUTS, "archive_id": "archive-adatum-01"}).failures
    expected = f'no archive "archive-adatum-01" in tenant {TENANT}: get_archives lists those'
    assert [("archive_id", expected)] == failures


def test_a_tenant_that_is_not_there_fails_on_the_tenant(run: Run) -> None:
    ((name, reason),) = run.archive_deletion.check({}, {**INPUTS, "tenant_id": "tenant-nowhere"}).failures
    assert ("tenant_id", True) == (name, 'there is no tenant "tenant-nowhere"' in reason)


@pytest.mark.parametrize("name", INPUTS)
def test_an_argument_that_is_not_known_yet_is_let_pass(run: Run, name: str) -> None:
    assert [] == run.archive_deletion.check({}, {**INPUTS, name: UNKNOWN}).failures


def test_a_deletion_that_is_scheduled_already_is_told_of(run: Run, emulator: Emulator, engine: Engine) -> None:
    schedule(emulator)
    assert [] == run.archive_deletion.check({}, INPUTS).failures
    expected = "its deletion is scheduled already: this takes it over, for the reason that was given then."
    assert [expected] == told(engine)


def test_what_is_deleted_already_is_not_looked_for(run: Run, emulator: Emulator) -> None:
    remove(emulator)
    assert ([], []) == (run.archive_deletion.check(INPUTS, INPUTS).failures, emulator.requests())


def test_an_archive_that_two_resources_delete_fails_on_the_second(run: Run) -> None:
    run.archive_deletion.check({}, INPUTS)
    run.archive_deletion.urn += "-again"
    failures = run.archive_deletion.check({}, INPUTS).failures
    expected = f'{ARCHIVE} is declared twice, also by the resource "old": keep one of them'
    assert [("archive_id", expected)] == failures


def test_nothing_is_asked_where_previews_are_offline(servicer: Servicer, emulator: Emulator) -> None:
    config = {"apiKey": emulator.api_key, "baseUrl": emulator.url, "previewChecks": "false"}
    failures = servicer.run(config).archive_deletion.check({}, {**INPUTS, "archive_id": "none"}).failures
    assert ([], []) == (failures, emulator.requests())


# create


def test_a_deletion_is_scheduled_with_its_reason(run: Run, emulator: Emulator) -> None:
    assert (ID, STATE) == run.archive_deletion.create(INPUTS)
    ((operation, query),) = [(request["operation"], request["query"]) for request in emulator.writes()]
    assert ("delete_archive", {"reason": "left in 2024"}) == (operation, query)
    assert delete_at(emulator)


def test_a_deletion_that_is_scheduled_already_is_taken_over(run: Run, emulator: Emulator) -> None:
    schedule(emulator)
    due = delete_at(emulator)
    assert (ID, STATE) == run.archive_deletion.create(INPUTS)
    assert (due, []) == (delete_at(emulator), emulator.writes())


@pytest.mark.parametrize("do", ["after:reset", "after:status:500", "after:status:404", "truncated"])
@pytest.mark.parametrize("repeated", ["ok", "invalid_argument", "conflict"])
def test_a_deletion_whose_answer_got_lost_is_found_by_reading(
    hurried: Servicer, emulator: Emulator, do: str, repeated: str
) -> None:
    emulator.set_dialect(repeated_deletion=repeated)
    run = hurried.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})
    with emulator.faults({"operation": "delete_archive", "do": [do]}):
        assert (ID, STATE) == run.archive_deletion.create(INPUTS)
    assert delete_at(emulator)


@pytest.mark.parametrize("status", [400, 403, 409])
def test_a_deletion_that_is_refused_is_an_error_that_names_the_archive(
    hurried: Servicer, emulator: Emulator, status: int
) -> None:
    run = hurried.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})
    with (
        emulator.faults({"operation": "delete_archive", "do": [f"status:{status}"]}),
        pytest.raises(OperationError) as raised,
    ):
        run.archive_deletion.create(INPUTS)
    assert str(raised.value).startswith(f"cannot delete the archive {ARCHIVE} in tenant {TENANT}: {status} ")
    assert delete_at(emulator) is None


def test_an_archive_that_goes_meanwhile_is_deleted(hurried: Servicer, emulator: Emulator) -> None:
    run = hurried.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})
    run.archive_deletion.check({}, INPUTS)
    remove(emulator)
    assert (ID, STATE) == run.archive_deletion.create(INPUTS)


def test_an_archive_that_was_never_there_is_an_error(hurried: Servicer, emulator: Emulator) -> None:
    run = hurried.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})
    with pytest.raises(OperationError, match="cannot delete the archive none in tenant tenant-contoso: 404 not found"):
        run.archive_deletion.create({**INPUTS, "archive_id": "none"})


def test_a_read_only_key_cannot_delete(servicer: Servicer, emulator: Emulator) -> None:
    run = servicer.run({"apiKey": emulator.read_only_key, "baseUrl": emulator.url})
    assert [] == run.archive_deletion.check({}, INPUTS).failures
    with pytest.raises(OperationError, match=r"403 forbidden .* lacks the permission to write"):
        run.archive_deletion.create(INPUTS)


# diff and update


@pytest.mark.parametrize(("name", "value"), [("archive_id", "archive-contoso-02"), ("tenant_id", "tenant-adatum")])
def test_another_archive_is_another_deletion(run: Run, name: str, value: str) -> None:
    assert Difference("some", [name]) == run.archive_deletion.diff(ID, STATE, {**INPUTS, name: value})


def test_the_same_deletion_is_no_change(run: Run) -> None:
    assert Difference("none", []) == run.archive_deletion.diff(ID, STATE, INPUTS)


def test_another_reason_is_kept_without_a_call(run: Run, emulator: Emulator) -> None:
    inputs = {**INPUTS, "reason": "moved"}
    assert Difference("unknown", []) == run.archive_deletion.diff(ID, STATE, inputs)
    assert ({**STATE, "reason": "moved"}, []) == (run.archive_deletion.update(ID, STATE, inputs), emulator.requests())


# read


def test_a_deletion_that_is_to_come_is_no_drift(run: Run, emulator: Emulator) -> None:
    schedule(emulator)
    assert (ID, STATE, INPUTS) == run.archive_deletion.read(ID, STATE)


def test_a_deletion_that_is_done_is_no_drift(run: Run, later_run: Run, emulator: Emulator) -> None:
    run.archive_deletion.create(INPUTS)
    emulator.advance(SEVEN_DAYS)
    assert [] == [one for one in emulator.state()["archives"] if one["id"] == ARCHIVE]
    assert (ID, STATE, INPUTS) == later_run.archive_deletion.read(ID, STATE)


def test_many_deletions_are_refreshed_by_one_list(run: Run, emulator: Emulator) -> None:
    for number in range(1, 7):
        run.archive_deletion.read(f"{TENANT}/archive-gone-{number:02}", STATE)
    assert ["list_archives"] == operations(emulator)


def test_a_deletion_that_was_canceled_is_not_there_any_more(run: Run) -> None:
    assert ("", {}, {}) == run.archive_deletion.read(ID, STATE)


def test_a_deletion_that_does_not_show_yet_is_waited_for(tmp_path: Path, emulator: Emulator) -> None:
    shown_late = {"status": 200, "body": {"items": [{"id": ARCHIVE, "delete_pending": False}], "next_page_token": ""}}
    schedule(emulator)
    late = {"DATAPROTECTION_READ_LAG": "5", "PYTHONPATH": str(TESTS)}
    with (
        Servicer(tmp_path / "log", variables=late, module="support.resources.hurried") as servicer,
        emulator.faults({"operation": "list_archives", "do": [shown_late, shown_late]}),
    ):
        run = servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})
        assert (ID, STATE, INPUTS) == run.archive_deletion.read(ID, STATE)
    assert ["list_archives"] * 3 == operations(emulator)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_service_that_does_not_answer_makes_nothing_gone(run: Run, emulator: Emulator, status: int) -> None:
    with (
        emulator.faults({"operation": "list_archives", "do": [f"status:{status}"]}),
        pytest.raises(OperationError, match=str(status)),
    ):
        run.archive_deletion.read(ID, STATE)


def test_a_deletion_that_is_scheduled_can_be_read(run: Run, emulator: Emulator) -> None:
    schedule(emulator)
    found = run.archive_deletion.get(ID)
    assert {"tenant_id": TENANT, "archive_id": ARCHIVE, "resource_id": OWNER, "schema_version": 1} == found.outs


@pytest.mark.parametrize("archive_id", [ARCHIVE, "archive-nowhere"])
def test_a_deletion_that_nobody_scheduled_cannot_be_read(run: Run, archive_id: str) -> None:
    expected = f"no deletion of the archive {archive_id} in tenant {TENANT} is scheduled"
    with pytest.raises(OperationError, match=expected):
        run.archive_deletion.get(f"{TENANT}/{archive_id}")


# delete


def test_a_deletion_is_not_canceled_and_says_so(run: Run, emulator: Emulator, engine: Engine) -> None:
    schedule(emulator)
    run.archive_deletion.delete(ID, STATE)
    (warning,) = told(engine)
    assert warning.startswith(f"The deletion of the archive {ARCHIVE} in tenant {TENANT} is not canceled: ")
    assert "7 days" in warning
    assert (True, []) == (bool(delete_at(emulator)), emulator.writes())


def test_there_is_nothing_to_say_of_an_archive_that_is_gone(run: Run, emulator: Emulator, engine: Engine) -> None:
    remove(emulator)
    run.archive_deletion.delete(ID, STATE)
    assert [] == told(engine)


def test_a_service_that_is_gone_is_no_reason_to_keep_the_deletion(hurried: Servicer, engine: Engine) -> None:
    run = hurried.run({"apiKey": "key", "baseUrl": "http://127.0.0.1:1", "callsPerSecond": "0"})
    run.archive_deletion.delete("nowhere/gone", STATE)
    assert 1 == len(told(engine))
