"""Records of a dialect: fields, words and values."""

from typing import Any, cast

import httpx
import pytest

from pulumi_dataprotection.emulator.answers.records import RECORDS
from pulumi_dataprotection.spec import BY_ID
from support import Emulator
from support.emulator.cases import CONTOSO
from support.emulator.variants import PROTECTED, answer, each_variant, fields_of

TIMES = {"created_at", "started_at", "finished_at", "start", "end", "expires"}
QUOTAS = [
    {"kind": "resource", "count": "50", "units": "", "used": "10"},
    {"kind": "storage", "count": "2048", "units": "GB", "used": "71"},
]
HISTORY = [{"tenant_id": "tenant-contoso", "quantity": quantity} for quantity in ("25", "50")]
NOON = "2026-01-31T12:00:00.123Z"


@each_variant(
    "tenant_fields",
    published=["id", "external_id", "kind", "name", "region", "deleted"],
    plain=["id", "org_id", "kind", "name", "created_at"],
    prefixed=["tenant_id", "kind", "name", "org_id"],
)
@pytest.mark.parametrize("listed", [False, True], ids=["read", "listed"])
def test_the_fields_of_a_tenant(service: httpx.Client, expected: list[str], *, listed: bool) -> None:
    tenant = answer(service, "list_tenants")["items"][0] if listed else answer(service, "get_tenant")
    assert expected == list(tenant)


@each_variant(
    "quotas_container",
    published={"quotas": [{**quota, "limit": quota["count"], "exceeded": False} for quota in QUOTAS]},
    plain={"tenant_id": "tenant-contoso", "items": QUOTAS},
    bare={"quotas": [{name: value for name, value in quota.items() if name != "used"} for quota in QUOTAS]},
)
def test_the_quotas_of_a_tenant(service: httpx.Client, expected: dict[str, Any]) -> None:
    assert expected == answer(service, "get_tenant_quotas")


def subscription(names: str) -> dict[str, str]:
    """Return fields of the subscription of the demo content."""
    fields = {"id": "sub-contoso", "org_id": "org-contoso", "tenant_id": "tenant-contoso", "kind": "post_pay"}
    fields |= {"plan": "Business", "status": "active"}
    return {name: fields[name] for name in names.split()}


@each_variant(
    "subscription_fields",
    published={
        **subscription("id status tenant_id"),
        "items": [{"kind": "resource", "qty": 50, "auto_license": False, "auto_license_max": 0}],
    },
    plain={**subscription("id org_id tenant_id kind plan status"), "quantity": "50"},
    prefixed={"subscription_id": "sub-contoso", **subscription("tenant_id"), "quantity": 50},
    bare=subscription("tenant_id plan"),
)
def test_the_fields_of_a_subscription(service: httpx.Client, expected: dict[str, Any]) -> None:
    (subscription,) = answer(service, "list_subscriptions")["items"]
    assert expected == without_times(subscription)


@each_variant(
    "subscription_history",
    published={
        "items": [
            # The licences grew 12 days ago, the period ended one hour ago, and a unit costs 10 cents a day.
            {"sub_id": "sub-contoso", "tenant_id": "tenant-contoso", "kind": "resource", "qty": qty, "amount": amount}
            for qty, amount in (("25", 4510), ("50", 5979))
        ]
    },
    plain={"items": [{"subscription_id": "sub-contoso", **record} for record in HISTORY]},
    nested={"subscriptions": [{"subscription_id": "sub-contoso", "records": HISTORY}]},
)
def test_the_history_of_subscriptions(service: httpx.Client, expected: dict[str, Any]) -> None:
    assert expected == without_times(answer(service, "get_subscription_history"))


def without_times(value: object) -> object:
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value).items()
        return {name: without_times(item) for name, item in fields if name not in TIMES}
    return [without_times(item) for item in cast("list[object]", value)] if isinstance(value, list) else value


@each_variant("audit_actions", dotted={"resource.protect"}, upper={"RESOURCE_PROTECT"})
def test_the_audit_actions(service: httpx.Client, expected: set[str]) -> None:
    assert expected == {event["action"] for event in answer(service, "list_audit_events")["items"]}


@each_variant(
    "empty_text",
    empty={"tenant_id": "", "org_id": "org-meridian"},
    null={"tenant_id": None, "org_id": "org-meridian"},
    absent={"org_id": "org-meridian"},
)
def test_a_text_without_characters(service: httpx.Client, expected: dict[str, str | None]) -> None:
    assert [expected] == answer(service, "list_installations")["items"]


@pytest.mark.parametrize(
    ("operation_id", "names"),
    [
        ("create_org", {"invitation_url", "external_id", "name"}),
        ("get_task", {"message"}),
        ("get_tenant_quotas", {"units"}),
        ("list_orgs", set[str]()),
    ],
)
def test_each_text_without_characters_is_left_out(
    service: httpx.Client, emulator: Emulator, operation_id: str, names: set[str]
) -> None:
    emulator.set_dialect("plain", empty_text="null")
    nulls = {name for name, value in fields_of(answer(service, operation_id)) if value is None}
    assert names == nulls


