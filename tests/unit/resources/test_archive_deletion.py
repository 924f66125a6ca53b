"""The deletion of an archive, as the engine drives it over the provider's wire."""

from pathlib import Path

import pytest

from support import Emulator
from support.resources.arguments import ARCHIVE_DELETION as INPUTS
from support.resources.contoso import JANE, TENANT
from support.resources.servicer import HURRIED, Difference, Engine, Properties, Run, Servicer, assert_names, failure_of

ARCHIVE = "archive-contoso-01"
ID = f"{TENANT}/{ARCHIVE}"
STATE: Properties = {**INPUTS, "resource_id": JANE, "schema_version": 2}


@pytest.fixture
def quick_run(hurried: Servicer, emulator: Emulator) -> Run:
    """A command without waits."""
    return hurried.run(emulator)


def change_archive(emulator: Emulator, **fields: object) -> None:
    emulator.patch({"archives": [{"tenant_id": TENANT, "id": ARCHIVE, **fields}]})


def schedule(emulator: Emulator) -> None:
    """Schedule the deletion in the portal."""
    change_archive(emulator, delete_at="2100-01-01T00:00:00Z")


def delete_at(emulator: Emulator) -> str | None:
    (archive,) = (one for one in emulator.state()["archives"] if one["id"] == ARCHIVE)
    due: str | None = archive["delete_at"]
    return due


# check


def test_an_archive_that_exists_passes(run: Run, emulator: Emulator) -> None:
    assert (INPUTS, [], ["list_archives"]) == (*run.archive_deletion.check({}, INPUTS), emulator.operations())


@pytest.mark.parametrize("reason", ["x" * 128, "é" * 64, "🚀" * 32])
def test_a_reason_of_128_bytes_is_short_enough(run: Run, reason: str) -> None:
    assert [] == run.archive_deletion.check({}, {**INPUTS, "reason": reason}).failures
    assert ID == run.archive_deletion.create({**INPUTS, "reason": reason}).id


@pytest.mark.parametrize(("reason", "size"), [("x" * 129, 129), ("x" + "é" * 64, 129), ("🚀" * 33, 132)])
def test_a_longer_reason_fails_without_a_call(run: Run, emulator: Emulator, reason: str, size: int) -> None:
    checked = run.archive_deletion.check({}, {**INPUTS, "reason": reason})
    assert_names(checked.reason, "128 bytes", str(size))
    assert (["reason"], []) == (checked.names, emulator.requests())


def test_an_archive_that_does_not_exist_fails_on_its_property(run: Run) -> None:
    checked = run.archive_deletion.check({}, {**INPUTS, "archive_id": "archive-adatum-01"})
    assert_names(checked.reason, '"archive-adatum-01"', TENANT, "get_archives")
    assert ["archive_id"] == checked.names


def test_a_deletion_of_the_state_is_not_checked_in_the_service(run: Run, emulator: Emulator) -> None:
    change_archive(emulator, deleted=True)
    assert ([], []) == (run.archive_deletion.check(INPUTS, INPUTS).failures, emulator.requests())


# create


def test_a_deletion_is_scheduled_with_its_reason(run: Run, emulator: Emulator) -> None:
    assert (ID, STATE) == run.archive_deletion.create(INPUTS)
    ((operation, query),) = [(request["operation"], request["query"]) for request in emulator.writes()]
    assert ("delete_archive", {"reason": "left in 2024"}) == (operation, query)
    assert delete_at(emulator)


def test_a_deletion_that_is_scheduled_is_adopted_with_a_note(run: Run, emulator: Emulator, engine: Engine) -> None:
    schedule(emulator)
    due = delete_at(emulator)
    assert [] == run.archive_deletion.check({}, INPUTS).failures
    assert 1 == len(engine.notes) == len(engine.messages)
    assert (ID, STATE) == run.archive_deletion.create(INPUTS)
    assert (due, []) == (delete_at(emulator), emulator.writes())


@pytest.mark.parametrize("do", ["after:reset", "after:status:500", "after:status:404", "after:status:409", "truncated"])
@pytest.mark.parametrize("repeated", ["ok", "invalid_argument", "conflict"])
def test_a_deletion_without_an_answer_is_found(quick_run: Run, emulator: Emulator, do: str, repeated: str) -> None:
    emulator.set_dialect(repeated_deletion=repeated)
    with emulator.faults({"operation": "delete_archive", "do": [do]}):
        assert (ID, STATE) == quick_run.archive_deletion.create(INPUTS)
    assert delete_at(emulator)


@pytest.mark.parametrize(("status", "attempts"), [(400, 1), (403, 1), (409, 3)])
def test_a_rejected_deletion_fails_and_names_the_archive(
    quick_run: Run, emulator: Emulator, status: int, attempts: int
) -> None:
    with emulator.faults({"operation": "delete_archive", "do": [f"status:{status}"] * attempts}):
        failure = failure_of(quick_run.archive_deletion.create, INPUTS)
    assert_names(failure, ARCHIVE, TENANT, str(status))
    assert delete_at(emulator) is None


