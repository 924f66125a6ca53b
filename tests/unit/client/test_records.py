"""The service's JSON as records: times, numbers, open fields, and missing or unexpected values."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone

import pytest
from pydantic import TypeAdapter, ValidationError

from pulumi_dataprotection.client import calls, errors
from pulumi_dataprotection.client._times import Time
from pulumi_dataprotection.client.records import (
    Archive,
    OpenRecord,
    Org,
    Quota,
    ResourceTenantStats,
    SubscriptionItem,
    SubscriptionPeriod,
    Task,
    TaskCounts,
    Timestamp,
    TriggerJobResult,
    read_names,
)
from support.client.examples import NOON, Built, Exchange
from support.scripted import told

TENANT = calls.get_tenant("t-1")
QUOTAS = calls.get_tenant_quotas("t-1")
STATS = calls.get_resource_stats("t-1")
SUBSCRIPTIONS = calls.list_subscriptions("o-1")
HISTORY = calls.get_subscription_history("o-1")
TASK = calls.get_task("t-1", "1")
TASK_STATS = calls.get_task_stats("t-1", start_time=NOON, end_time=NOON)
TRIGGER = calls.trigger_job("t-1", "j-1")

EMPTY_STATS = ResourceTenantStats(tenant_id="t-1")

PERIOD = {
    "sub_id": "s-1",
    "tenant_id": "t-1",
    "kind": "resource",
    "qty": "5",
    "amount": 1250,
    "start": "2026-01-01T00:00:00Z",
    "end": "2026-01-31T00:00:00Z",
}
ONE_PERIOD = SubscriptionPeriod(
    subscription_id="s-1",
    tenant_id="t-1",
    kind="resource",
    quantity=5,
    start=Timestamp("2026-01-01T00:00:00Z"),
    end=Timestamp("2026-01-31T00:00:00Z"),
    amount=1250,
)
ONLY_QUANTITY = SubscriptionPeriod(subscription_id="s-1", quantity=5)
COUNTS = {"done": 3, "failed": 1}
TOTAL = TaskCounts(done=3, failed=1)


def archive(exchange: Exchange, **fields: object) -> Archive:
    (found,) = exchange.send(calls.list_archives("t-1"), told({"items": [{"id": "a-1", **fields}]}))
    return found


@pytest.mark.parametrize(
    "text",
    ["yesterday", "2026-01-31", "2026-01-31T12:00:00", "2026-13-31T12:00:00Z", "9999-12-31T23:59:59-07:00"],
)
def test_an_invalid_time_is_an_error_that_names_the_field_and_the_item(exchange: Exchange, text: str) -> None:
    with pytest.raises(errors.AnswerError, match=r"0\.created_at \(id 'a-1'\): "):
        archive(exchange, created_at=text)


@pytest.mark.parametrize(
    ("stats", "size"),
    [({}, None), ({"size": None}, None), ({"size": "9" * 19}, "9" * 19), ({"size": 2**64}, str(2**64))],
)
def test_a_number_is_exact_or_none(exchange: Exchange, stats: object, size: str | None) -> None:
    found = archive(exchange, stats=stats).stats
    assert found is not None
    assert ({"size": size}, size and int(size)) == (dict(found), found.size)


def test_a_record_is_a_mapping_of_values_for_a_state() -> None:
    record = Archive(id="a-1", created_at=Timestamp("2026-01-31T12:00:00Z"))
    empty = dict.fromkeys(["tenant_id", "resource_id", "delete_pending", "stats"])
    assert {"id": "a-1", "created_at": "2026-01-31T12:00:00Z", **empty} == dict(record)
    assert (6, True, False) == (len(record), "id" in record, "color" in record)
    with pytest.raises(KeyError, match="color"):
        record["color"]


@pytest.mark.parametrize(
    ("call", "sent", "attributes"),
    [
        (TENANT, {"id": "t-1", "colour": {"red": 1}}, {"id": "t-1", "deleted": False}),
        (TENANT, {"id": "t-1", "external_id": "s-1", "region": "UK"}, {"external_id": "s-1", "region": "UK"}),
        (TENANT, {"id": "t-1", "external_id": 7, "region": {"code": "UK"}}, {"external_id": None, "region": None}),
        (TENANT, {"tenant_id": "t-1", "colour": {"red": 1}}, {"id": "t-1"}),
        (TASK, {"id": "1", "status": "done"}, {"id": "1", "status": "done", "message": None}),
        (TASK, {"task_id": "1", "state": "done"}, {"id": "1", "status": "done", "message": None}),
        (TASK, {"id": "1", "message": "disk full"}, {"message": "disk full", "started_at": None}),
        (TASK, {"id": "1", "error": "disk full"}, {"message": "disk full", "started_at": None}),
        (TASK, {"id": "1", "started_at": "2026-01-31T10:00:00+02:00"}, {"started_at": "2026-01-31T08:00:00Z"}),
        (TASK, {"id": "1", "error": {"code": 7}, "started_at": "yesterday"}, {"message": None, "started_at": None}),
        (TASK, {"id": "1", "resource_id": "r-1", "status": "open"}, {"resource_id": "r-1", "status": "open"}),
        (TRIGGER, {"task_id": "1"}, {"task_id": "1"}),
        (TRIGGER, {"id": "1"}, {"task_id": "1"}),
        (TRIGGER, {"task": {"id": "1"}}, {"task_id": "1"}),
        (QUOTAS, {"items": [{"kind": "storage"}]}, {"quotas": [Quota(kind="storage")]}),
        (QUOTAS, {"quotas": [{"kind": "storage"}]}, {"quotas": [Quota(kind="storage")]}),
        (QUOTAS, {}, {"quotas": []}),
        (QUOTAS, {"items": None}, {"quotas": []}),
        (QUOTAS, {"quotas": None}, {"quotas": []}),
        (QUOTAS, {"items": []}, {"quotas": []}),
        (STATS, {}, {"tenants": []}),
        (STATS, {"tenants": None}, {"tenants": []}),
        (STATS, {"tenants": [{"tenant_id": "t-1"}]}, {"tenants": [EMPTY_STATS]}),
        (STATS, {"tenants": [{"tenant_id": "t-1", "resource_details": None}]}, {"tenants": [EMPTY_STATS]}),
        (STATS, {"tenants": [{"tenant_id": "t-1", "resources_total": None}]}, {"tenants": [EMPTY_STATS]}),
        (HISTORY, {"items": [PERIOD]}, {"periods": [ONE_PERIOD]}),
        (HISTORY, {"items": [{"subscription_id": "s-1", "quantity": "5"}]}, {"periods": [ONLY_QUANTITY]}),
        (
            HISTORY,
            {"subscriptions": [{"subscription_id": "s-1", "records": [{"quantity": 5}, None]}]},
            {"periods": [ONLY_QUANTITY, SubscriptionPeriod(subscription_id="s-1")]},
        ),
        (HISTORY, {"items": [{"amount": "free", "qty": "many", "start": "then"}]}, {"periods": [SubscriptionPeriod()]}),
        *((HISTORY, {"items": sent}, {"periods": []}) for sent in (None, [], ["s-1"], "s-1", {"s-1": 5})),
        (HISTORY, {"usage": []}, {"periods": []}),
        (
            TASK_STATS,
            {"total": COUNTS, "by_action": {"BACKUP": COUNTS}},
            {"total": TOTAL, "by_action": {"BACKUP": TOTAL}},
        ),
        (TASK_STATS, {"total": {}, "by_action": None}, {"total": TaskCounts(), "by_action": {}}),
        (TASK_STATS, {"statuses": {**COUNTS, "queued": 1}}, {"total": TOTAL, "by_action": {}}),
        (TASK_STATS, {"items": [{"status": "DONE", "count": 3}, {"status": "FAILED", "count": 1}]}, {"total": TOTAL}),
        (TASK_STATS, {"items": [{"status": "done"}, None]}, {"total": TaskCounts()}),
        (TASK_STATS, {"items": []}, {"total": TaskCounts()}),
        (TASK_STATS, {"statuses": {"success": 5, "error": 2}}, {"total": None}),
        (TASK_STATS, {"items": [{"state": "done", "number": 5}]}, {"total": None}),
        *((TASK_STATS, {"total": sent}, {"total": None}) for sent in (None, 7, {"done": "many"}, {"done": None})),
        (TASK_STATS, {"by_action": {"BACKUP": 7}}, {"total": None, "by_action": {}}),
    ],
)
def test_a_field_is_found_under_each_of_its_names_and_an_open_record_keeps_all_fields(
    exchange: Exchange, call: Built, sent: object, attributes: dict[str, object]
) -> None:
    found = exchange.send(call, told(sent))
    assert attributes == {name: getattr(found, name) for name in attributes}
    assert sent == found.fields if isinstance(found, OpenRecord) else call is STATS


def test_an_open_record_is_a_mapping_of_all_fields_too(exchange: Exchange) -> None:
    sent = {"id": "t-1", "name": "Contoso", "fields": ["own"]}
    known = {"id": "t-1", "external_id": None, "kind": None, "name": "Contoso", "region": None, "deleted": False}
    assert {"fields": sent, **known} == dict(exchange.send(TENANT, told(sent)))


@pytest.mark.parametrize(
    ("sent", "limit", "unlimited"),
    [
        ({"limit": "50", "count": "40"}, 50, False),
        ({"count": "50"}, 50, False),
        ({"limit": "4294967295"}, 2**32 - 1, True),
        ({"count": 4294967295}, 2**32 - 1, True),
        ({"limit": "4294967294"}, 2**32 - 2, False),
        ({"limit": "18446744073709551615"}, 2**64 - 1, False),
        ({"limit": "0"}, 0, False),
        ({}, None, False),
        ({"limit": "7", "unlimited": True}, 7, False),
    ],
)
def test_a_quota_has_a_limit_that_may_stand_for_no_limit(
    exchange: Exchange, sent: Mapping[str, object], limit: int | None, *, unlimited: bool
) -> None:
    (quota,) = exchange.send(QUOTAS, told({"quotas": [sent]})).quotas
    assert (limit, unlimited) == (quota.limit, quota.unlimited)
    assert (None if limit is None else str(limit), unlimited) == (quota["limit"], quota["unlimited"])


@pytest.mark.parametrize(
    ("sent", "used", "exceeded"),
    [
        ({"used": "51", "exceeded": True}, 51, True),
        ({"used": 51, "exceeded": False}, 51, False),
        ({"used": "18446744073709551615"}, 2**64 - 1, None),
        ({"used": {"GB": 3}, "exceeded": "partly"}, None, None),
        ({}, None, None),
    ],
)
def test_a_quota_has_its_use(exchange: Exchange, sent: object, used: int | None, *, exceeded: bool | None) -> None:
    (quota,) = exchange.send(QUOTAS, told({"quotas": [sent]})).quotas
    assert (used, exceeded) == (quota.used, quota.exceeded)


@pytest.mark.parametrize(
    ("deleted", "states"),
    [
        (True, [{"deleted": True}, {"deleted": False, "status": "Deleted"}, {"state": "TERMINATED"}]),
        (False, [{}, {"deleted": False}, {"deleted": None}, {"deleted": ""}, {"status": "active"}]),
    ],
)
def test_a_tenant_is_deleted_if_a_field_says_so(
    exchange: Exchange, states: Sequence[Mapping[str, object]], *, deleted: bool
) -> None:
    found = [exchange.send(TENANT, told({"id": "t-1", **state})) for state in states]
    assert [(deleted, deleted)] * len(states) == [(tenant.deleted, tenant["deleted"]) for tenant in found]


AUTO = {"kind": "resource", "qty": "50", "auto_license": True, "auto_license_max": 80}


@pytest.mark.parametrize(
    ("sent", "items"),
    [
        ([AUTO], [SubscriptionItem(kind="resource", quantity=50, auto_license=True, auto_license_max=80)]),
        ([{"kind": "storage", "quantity": 3}], [SubscriptionItem(kind="storage", quantity=3)]),
        ([{"qty": "many", "auto_license": "often"}], [SubscriptionItem()]),
        ([], []),
        (None, []),
        ("none", []),
        ([7], []),
    ],
)
def test_a_subscription_has_licences_by_kind(exchange: Exchange, sent: object, items: list[SubscriptionItem]) -> None:
    (found,) = exchange.send(SUBSCRIPTIONS, told({"items": [{"id": "s-1", "items": sent}]}))
    assert items == found.licensed_items


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"tenant_id": "t-1", "status": "active"}, ("t-1", "active", None)),
        ({"expires": "2027-01-31T00:00:00+01:00"}, (None, None, "2027-01-30T23:00:00Z")),
        ({"status": 3, "expires": "never", "tenant_id": ["t-1"]}, (None, None, None)),
        ({"expires": "0001-01-01T00:00:00Z"}, (None, None, None)),
    ],
)
def test_a_subscription_has_a_status_and_an_end(
    exchange: Exchange, sent: Mapping[str, object], expected: tuple[object, ...]
) -> None:
    (found,) = exchange.send(SUBSCRIPTIONS, told({"items": [{"id": "s-1", **sent}]}))
    assert expected == (found.tenant_id, found.status, found.expires)


def test_a_record_names_each_field_of_the_service_that_it_reads() -> None:
    own = {"id", "resource_id", "status", "message", "started_at", "fields"}
    assert own | {"task_id", "state", "error"} == read_names(Task)
    assert {"id", "task_id", "fields"} == read_names(TriggerJobResult)
    assert {"id", "external_id", "kind", "name"} == read_names(Org)


def test_a_record_cannot_be_changed() -> None:
    org = Org(id="o-1")
    with pytest.raises(AttributeError):
        org.name = "Fabrikam"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def test_a_record_without_its_id_cannot_be_created() -> None:
    with pytest.raises(ValidationError):
        Org(name="Fabrikam")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


MICROSECONDS = NOON + timedelta(microseconds=123_456)
LEAP_SECOND = datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)


def read(sent: object) -> Timestamp | None:
    return TypeAdapter(Time).validate_python(sent)


@pytest.mark.parametrize(
    ("sent", "text", "time"),
    [
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z", NOON),
        ("2026-01-31t12:00:00.10z", "2026-01-31T12:00:00.10Z", NOON + timedelta(seconds=0.1)),
        ("2026-01-31 12:00:00Z", "2026-01-31T12:00:00Z", NOON),
        ("2026-01-31T12:00:00+00:00", "2026-01-31T12:00:00Z", NOON),
        ("2026-01-31T12:00:00-00:00", "2026-01-31T12:00:00Z", NOON),
        ("2026-01-31T14:30:00+02:30", "2026-01-31T12:00:00Z", NOON),
        ("2026-01-01T00:30:00+14:00", "2025-12-31T10:30:00Z", datetime(2025, 12, 31, 10, 30, tzinfo=UTC)),
        ("2026-01-31T12:00:00.1Z", "2026-01-31T12:00:00.1Z", NOON + timedelta(seconds=0.1)),
        ("2026-01-31T12:00:00.1234Z", "2026-01-31T12:00:00.1234Z", NOON + timedelta(microseconds=123_400)),
        ("2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.123456Z", MICROSECONDS),
        ("2026-01-31 14:30:00.123456789+02:30", "2026-01-31T12:00:00.123456789Z", MICROSECONDS),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z", LEAP_SECOND),
        ("2017-01-01T00:59:60.25+01:00", "2016-12-31T23:59:60.25Z", LEAP_SECOND + timedelta(seconds=0.25)),
        (MICROSECONDS, "2026-01-31T12:00:00.123456Z", MICROSECONDS),
        (1769860800, "2026-01-31T12:00:00Z", NOON),
        (Timestamp("2026-01-31T12:00:00.5Z"), "2026-01-31T12:00:00.5Z", NOON + timedelta(seconds=0.5)),
    ],
)
def test_a_time_is_text_in_utc_with_the_digits_of_the_service(sent: object, text: str, time: datetime) -> None:
    found = read(sent)
    assert found is not None
    assert (text, text, time, UTC) == (found, str(found), found.datetime, found.datetime.tzinfo)
    assert time == found


@pytest.mark.parametrize("sent", ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z", "", None])
def test_an_empty_time_is_none(sent: object) -> None:
    assert read(sent) is None


EARLIER, LATER = Timestamp("2026-01-31T12:00:00Z"), Timestamp("2026-01-31T12:00:00.5Z")


OTHERS: dict[str, str | datetime] = {
    "time": LATER,
    "text": str(LATER),
    "datetime": LATER.datetime,
    "datetime elsewhere": LATER.datetime.astimezone(timezone(timedelta(hours=3))),
}


@pytest.mark.parametrize("later", OTHERS.values(), ids=OTHERS)
def test_times_are_in_order(later: str | datetime) -> None:
    assert (True, True, False, False) == (EARLIER < later, EARLIER <= later, EARLIER > later, EARLIER >= later)
    assert (False, False, True, True) == (later < EARLIER, later <= EARLIER, later > EARLIER, later >= EARLIER)
    assert (False, False, True, True) == (EARLIER == later, later == EARLIER, EARLIER != later, later != EARLIER)


def test_a_time_equals_its_datetime_and_its_text() -> None:
    assert (True, True, True) == (EARLIER == NOON, NOON == EARLIER, str(EARLIER) == EARLIER)
    assert (True, True, False) == (EARLIER <= NOON, EARLIER >= NOON, EARLIER != NOON)
    assert {EARLIER: 1} == {str(EARLIER): 1}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_the_difference_of_times_is_a_duration(other: str | datetime) -> None:
    half = timedelta(seconds=0.5)
    assert (-half, half) == (EARLIER - other, other - EARLIER)


def test_text_that_is_not_a_time_is_compared_as_text() -> None:
    assert [EARLIER, LATER] == sorted([LATER, EARLIER])
    assert (True, False, True) == (EARLIER > "", EARLIER < "", EARLIER < "never")
    assert ["", EARLIER] == sorted([EARLIER, ""])


def test_a_datetime_without_a_zone_cannot_be_compared() -> None:
    with pytest.raises(TypeError, match="offset-naive and offset-aware"):
        _ = EARLIER < datetime(2026, 1, 31)  # noqa: DTZ001 - on purpose
