"""The functions for subscriptions and their history."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pulumi_dataprotection import get_subscription_history, get_subscriptions
from support import Emulator
from support.functions.program import Program

CONTOSO = "org-contoso"
NOW = datetime.now(UTC)


@pytest.mark.parametrize(("preset", "id"), [("default", "sub-contoso"), ("terse", None), ("foreign", "sub-contoso")])
def test_each_tenant_has_a_subscription(shop: Program, emulator: Emulator, preset: str, id: str | None) -> None:
    emulator.set_dialect(preset)
    (subscription,) = shop.run(lambda: get_subscriptions(CONTOSO)).items
    assert (id, "tenant-contoso") == (subscription.id, subscription.fields["tenant_id"])


def test_an_organization_without_tenants_has_no_subscriptions(shop: Program) -> None:
    assert [] == shop.run(lambda: get_subscriptions("org-alpine")).items


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, ["25", "50"]),
        ({"start": NOW - timedelta(days=10), "end": NOW - timedelta(days=2)}, ["50"]),
        ({"start": (NOW - timedelta(days=20)).isoformat(), "end": NOW - timedelta(days=14)}, ["25"]),
        ({"start": NOW - timedelta(days=20)}, ["25", "50"]),
        ({"end": NOW - timedelta(days=14)}, ["25"]),
    ],
)
def test_a_history_is_that_of_its_period(shop: Program, arguments: dict[str, Any], expected: list[str]) -> None:
    fields: Any = shop.run(lambda: get_subscription_history(CONTOSO, **arguments)).fields
    assert expected == [record["quantity"] for record in fields["items"]]