@pytest.mark.parametrize(
    "do", [["status:409"] * 2, ["status:423"] * 7, [{"status": 409, "headers": {"Retry-After": "9"}}]]
)
def test_a_deletion_is_sent_again_while_the_service_is_busy(
    quick_run: Run, emulator: Emulator, do: list[object]
) -> None:
    with emulator.faults({"operation": "delete_archive", "do": do}):
        assert (ID, STATE) == quick_run.archive_deletion.create(INPUTS)
    assert delete_at(emulator)


def test_an_archive_that_vanishes_after_the_check_is_deleted(quick_run: Run, emulator: Emulator) -> None:
    quick_run.archive_deletion.check({}, INPUTS)
    change_archive(emulator, deleted=True)
    assert (ID, STATE) == quick_run.archive_deletion.create(INPUTS)


def test_an_archive_that_never_existed_fails(quick_run: Run) -> None:
    failure = failure_of(quick_run.archive_deletion.create, {**INPUTS, "archive_id": "none"})
    assert_names(failure, "archive none", TENANT, "404")


# diff and update


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"archive_id": "archive-contoso-02"}, Difference("some", ["archive_id"])),
        ({"tenant_id": "tenant-adatum"}, Difference("some", ["tenant_id"])),
        ({}, Difference("none", [])),
        ({"reason": "moved"}, Difference("unknown", [])),
    ],
)
def test_another_archive_is_another_deletion(run: Run, change: Properties, difference: Difference) -> None:
    assert difference == run.archive_deletion.diff(ID, STATE, {**INPUTS, **change})


def test_another_reason_is_kept_without_a_call(run: Run, emulator: Emulator) -> None:
    outs = run.archive_deletion.update(ID, STATE, {**INPUTS, "reason": "moved"})
    assert ({**STATE, "reason": "moved"}, []) == (outs, emulator.requests())


# read


def test_a_canceled_deletion_leaves_the_state(run: Run) -> None:
    assert ("", {}, {}) == run.archive_deletion.read(ID, STATE)


def test_many_deletions_are_refreshed_by_one_listing(run: Run, emulator: Emulator) -> None:
    for number in range(1, 7):
        run.archive_deletion.read(f"{TENANT}/archive-gone-{number:02}", STATE)
    assert ["list_archives"] == emulator.operations()


def test_a_deletion_that_does_not_show_yet_is_waited_for(tmp_path: Path, emulator: Emulator) -> None:
    shown_late = {"status": 200, "body": {"items": [{"id": ARCHIVE, "delete_pending": False}], "next_page_token": ""}}
    schedule(emulator)
    late = {"DATAPROTECTION_READ_LAG": "5", **HURRIED}
    with (
        Servicer(tmp_path / "log", variables=late) as servicer,
        emulator.faults({"operation": "list_archives", "do": [shown_late, shown_late]}),
    ):
        assert (ID, STATE, INPUTS) == servicer.run(emulator).archive_deletion.read(ID, STATE)
    assert ["list_archives"] * 3 == emulator.operations()


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_service_that_does_not_answer_does_not_empty_the_state(run: Run, emulator: Emulator, status: int) -> None:
    with emulator.faults({"operation": "list_archives", "do": [f"status:{status}"]}):
        assert_names(failure_of(run.archive_deletion.read, ID, STATE), str(status))


def test_a_get_returns_the_outputs_of_a_scheduled_deletion(run: Run, emulator: Emulator) -> None:
    schedule(emulator)
    expected = {name: value for name, value in STATE.items() if name != "reason"}
    assert expected == run.archive_deletion.get(ID).outs


@pytest.mark.parametrize("archive_id", [ARCHIVE, "archive-nowhere"])
def test_a_get_of_a_deletion_that_is_not_scheduled_fails(run: Run, archive_id: str) -> None:
    assert_names(failure_of(run.archive_deletion.get, f"{TENANT}/{archive_id}"), archive_id, TENANT, "scheduled")


# delete


def test_a_deletion_stays_scheduled_with_a_warning(run: Run, emulator: Emulator, engine: Engine) -> None:
    schedule(emulator)
    run.archive_deletion.delete(ID, STATE)
    (warning,) = engine.warnings
    assert_names(warning, ARCHIVE, TENANT, "7 days")
    assert (True, []) == (bool(delete_at(emulator)), emulator.writes())


def test_a_deletion_of_a_vanished_archive_is_forgotten_silently(run: Run, emulator: Emulator, engine: Engine) -> None:
    change_archive(emulator, deleted=True)
    run.archive_deletion.delete(ID, STATE)
    assert [] == engine.messages


def test_a_service_that_does_not_answer_does_not_keep_the_deletion(hurried: Servicer, engine: Engine) -> None:
    run = hurried.run(apiKey="key", baseUrl="http://127.0.0.1:1", callsPerSecond="0")
    run.archive_deletion.delete("nowhere/gone", STATE)
    assert 1 == len(engine.warnings)
