"""Each operation against the emulator: what comes back, as typed records."""

from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from pulumi_dataprotection.client import Client, calls, errors, records
from pulumi_dataprotection.client.records import (
    Archive,
    ArchiveStats,
    AuditEvent,
    Installation,
    Org,
    Policy,
    Protection,
    Quota,
    Resource,
    ResourceStats,
    ResourceStatsDetailedEntry,
    ResourceStatsTotalEntry,
    ResourceTenantStats,
)
from support import Emulator
from support.scripted import Connect

TENANT = "tenant-contoso"
PROTECTED = "res-contoso-user-01"
FREE = "res-contoso-user-20"
SILVER = "policy-contoso-silver"
LARGEST = 2**64 - 1


@pytest.fixture
def client(live: Client) -> Client:
    return live


def asked(emulator: Emulator) -> list[str]:
    return [request["operation"] for request in emulator.requests()]


def test_installations(client: Client) -> None:
    expected = [Installation(tenant_id="", org_id="org-meridian")]
    assert expected == client.send(calls.list_installations())


def test_a_created_org_has_an_id_and_an_invitation(client: Client) -> None:
    name = 'R&D 100% + 🦄 =ok; "x" <é>'
    call = calls.create_org(
        parent_org_id="org-alpine", external_id="crm-1042", name=name, admin_email="it@fabrikam.example"
    )
    created = client.send(call)
    expected = Org(id=created.org.id, external_id="crm-1042", kind="basic", name=name)
    assert expected == created.org
    assert created.invitation_url is not None
    assert created.invitation_url.startswith("https://portal.example/invitations/")


def test_an_org_that_was_there_has_no_invitation(client: Client) -> None:
    created = client.send(calls.create_org(external_id="crm-1002", name="Contoso"))
    expected = records.CreateOrgResult(
        org=Org(id="org-contoso", external_id="crm-1002", kind="basic", name="Contoso"), invitation_url=""
    )
    assert expected == created


def test_one_org(client: Client) -> None:
    expected = Org(id="org-alpine", external_id="", kind="msp", name="Alpine IT Services")
    assert expected == client.send(calls.get_org("org-alpine"))


def test_child_orgs(client: Client) -> None:
    expected = ["org-contoso", "org-northwind"]
    assert expected == [org.id for org in client.send(calls.list_orgs("org-alpine"))]


def test_tenants(client: Client) -> None:
    (tenant,) = client.send(calls.list_tenants("org-contoso"))
    expected = (TENANT, "office_suite_a", "Contoso Workspace")
    assert expected == (tenant.id, tenant.kind, tenant.name)


def test_subscriptions(client: Client) -> None:
    (subscription,) = client.send(calls.list_subscriptions("org-contoso"))
    expected = ("sub-contoso", "post_pay", "50")
    assert expected == (subscription.id, subscription.fields["kind"], subscription.fields["quantity"])


def test_the_subscription_history_of_the_usual_period(client: Client) -> None:
    history = client.send(calls.get_subscription_history("org-contoso"))
    periods = cast("list[dict[str, str]]", history.fields["items"])
    expected = ["25", "50"]
    assert expected == [period["quantity"] for period in periods]


def test_the_subscription_history_of_a_window(client: Client, emulator: Emulator) -> None:
    end = (emulator.now() - timedelta(days=20)).replace(microsecond=0)
    start = (end - timedelta(days=1)).astimezone()
    items = client.send(calls.get_subscription_history("org-contoso", start=start, end=end)).fields["items"]
    expected = {
        "subscription_id": "sub-contoso",
        "tenant_id": TENANT,
        "quantity": "25",
        "start": records.rfc3339(start).replace("Z", ".000Z"),
        "end": records.rfc3339(end).replace("Z", ".000Z"),
    }
    assert [expected] == items


def test_one_tenant(client: Client) -> None:
    tenant = client.send(calls.get_tenant(TENANT))
    expected = ("Contoso Workspace", "org-contoso")
    assert expected == (tenant.name, tenant.fields["org_id"])


