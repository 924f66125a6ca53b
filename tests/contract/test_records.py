"""Records: each says what the service holds, in types that lose nothing, however the service writes it."""

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC
from typing import Any, cast

from pulumi_dataprotection.client import Call, calls
from pulumi_dataprotection.client.records import OpenRecord, Record, ResourceStatsTotalEntry, Timestamp
from pulumi_dataprotection.emulator.answers.records import RECORDS
from pulumi_dataprotection.emulator.handlers import HANDLERS
from pulumi_dataprotection.spec import OPERATIONS
from support.contract.content import BIGGEST_INT
from support.contract.examples import NOTHING, examples
from support.contract.service import Content, Service


def is_open(record: str) -> bool:
    """Return whether the interface leaves the fields of a record, or of the items of a page, open."""
    return not RECORDS.get(RECORDS.get(record, {}).get("items", record).strip("[]"))


READS = {row.id: HANDLERS[row.id].record for row in OPERATIONS if not row.writes and row.id in HANDLERS}
OPEN = {id for id, record in READS.items() if is_open(record)}


def reads(service: Service) -> dict[str, Call[Any]]:
    """Return a call of each operation that reads; no task is known of a real service."""
    return {
        name: call
        for name, call in examples(service.scene).items()
        if not call.operation.writes and NOTHING not in call.path.values()
    }


def records_in(value: object) -> Iterator[tuple[Record, dict[str, object]]]:
    """Give a result's records, at all depths, each with its attributes."""
    if isinstance(value, list):
        for item in cast("list[object]", value):
            yield from records_in(item)
    elif isinstance(value, Record):
        # Each record is a dataclass, but their common base class is not.
        attributes = {field.name: getattr(value, field.name) for field in dataclasses.fields(cast("Any", value))}
        yield value, attributes
        for attribute in attributes.values():
            yield from records_in(attribute)


def test_the_records_that_the_interface_leaves_open_are_open_here(service: Service, content: Content) -> None:
    del content
    found = {name: [record for record, _ in records_in(service.read(call))] for name, call in reads(service).items()}
    assert OPEN == {name for name, records in found.items() if any(isinstance(one, OpenRecord) for one in records)}


def test_a_record_is_also_a_mapping_of_the_same_names_that_json_can_hold(service: Service) -> None:
    for record, attributes in records_in([service.read(call) for call in reads(service).values()]):
        assert (record, attributes.keys()) == (json.loads(json.dumps(record)), record.keys())


def test_times_are_aware_and_in_utc_and_numbers_are_whole(service: Service) -> None:
    values = [
        value
        for _, attributes in records_in([service.read(call) for call in reads(service).values()])
        for name, value in attributes.items()
        if name != "fields"
    ]
    assert {UTC} == {value.datetime.tzinfo for value in values if isinstance(value, Timestamp)}
    assert [] == [value for value in values if isinstance(value, float)]


def test_a_record_is_the_same_by_its_id_and_in_the_list(service: Service) -> None:
    scene = service.scene
    (org,) = (org for org in service.read(calls.list_orgs(scene.parent_id)) if org.id == scene.child_id)
    (tenant,) = (tenant for tenant in service.read(calls.list_tenants(scene.owner_id)) if tenant.id == scene.tenant_id)
    assert org == service.read(calls.get_org(org.id))
    assert tenant == service.read(calls.get_tenant(tenant.id))


def test_a_resource_is_found_by_its_id_and_by_its_external_id(service: Service) -> None:
    tenant_id = service.scene.tenant_id
    resources = service.read(calls.list_resources(tenant_id))
    for resource in (resources[0], resources[-1]):
        assert resource == service.read(calls.get_resource(tenant_id, resource.id))
    named = [resource for resource in resources if resource.external_id]
    for resource in (named[0], named[-1]):
        assert resource == service.read(calls.get_resource(tenant_id, f"ext${resource.external_id}"))


def test_the_quotas_are_exact_whatever_holds_them(service: Service, content: Content) -> None:
    automatic = {row["kind"]: row["auto_license_max"] for row in content["subscription_items"] if row["auto_license"]}
    ours = [row for row in content["quotas"] if _is_ours(row, service)]
    limits = {row["kind"]: str(row["count"]) for row in ours} | automatic
    held = [(row["kind"], int(limits[row["kind"]]), row["units"]) for row in ours]
    quotas = service.read(calls.get_tenant_quotas(service.scene.tenant_id)).quotas
    assert sorted(held) == sorted((quota.kind, quota.limit or 0, quota.units or "") for quota in quotas)


def test_the_statistics_are_those_of_the_resources(service: Service, content: Content) -> None:
    resources = [row for row in content["resources"] if _is_ours(row, service)]
    protected = {row["resource_id"] for row in content["protections"] if _is_ours(row, service)}
    expected = {
        kind: (count, sum(row["kind"] == kind for row in resources if row["id"] in protected))
        for kind, count in Counter(row["kind"] for row in resources).items()
    }
    (tenant,) = service.read(calls.get_resource_stats(service.scene.tenant_id)).tenants
    details = {entry.kind: (entry.count, entry.protected_count) for entry in tenant.resource_details}
    assert expected == details
    assert tenant.resources_total == ResourceStatsTotalEntry(
        count=len(resources), protected_count=len(protected), size_total=BIGGEST_INT
    )


def _is_ours(row: dict[str, Any], service: Service) -> bool:
    return bool(row["tenant_id"] == service.scene.tenant_id)