@each_variant("empty_time", null=None, absent="absent", empty="", zero="0001-01-01T00:00:00Z")
@pytest.mark.parametrize("times", ["milliseconds", "offset"])
def test_a_time_that_has_not_come_yet(
    service: httpx.Client, emulator: Emulator, variant: str, expected: str | None, times: str
) -> None:
    emulator.set_dialect("plain", empty_time=variant, empty_text="null", times=times)
    task_id = service.put(f"{CONTOSO}/jobs/job-contoso-01/trigger").json()["task_id"]
    task = service.get(f"{CONTOSO}/tasks/{task_id}").json()
    assert (expected, expected) == (task.get("started_at", "absent"), task.get("finished_at", "absent"))


@each_variant("zero_values", written=(False, "0", 0), absent=(None, None, None))
def test_false_and_zero(
    service: httpx.Client, emulator: Emulator, variant: str, expected: tuple[object, object, object]
) -> None:
    emulator.reset("large:1x1")
    emulator.patch({"archives": [{"tenant_id": "tenant-0001", "id": "a", "resource_id": "res-0000001", "size": "0"}]})
    emulator.set_dialect(zero_values=variant)
    (resource,) = service.get("tenants/tenant-0001/resources").json()["items"]
    (archive,) = service.get("tenants/tenant-0001/archives").json()["items"]
    (statistics,) = service.get("tenants/tenant-0001/resources/statistics/summary").json()["tenants"]
    count = statistics["resources_total"].get("protected_count")
    assert expected == (resource.get("archived"), archive["stats"].get("size"), count)


def test_true_and_other_numbers_are_written_always(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": PROTECTED, "archived": True, "name": "0"}]})
    emulator.set_dialect(zero_values="absent")
    resource = service.get(f"{CONTOSO}/resources/{PROTECTED}").json()
    assert (resource["archived"], resource["name"]) == (True, "0")


@each_variant(
    "times",
    milliseconds=NOON,
    seconds="2026-01-31T12:00:00Z",
    nanoseconds="2026-01-31T12:00:00.123000000Z",
    offset="2026-01-31T14:00:00.123+02:00",
    lower_case="2026-01-31t12:00:00.123z",
)
def test_the_spelling_of_a_time(service: httpx.Client, emulator: Emulator, expected: str) -> None:
    emulator.patch({"subscriptions": [{"id": "sub-contoso", "expires": NOON}]})
    assert expected == answer(service, "list_subscriptions")["items"][0]["expires"]
    # The last time of the calendar has each spelling, too.
    emulator.patch({"subscriptions": [{"id": "sub-contoso", "expires": "9999-12-31T23:59:59.999Z"}]})
    assert answer(service, "list_subscriptions")["items"][0]["expires"]


@pytest.mark.parametrize("operation_id", BY_ID)
def test_each_time_of_an_answer_has_the_spelling(service: httpx.Client, emulator: Emulator, operation_id: str) -> None:
    emulator.set_dialect(times="offset")
    # A task that has not ended has no time of its end.
    times = [value for name, value in fields_of(answer(service, operation_id)) if name in TIMES and value is not None]
    assert [time for time in times if not str(time).endswith("+02:00")] == []


@each_variant("extra_fields", none=set[str](), some={"labels", "revision", "item_count"})
def test_fields_that_the_interface_does_not_name(service: httpx.Client, expected: set[str]) -> None:
    named = {"items", "next_page_token", *RECORDS["Resource"]}
    assert expected == {name for name, _ in fields_of(answer(service, "list_resources"))} - named


@pytest.mark.parametrize("operation_id", BY_ID)
def test_each_object_but_the_empty_one_can_have_more_fields(
    service: httpx.Client, emulator: Emulator, operation_id: str
) -> None:
    emulator.set_dialect(extra_fields="some")
    content = answer(service, operation_id)
    assert ([], 1) == (content["labels"], content["revision"]) if content else operation_id.startswith(("del", "unp"))
    if BY_ID[operation_id].answers == "page":
        assert len(content["items"]) == content["item_count"]


@pytest.mark.parametrize(
    ("listing", "expected"),
    [
        (f"{CONTOSO}/resources", {"office_user", "office_teamdrive", "office_holograms"}),
        ("orgs/org-alpine/orgs", {"basic", "office_holograms"}),
        (f"{CONTOSO}/policies", {None}),
    ],
)
def test_an_unknown_kind(service: httpx.Client, emulator: Emulator, listing: str, expected: set[str | None]) -> None:
    emulator.set_dialect(extra_fields="some")
    assert expected == {item.get("kind") for item in service.get(listing).json()["items"]}


def test_the_state_is_the_same_in_every_dialect(emulator: Emulator) -> None:
    before = emulator.state()
    emulator.set_dialect("foreign")
    assert before == emulator.state()