def test_a_tenants_quotas(client: Client) -> None:
    quotas = client.send(calls.get_tenant_quotas(TENANT)).quotas
    expected = [Quota(kind="resource", count=50, units=""), Quota(kind="storage", count=2048, units="GB")]
    assert expected == quotas


def test_the_quotas_keep_what_the_interface_does_not_describe(client: Client) -> None:
    fields = client.send(calls.get_tenant_quotas(TENANT)).fields
    expected = {
        "tenant_id": TENANT,
        "items": [
            {"kind": "resource", "count": "50", "units": "", "used": "10"},
            {"kind": "storage", "count": "2048", "units": "GB", "used": "71"},
        ],
    }
    assert expected == fields


def test_archives_of_a_resource(client: Client) -> None:
    (archive,) = client.send(calls.list_archives(TENANT, resource_id=PROTECTED))
    expected = Archive(
        id="archive-contoso-01",
        tenant_id=TENANT,
        resource_id=PROTECTED,
        delete_pending=False,
        created_at=archive.created_at,
        stats=ArchiveStats(size=1_250_000),
    )
    assert expected == archive


def test_archives_of_a_tenant(client: Client) -> None:
    assert len(client.send(calls.list_archives(TENANT))) == 10


def test_the_largest_size_is_a_number_as_an_attribute_and_text_in_the_mapping(
    client: Client, emulator: Emulator
) -> None:
    emulator.patch({"archives": [{"tenant_id": TENANT, "id": "archive-contoso-01", "size": str(LARGEST)}]})
    (archive,) = client.send(calls.list_archives(TENANT, resource_id=PROTECTED))
    assert archive.stats is not None
    expected = (LARGEST, {"size": str(LARGEST)})
    assert expected == (archive.stats.size, archive["stats"])


def test_a_time_is_in_utc_as_an_attribute_and_text_in_the_mapping(client: Client, emulator: Emulator) -> None:
    created_at = "2026-01-31T12:00:00.123+01:00"
    emulator.patch({"archives": [{"tenant_id": TENANT, "id": "archive-contoso-01", "created_at": created_at}]})
    (archive,) = client.send(calls.list_archives(TENANT, resource_id=PROTECTED))
    assert archive.created_at is not None
    expected = (datetime(2026, 1, 31, 11, 0, 0, 123_000, tzinfo=UTC), UTC, "2026-01-31T11:00:00.123Z")
    assert expected == (archive.created_at.datetime, archive.created_at.datetime.tzinfo, archive["created_at"])


def test_deleting_an_archive_has_no_result(client: Client, emulator: Emulator) -> None:
    nothing: object = client.send(calls.delete_archive(TENANT, "archive-contoso-01", reason="left & gone: ü/?"))
    assert nothing is None
    (request,) = emulator.writes()
    assert request["query"] == {"reason": "left & gone: ü/?"}


def test_an_archive_is_pending_once_it_was_deleted(client: Client) -> None:
    client.send(calls.delete_archive(TENANT, "archive-contoso-01", reason="left"))
    (archive,) = client.send(calls.list_archives(TENANT, resource_id=PROTECTED))
    assert archive.delete_pending is True


def test_audit_events(client: Client) -> None:
    event = client.send(calls.list_audit_events(TENANT))[0]
    expected = AuditEvent(
        id="event-contoso-10",
        actor_email="ada.keller@meridian.example",
        actor_name="Ada Keller",
        action="resource.protect",
        subject="Human Resources",
        created_at=event.created_at,
        details='{"resource_id": "res-contoso-drive-02"}',
    )
    assert expected == event


def test_audit_events_between_two_times(client: Client, emulator: Emulator) -> None:
    now = emulator.now()
    call = calls.list_audit_events(
        TENANT, start_time=now - timedelta(days=196, hours=1), end_time=now - timedelta(days=194, hours=1)
    )
    expected = {"event-contoso-04", "event-contoso-05"}
    assert expected == {event.id for event in client.send(call)}


