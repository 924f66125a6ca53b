"""The functions for subscriptions and their history."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pulumi_dataprotection import get_subscription_history, get_subscriptions
from support import Emulator
from support.functions.program import Program

CONTOSO = "org-contoso"
NOW = datetime.now(UTC)


@pytest.mark.parametrize(
    ("preset", "id"),
    [("published", "sub-contoso"), ("plain", "sub-contoso"), ("terse", None), ("foreign", "sub-contoso")],
)
def test_each_tenant_has_a_subscription(shop: Program, emulator: Emulator, preset: str, id: str | None) -> None:
    emulator.set_dialect(preset)
    (subscription,) = shop.run(lambda: get_subscriptions(CONTOSO)).items
    assert (id, "tenant-contoso") == (subscription.id, subscription.tenant_id)


def test_an_organization_without_tenants_has_no_subscriptions(shop: Program) -> None:
    assert [] == shop.run(lambda: get_subscriptions("org-alpine")).items


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, [25, 50]),
        ({"start": NOW - timedelta(days=10), "end": NOW - timedelta(days=2)}, [50]),
        ({"start": (NOW - timedelta(days=20)).isoformat(), "end": NOW - timedelta(days=14)}, [25]),
        ({"start": NOW - timedelta(days=20)}, [25, 50]),
        ({"end": NOW - timedelta(days=14)}, [25]),
    ],
)
@pytest.mark.parametrize("preset", ["published", "plain", "foreign"])
def test_a_history_is_that_of_its_period(
    shop: Program, emulator: Emulator, preset: str, arguments: dict[str, Any], expected: list[int]
) -> None:
    emulator.set_dialect(preset)
    periods = shop.run(lambda: get_subscription_history(CONTOSO, **arguments)).periods
    assert expected == [period.quantity for period in periods]
    assert {"sub-contoso"} == {period.subscription_id for period in periods}
    assert [] == [period for period in periods if not period.start or not period.end or period.end <= period.start]


def test_a_history_has_the_amount_of_each_period_in_cents(shop: Program) -> None:
    first, second = shop.run(lambda: get_subscription_history(CONTOSO)).periods
    assert (True, True) == (bool(first.amount), bool(second.amount))
    assert ("resource", "tenant-contoso") == (first.kind, first.tenant_id)
