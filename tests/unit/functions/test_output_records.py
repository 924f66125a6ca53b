"""Records as values of a program: whole in outputs, exact in exports and in the arguments of resources."""

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, cast

import pulumi
import pytest
from pydantic import TypeAdapter

from pulumi_dataprotection.client import records
from pulumi_dataprotection.client.records import Record, Timestamp
from pulumi_dataprotection.functions import Assignments
from pulumi_dataprotection.functions._data_source import ListResult
from support.functions.program import Program

WIDE = 2**63 - 1
TIME = "2026-01-31T12:00:00.123456789Z"
QUOTA = {"kind": "storage", "used": WIDE, "limit": str(WIDE), "units": None, "exceeded": False}
ITEM = {"kind": "resource", "qty": str(WIDE), "auto_license": True, "auto_license_max": WIDE}
PERIOD = {"sub_id": "s-1", "qty": WIDE, "start": TIME, "amount": WIDE}
COUNTS = {"done": 3, "warnings": 2}
TOTAL = {"count": 3, "protected_count": 2, "size_total": WIDE}
DETAIL = {"kind": "office_user", "count": 2, "protected_count": 1}
TENANT_STATS = {"tenant_id": "t-1", "kind": None, "resource_details": [DETAIL], "resources_total": TOTAL}

SENT: dict[str, Mapping[str, object]] = {
    "Archive": {"id": "a-1", "created_at": TIME, "delete_pending": False, "stats": {"size": str(WIDE)}},
    "ArchiveStats": {"size": WIDE},
    "AuditEvent": {"id": "e-1", "created_at": TIME, "details": '{"count": 1}'},
    "CreateOrgResult": {"org": {"id": "o-1", "name": "Shop"}, "invitation_url": "https://portal.example"},
    "Installation": {"org_id": "o-1"},
    "Org": {"id": "o-1", "name": "Shop"},
    "Policy": {"id": "p-1", "name": "Gold"},
    "ProtectResourceResult": {"job_id": "j-1"},
    "Protection": {"id": "1", "resource_id": "r-1", "policy_id": "p-1"},
    "Quota": QUOTA,
    "Resource": {"id": "r-1", "name": "jane@contoso.example", "archived": True},
    "ResourceStats": {"tenants": [TENANT_STATS]},
    "ResourceStatsDetailedEntry": DETAIL,
    "ResourceStatsTotalEntry": TOTAL,
    "ResourceTenantStats": TENANT_STATS,
    "Subscription": {"id": "s-1", "items": [ITEM], "amounts": [WIDE, {"more": -WIDE}], "huge": [float("inf")]},
    "SubscriptionHistory": {"items": [PERIOD], "since": None},
    "SubscriptionItem": ITEM,
    "SubscriptionPeriod": PERIOD,
    "Task": {"task_id": "k-1", "state": "done", "error": "none", "started_at": TIME},
    "TaskCounts": COUNTS,
    "TaskStats": {"total": COUNTS, "by_action": {"BACKUP": COUNTS}},
    "Tenant": {"tenant_id": "t-1", "name": "Contoso", "deleted": True, "empty": {}},
    "TenantQuotas": {"items": [QUOTA]},
    "TriggerJobResult": {"task": {"id": "k-1"}},
}
"""The service's JSON of each class of records, with the values that are hard to send."""


def made(name: str) -> Record:
    """Make a record of the JSON."""
    record: Record = TypeAdapter(getattr(records, name)).validate_python(SENT[name])
    return record


def test_each_class_of_records_has_a_row() -> None:
    classes = [
        name for name in records.__all__ if inspect.isclass(one := getattr(records, name)) and issubclass(one, Record)
    ]
    assert sorted({*classes} - {"Record", "OpenRecord"}) == sorted(SENT)


WAYS: dict[str, Callable[[Any], pulumi.Output[Any]]] = {
    "from_input": pulumi.Output.from_input,
    "secret": pulumi.Output.secret,
    "all": lambda record: pulumi.Output.all(record).apply(lambda given: given[0]),
    "all by name": lambda record: pulumi.Output.all(one=record).apply(lambda given: given["one"]),
    "a list": lambda record: pulumi.Output.from_input([record]).apply(lambda given: given[0]),
    "a tuple": lambda record: pulumi.Output.from_input((record,)).apply(lambda given: given[0]),
    "a dictionary of lists": lambda record: pulumi.Output.all(a={"b": [record]}).apply(
        lambda given: given["a"]["b"][0]
    ),
    "an output in a list": lambda record: pulumi.Output.all([pulumi.Output.from_input(record)]).apply(
        lambda given: given[0][0]
    ),
    "the list of a function": lambda record: pulumi.Output.all(ListResult([record])).apply(
        lambda given: given[0].items[0]
    ),
    "assignments": lambda record: pulumi.Output.all(Assignments({}, [record], [], [], [], [])).apply(
        lambda given: given[0].excluded[0]
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", SENT)
def test_a_record_stays_a_record_in_an_output(program: Program, name: str, way: str) -> None:
    record = made(name)
    found, known = program.wait(lambda: WAYS[way](record))
    assert (True, type(record), record, dict(record)) == (known, type(found), found, dict(cast("Record", found)))


@pytest.mark.parametrize("name", SENT)
def test_attributes_of_an_output_can_be_put_into_text(program: Program, name: str) -> None:
    record = made(name)
    names = [field for field in record if isinstance(getattr(record, field), (str, int))]

    def body() -> pulumi.Output[str]:
        output = pulumi.Output.from_input(record)
        parts = [pulumi.Output.format("{0};", getattr(output, field)) for field in names]
        return pulumi.Output.concat("", *parts)

    assert ("".join(f"{getattr(record, field)};" for field in names), True) == program.wait(body)


@pytest.mark.parametrize("name", SENT)
def test_a_record_is_sent_as_its_dictionary(program: Program, name: str) -> None:
    record = made(name)
    expected = json.loads(json.dumps(record, allow_nan=False))
    assert expected == dict(record)
    assert [expected] * 3 == [program.export(record), program.send(record), program.send({"a": [record]})["a"][0]]


@pytest.mark.parametrize("name", SENT)
def test_each_attribute_of_a_record_can_be_exported(program: Program, name: str) -> None:
    record = made(name)
    for field in record:
        sent = program.export(getattr(record, field))
        wide = sent if isinstance(sent, (int, float)) and not isinstance(sent, bool) else 0
        assert (abs(wide) <= 2**53, sent) == (True, json.loads(json.dumps(sent))), field


def test_a_wide_number_is_a_number_in_a_program_and_text_outside(program: Program) -> None:
    size = cast("records.ArchiveStats", made("ArchiveStats")).size
    assert size is not None
    assert (WIDE, 2 * WIDE, str(WIDE)) == (size, size + size, program.export(size))
    assert [str(WIDE)] == program.send([size])


@pytest.mark.parametrize("size", [2**53, -(2**53), 0, 7])
def test_a_number_that_a_double_holds_stays_a_number(program: Program, size: int) -> None:
    stats = TypeAdapter(records.ArchiveStats).validate_python({"size": size})
    assert (size, int) == (program.export(stats.size), type(stats.size))


def test_a_time_is_sent_as_the_text_of_the_service(program: Program) -> None:
    time = cast("records.Archive", made("Archive")).created_at
    assert (TIME, TIME, Timestamp) == (program.export(time), program.send(time), type(time))