def test_a_triggered_job_spawns_a_task(client: Client) -> None:
    task_id = client.send(calls.trigger_job(TENANT, "job-contoso-01")).task_id
    task = client.send(calls.get_task(TENANT, task_id))
    expected = (task_id, "queued", "job-contoso-01")
    assert expected == (task.id, task.status, task.fields["job_id"])


def test_policies(client: Client) -> None:
    expected = [
        Policy(id="policy-contoso-bronze", tenant_id=TENANT, name="Bronze"),
        Policy(id="policy-contoso-gold", tenant_id=TENANT, name="Gold"),
        Policy(id=SILVER, tenant_id=TENANT, name="Silver"),
    ]
    assert expected == client.send(calls.list_policies(TENANT))


def test_policies_of_a_name(client: Client) -> None:
    expected = [SILVER]
    assert expected == [policy.id for policy in client.send(calls.list_policies(TENANT, name="Silver"))]


def test_protections_of_a_resource(client: Client) -> None:
    expected = [Protection(id="prot-contoso-01", resource_id=PROTECTED, policy_id=SILVER, job_id="job-contoso-01")]
    assert expected == client.send(calls.list_protections(TENANT, resource_id=PROTECTED))


def test_protections_of_a_tenant(client: Client) -> None:
    assert len(client.send(calls.list_protections(TENANT))) == 10


def test_resources(client: Client) -> None:
    found = client.send(calls.list_resources(TENANT))
    assert len(found) == 41
    assert {type(resource) for resource in found} == {Resource}


def test_resource_stats(client: Client) -> None:
    expected = ResourceStats(
        tenants=[
            ResourceTenantStats(
                tenant_id=TENANT,
                kind="office_suite_a",
                name="Contoso Workspace",
                resource_details=[
                    ResourceStatsDetailedEntry(kind="office_teamdrive", count=11, protected_count=2),
                    ResourceStatsDetailedEntry(kind="office_user", count=30, protected_count=8),
                ],
                resources_total=ResourceStatsTotalEntry(count=41, protected_count=10, size_total=68_750_000),
            )
        ]
    )
    assert expected == client.send(calls.get_resource_stats(TENANT))


def test_a_size_deep_in_a_record_is_text_in_the_mapping(client: Client) -> None:
    tenants = client.send(calls.get_resource_stats(TENANT))["tenants"]
    assert isinstance(tenants, list)
    expected = {"count": 41, "protected_count": 10, "size_total": "68750000"}
    assert expected == tenants[0]["resources_total"]


@pytest.mark.parametrize("id", [PROTECTED, "ext$usr-1001"])
def test_one_resource_by_id_and_by_external_id(client: Client, id: str) -> None:
    expected = Resource(
        id=PROTECTED,
        external_id="usr-1001",
        tenant_id=TENANT,
        name="jane.doe@contoso.example",
        kind="office_user",
        archived=False,
    )
    assert expected == client.send(calls.get_resource(TENANT, id))


@pytest.mark.parametrize(
    "external_id", ["ACME/West", "a?b", "a#b", "50%41", "x y", "spiffe://d/ns", "$", "ext$x", ".."]
)
def test_an_external_id_with_reserved_characters_is_found(client: Client, emulator: Emulator, external_id: str) -> None:
    emulator.patch({"resources": [{"tenant_id": TENANT, "id": FREE, "external_id": external_id}]})
    assert client.send(calls.get_resource(TENANT, f"ext${external_id}")).id == FREE


def test_protecting_a_resource(client: Client) -> None:
    job_id = client.send(calls.protect_resource(TENANT, FREE, policy_id=SILVER)).job_id
    (protection,) = client.send(calls.list_protections(TENANT, resource_id=FREE))
    expected = (SILVER, job_id)
    assert expected == (protection.policy_id, protection.job_id)


