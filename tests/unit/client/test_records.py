"""How the service's JSON becomes records: times, numbers, open fields, and what is missing or strange."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from pydantic import ValidationError

from pulumi_dataprotection.client import Client, calls, errors, records
from pulumi_dataprotection.client.records import (
    Archive,
    Org,
    ResourceStats,
    ResourceTenantStats,
    SubscriptionHistory,
    Task,
    TaskStats,
    Tenant,
    Timestamp,
    TriggerJobResult,
    rfc3339,
)
from support.scripted import Scripted, told


def archive(client: Client, server: Scripted, **fields: object) -> Archive:
    server.script(told({"items": [{"id": "a-1", **fields}]}))
    (found,) = client.send(calls.list_archives("t-1"))
    return found


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-01-31T12:00:00Z", datetime(2026, 1, 31, 12, 0, tzinfo=UTC)),
        ("2026-01-31t12:00:00z", datetime(2026, 1, 31, 12, 0, tzinfo=UTC)),
        ("2026-01-31 12:00:00Z", datetime(2026, 1, 31, 12, 0, tzinfo=UTC)),
        ("2026-01-31T12:00:00+00:00", datetime(2026, 1, 31, 12, 0, tzinfo=UTC)),
        ("2026-01-31T12:00:00-00:00", datetime(2026, 1, 31, 12, 0, tzinfo=UTC)),
        ("2026-01-31T14:30:00+02:30", datetime(2026, 1, 31, 12, 0, tzinfo=UTC)),
        ("2026-01-01T00:30:00+14:00", datetime(2025, 12, 31, 10, 30, tzinfo=UTC)),
        ("2026-01-31T12:00:00.1Z", datetime(2026, 1, 31, 12, 0, 0, 100_000, tzinfo=UTC)),
        ("2026-01-31T12:00:00.12Z", datetime(2026, 1, 31, 12, 0, 0, 120_000, tzinfo=UTC)),
        ("2026-01-31T12:00:00.1234Z", datetime(2026, 1, 31, 12, 0, 0, 123_400, tzinfo=UTC)),
        ("2026-01-31T12:00:00.123456Z", datetime(2026, 1, 31, 12, 0, 0, 123_456, tzinfo=UTC)),
        ("2026-01-31T12:00:00.123456789Z", datetime(2026, 1, 31, 12, 0, 0, 123_456, tzinfo=UTC)),
        ("2016-12-31T23:59:60Z", datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("2016-12-31T23:59:60.5Z", datetime(2016, 12, 31, 23, 59, 59, 500_000, tzinfo=UTC)),
        ("2017-01-01T00:59:60+01:00", datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", None),
        ("0001-01-01T00:00:00.000Z", None),
        ("", None),
        (None, None),
    ],
)
def test_a_time_is_read_however_rfc_3339_writes_it(
    client: Client, server: Scripted, text: str | None, time: datetime | None
) -> None:
    assert time == archive(client, server, created_at=text).created_at


@pytest.mark.parametrize("text", ["2026-01-31T12:00:00Z", "2026-01-31T14:30:00+02:30"])
def test_a_time_is_in_utc_wherever_the_service_is(client: Client, server: Scripted, text: str) -> None:
    time = archive(client, server, created_at=text).created_at
    assert time is not None
    assert ("2026-01-31T12:00:00Z", UTC) == (time, time.datetime.tzinfo)


@pytest.mark.parametrize("text", ["yesterday", "2026-01-31", "2026-01-31T12:00:00", "2026-13-31T12:00:00Z"])
def test_a_time_that_is_none_is_an_error_that_names_field_and_item(client: Client, server: Scripted, text: str) -> None:
    with pytest.raises(errors.AnswerError, match=r"0\.created_at \(id 'a-1'\): Input should "):
        archive(client, server, created_at=text)


def test_a_time_beyond_the_calendar_is_an_error(client: Client, server: Scripted) -> None:
    with pytest.raises(errors.AnswerError, match="is beyond the calendar in UTC"):
        archive(client, server, created_at="9999-12-31T23:59:59-07:00")


@pytest.mark.parametrize("sent", ["18446744073709551615", 18446744073709551615], ids=["text", "number"])
def test_a_number_of_64_bits_is_exact_as_text_and_as_a_number(client: Client, server: Scripted, sent: object) -> None:
    stats = archive(client, server, stats={"size": sent}).stats
    assert stats is not None
    expected = (2**64 - 1, "18446744073709551615")
    assert expected == (stats.size, stats["size"])


@pytest.mark.parametrize("stats", [{}, {"size": None}])
def test_a_missing_number_is_none(client: Client, server: Scripted, stats: object) -> None:
    found = archive(client, server, stats=stats).stats
    assert found is not None
    assert dict(found) == {"size": None}


def test_a_record_is_a_mapping_of_what_a_state_can_hold() -> None:
    record = Archive(id="a-1", created_at=Timestamp("2026-01-31T12:00:00Z"))
    expected = {
        "id": "a-1",
        "tenant_id": None,
        "resource_id": None,
        "delete_pending": None,
        "created_at": "2026-01-31T12:00:00Z",
        "stats": None,
    }
    assert expected == dict(record)
    assert (len(record), "id" in record, "color" in record) == (6, True, False)


def test_a_field_that_a_record_does_not_have_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="color"):
        Org(id="o-1")["color"]


def test_a_time_in_another_zone_is_written_in_utc() -> None:
    expected = "2026-01-31T11:00:00.500000Z"
    assert expected == rfc3339(datetime(2026, 1, 31, 12, 0, 0, 500_000, tzinfo=timezone(timedelta(hours=1))))


@pytest.mark.parametrize("id", [{"id": "t-1"}, {"tenant_id": "t-1"}])
def test_a_tenant_has_its_id_under_either_name(client: Client, server: Scripted, id: dict[str, str]) -> None:
    server.script(told({**id, "colour": {"red": 1}}))
    expected = Tenant(id="t-1", fields={**id, "colour": {"red": 1}})
    assert expected == client.send(calls.get_tenant("t-1"))


def test_an_open_record_keeps_everything_in_the_mapping_too(client: Client, server: Scripted) -> None:
    sent = {"id": "t-1", "name": "Contoso", "fields": ["own"]}
    server.script(told(sent))
    expected = {"fields": sent, "id": "t-1", "kind": None, "name": "Contoso"}
    assert expected == dict(client.send(calls.get_tenant("t-1")))


@pytest.mark.parametrize("sent", [{"id": "1", "status": "done"}, {"task_id": "1", "state": "done"}])
def test_a_task_has_id_and_status_under_either_name(client: Client, server: Scripted, sent: dict[str, str]) -> None:
    server.script(told(sent))
    expected = Task(id="1", status="done", fields=sent)
    assert expected == client.send(calls.get_task("t-1", "1"))


@pytest.mark.parametrize("name", ["message", "error"])
def test_a_task_says_when_it_began_and_what_went_wrong(client: Client, server: Scripted, name: str) -> None:
    server.script(told({"id": "1", name: "disk full", "started_at": "2026-01-31T10:00:00+02:00"}))
    task = client.send(calls.get_task("t-1", "1"))
    assert ("disk full", "2026-01-31T08:00:00Z") == (task.message, task.started_at)


def test_fields_of_a_task_that_mean_something_else_are_left_out(client: Client, server: Scripted) -> None:
    sent = {"id": "1", "error": {"code": 7}, "started_at": "yesterday"}
    server.script(told(sent))
    assert Task(id="1", fields=sent) == client.send(calls.get_task("t-1", "1"))


@pytest.mark.parametrize("sent", [{"task_id": "1"}, {"id": "1"}, {"task": {"id": "1"}}])
def test_a_triggered_task_has_its_id_under_any_name(client: Client, server: Scripted, sent: dict[str, object]) -> None:
    server.script(told(sent))
    expected = TriggerJobResult(task_id="1", fields=sent)
    assert expected == client.send(calls.trigger_job("t-1", "j-1"))


@pytest.mark.parametrize("sent", [{"items": [{"kind": "storage"}]}, {"quotas": [{"kind": "storage"}]}])
def test_quotas_are_found_under_either_name(client: Client, server: Scripted, sent: dict[str, object]) -> None:
    server.script(told(sent))
    expected = [records.Quota(kind="storage")]
    assert expected == client.send(calls.get_tenant_quotas("t-1")).quotas


@pytest.mark.parametrize("sent", [{}, {"items": None}, {"quotas": None}, {"items": []}])
def test_quotas_may_be_none(client: Client, server: Scripted, sent: dict[str, object]) -> None:
    server.script(told(sent))
    assert client.send(calls.get_tenant_quotas("t-1")).quotas == []


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({}, ResourceStats()),
        ({"tenants": None}, ResourceStats()),
        ({"tenants": [{"tenant_id": "t-1"}]}, ResourceStats(tenants=[ResourceTenantStats(tenant_id="t-1")])),
        (
            {"tenants": [{"tenant_id": "t-1", "resource_details": None, "resources_total": None}]},
            ResourceStats(tenants=[ResourceTenantStats(tenant_id="t-1")]),
        ),
    ],
    ids=["nothing", "null", "missing", "nulls"],
)
def test_an_absent_or_null_list_is_empty(
    client: Client, server: Scripted, sent: object, expected: ResourceStats
) -> None:
    server.script(told(sent))
    assert expected == client.send(calls.get_resource_stats("t-1"))


def test_open_results_keep_what_came(client: Client, server: Scripted) -> None:
    sent = {"periods": [{"quantity": "5"}]}
    server.script(told(sent), told(sent))
    now = datetime.now(UTC)
    expected = (SubscriptionHistory(fields=sent), TaskStats(fields=sent))
    found = (
        client.send(calls.get_subscription_history("o-1")),
        client.send(calls.get_task_stats("t-1", start_time=now, end_time=now)),
    )
    assert expected == found


def test_an_invitation_is_not_shown(client: Client, server: Scripted) -> None:
    server.script(told({"org": {"id": "o-1"}, "invitation_url": "https://portal.example/secret"}))
    created = client.send(calls.create_org())
    expected = ("https://portal.example/secret", False)
    assert expected == (created.invitation_url, "secret" in repr(created))


def test_a_record_cannot_be_changed() -> None:
    org = Org(id="o-1")
    with pytest.raises(AttributeError):
        org.name = "Fabrikam"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def test_a_record_without_its_id_cannot_be_made() -> None:
    with pytest.raises(ValidationError):
        Org(name="Fabrikam")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
