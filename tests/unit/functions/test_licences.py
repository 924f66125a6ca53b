"""The function for licences."""

from collections import Counter
from datetime import UTC, datetime

import pulumi
import pytest

from pulumi_dataprotection import Licence, get_licences
from support import Emulator
from support.functions.program import Program

CONTOSO = "org-contoso"
NOW = datetime.now(UTC)


def numbers(licence: Licence) -> tuple[object, ...]:
    return (licence.kind, licence.used, licence.limit, licence.exceeded, licence.unlimited, licence.quantity)


def test_a_licence_has_its_use_its_limit_and_its_subscription(shop: Program) -> None:
    resource, storage = shop.run(lambda: get_licences(CONTOSO)).items
    assert ("resource", 10, 50, False, False, 50) == numbers(resource)
    assert ("storage", 71, 2048, False, False, None) == numbers(storage)
    for licence in (resource, storage):
        assert ("tenant-contoso", "Contoso Workspace", "active") == (
            licence.tenant_id, licence.tenant_name, licence.status
        )  # fmt: skip
        assert licence.expires is not None
        assert licence.expires > NOW
    assert ("", "GB") == (resource.units, storage.units)


# The count and the use of a quota, an automatic licence, and the licence that they make.
LIMITS: dict[str, tuple[dict[str, str], dict[str, object], tuple[object, ...]]] = {
    "used up": ({"count": "10", "used": "10"}, {}, ("resource", 10, 10, False, False, 50)),
    "exceeded": ({"count": "10", "used": "11"}, {}, ("resource", 11, 10, True, False, 50)),
    "unlimited": ({"count": "4294967295", "used": "999"}, {}, ("resource", 999, 2**32 - 1, False, True, 50)),
    "automatic": (
        {"count": "50", "used": "60"},
        {"auto_license": True, "auto_license_max": "80"},
        ("resource", 60, 80, False, False, 50),
    ),
}


@pytest.mark.parametrize(("quota", "item", "expected"), LIMITS.values(), ids=LIMITS)
def test_a_limit_is_that_of_the_quota(
    shop: Program, emulator: Emulator, quota: dict[str, str], item: dict[str, object], expected: tuple[object, ...]
) -> None:
    emulator.patch(
        {
            "quotas": [{"tenant_id": "tenant-contoso", "kind": "resource", **quota}],
            "subscription_items": [{"subscription_id": "sub-contoso", "kind": "resource", **item}],
        }
    )
    licence = shop.run(lambda: get_licences(CONTOSO)).items[0]
    assert expected == numbers(licence)
    automatic = bool(item)
    assert (automatic, 80 if automatic else 0) == (licence.auto_license, licence.auto_license_max)


@pytest.mark.parametrize(("preset", "counts"), [("plain", 0), ("terse", 1), ("foreign", 0)])
def test_other_services_say_less_of_a_licence(shop: Program, emulator: Emulator, preset: str, counts: int) -> None:
    emulator.set_dialect(preset)
    resource, storage = shop.run(lambda: get_licences(CONTOSO)).items
    assert ("resource", 10, 50, False, False, None) == numbers(resource)
    assert (40, None if counts else 2048 - 71) == (resource.free, storage.free)
    # A service that does not state the use is asked for its statistics.
    assert counts == [request["operation"] for request in emulator.requests()].count("get_resource_stats")


def test_an_item_without_a_quota_is_a_licence_too(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"subscription_items": [{"subscription_id": "sub-contoso", "kind": "archive", "qty": "3"}]})
    licences = shop.run(lambda: get_licences(CONTOSO)).items
    assert ["resource", "storage", "archive"] == [licence.kind for licence in licences]
    assert ("archive", None, None, None, False, 3) == numbers(licences[-1])


@pytest.mark.parametrize("ended", ["canceled", "expired", "trial_expired"])
def test_a_licence_is_that_of_the_subscription_that_has_not_ended(
    shop: Program, emulator: Emulator, ended: str
) -> None:
    emulator.patch(
        {
            "subscriptions": [
                {"id": "sub-0", "tenant_id": "tenant-contoso", "status": ended},
                {"id": "sub-contoso", "status": "trial"},
            ]
        }
    )
    assert {"trial"} == {licence.status for licence in shop.run(lambda: get_licences(CONTOSO)).items}


def test_a_licence_of_an_ended_subscription_says_so(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"subscriptions": [{"id": "sub-contoso", "status": "expired"}]})
    assert {"expired"} == {licence.status for licence in shop.run(lambda: get_licences(CONTOSO)).items}


def test_the_licences_below_an_organization_cost_a_call_for_each_tenant_with_its_organization(
    shop: Program, emulator: Emulator
) -> None:
    licences = shop.run(lambda: get_licences("org-meridian", recursive=True)).items
    assert ["tenant-contoso"] * 2 + ["tenant-adatum"] * 2 == [licence.tenant_id for licence in licences]
    counted = Counter(request["operation"] for request in emulator.requests())
    orgs = len(emulator.state()["orgs"])
    # Organizations without a tenant have no subscription to ask for.
    expected = {"list_orgs": orgs, "list_tenants": orgs, "get_tenant_quotas": 2, "list_subscriptions": 2}
    assert expected == counted


def test_a_deleted_tenant_has_no_licence_and_costs_no_call(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"tenants": [{"id": "tenant-contoso", "terminated": True}]})
    assert [] == shop.run(lambda: get_licences(CONTOSO)).items
    assert ["list_tenants"] == [request["operation"] for request in emulator.requests()]


def test_a_licence_is_exported_and_put_into_an_output_as_any_record(shop: Program) -> None:
    licence, _ = shop.run(lambda: get_licences(CONTOSO)).items
    assert dict(licence) == shop.export(licence) == shop.send(licence)
    assert ("10", "50", "active") == (licence["used"], licence["limit"], licence["status"])
    assert (licence, True) == shop.wait(lambda: pulumi.Output.from_input(licence))