def test_unprotecting_a_resource(client: Client) -> None:
    nothing: object = client.send(calls.unprotect_resource(TENANT, PROTECTED, policy_id=SILVER))
    assert nothing is None
    assert client.send(calls.list_protections(TENANT, resource_id=PROTECTED)) == []


def test_task_stats(client: Client, emulator: Emulator) -> None:
    now = emulator.now()
    stats = client.send(calls.get_task_stats(TENANT, start_time=now - timedelta(days=2), end_time=now))
    expected = {"items": [{"status": "done", "count": 1}, {"status": "warnings", "count": 1}]}
    assert expected == stats.fields


def test_a_task_keeps_every_field(client: Client) -> None:
    task = client.send(calls.get_task(TENANT, "task-contoso-02"))
    expected = ("task-contoso-02", "warnings", "2 items could not be read", 100)
    assert expected == (task.id, task.status, task.fields["message"], task.fields["progress"])


@pytest.mark.parametrize("page_size", [1, 3, 40, 41, 42])
def test_all_pages_are_read_whatever_their_size(emulator: Emulator, connect: Connect, page_size: int) -> None:
    whole = connect(emulator.url, api_key=emulator.api_key).send(calls.list_resources(TENANT))
    paged = connect(emulator.url, api_key=emulator.api_key, page_size=page_size).send(calls.list_resources(TENANT))
    assert whole == paged


def test_as_many_requests_are_sent_as_there_are_pages(emulator: Emulator, connect: Connect) -> None:
    connect(emulator.url, api_key=emulator.api_key, page_size=10).send(calls.list_resources(TENANT))
    expected = ["list_resources"] * 5
    assert expected == asked(emulator)


def test_each_page_carries_filter_and_limit(emulator: Emulator, connect: Connect) -> None:
    twin = {"tenant_id": TENANT, "id": "prot-twin", "resource_id": PROTECTED, "policy_id": SILVER, "job_id": "job-twin"}
    emulator.patch({"protections": [twin]})
    client = connect(emulator.url, api_key=emulator.api_key, page_size=1)
    found = client.send(calls.list_protections(TENANT, resource_id=PROTECTED))
    assert len(found) == 2
    expected = [{"resource_id", "limit"}, {"resource_id", "limit", "page_token"}]
    assert expected == [set(request["query"]) for request in emulator.requests()]


@pytest.mark.parametrize(
    ("key", "error"),
    [("a-key-that-nobody-has", errors.UnauthenticatedError), (Emulator.read_only_key, errors.ForbiddenError)],
    ids=["unknown", "read-only"],
)
def test_a_key_that_may_not_is_told_so_at_once(
    emulator: Emulator, connect: Connect, key: str, error: type[errors.StatusError]
) -> None:
    client = connect(emulator.url, api_key=key)
    with pytest.raises(error) as caught:
        client.send(calls.trigger_job(TENANT, "job-contoso-01"))
    expected = (1, ["trigger_job"])
    assert expected == (caught.value.attempts, asked(emulator))


def test_what_is_not_there_is_not_found(client: Client) -> None:
    with pytest.raises(errors.NotFoundError) as caught:
        client.send(calls.get_org("org-nowhere"))
    expected = (404, "GET /api/v1/orgs/org-nowhere", "get_org")
    assert expected == (caught.value.status, caught.value.request, caught.value.operation.id)


def test_a_refusal_has_the_services_own_words_and_advice(client: Client) -> None:
    with pytest.raises(errors.InvalidArgumentError) as caught:
        client.send(calls.protect_resource(TENANT, "ext$usr-1001", policy_id=SILVER))
    expected = (
        "cannot protect a resource: 400 invalid argument "
        f"(POST /api/v1/tenants/{TENANT}/resources/ext$usr-1001/protect): "
        '"ext$usr-1001" is an external id; this operation takes the resource\'s own id. Check the values'
    )
    assert expected == str(caught.value)
