"""The counts of a tenant's items by kind and by their protection."""

from functools import reduce
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.client.records import Resource
from pulumi_dataprotection.core.coverage import Counts, count_by_kind

IDS = [f"item-{number}" for number in range(8)]
ITEMS = st.lists(
    st.builds(
        Resource,
        id=st.sampled_from(IDS),
        kind=st.sampled_from(["office_user", "office_teamdrive", None]),
        archived=st.sampled_from([True, False, None]),
    ),
    unique_by=lambda item: item.id,
)
SOME_IDS = st.sets(st.sampled_from(IDS))


def item(id: str, kind: str | None = "office_user", *, archived: bool | None = False) -> Resource:
    return Resource(id=id, kind=kind, archived=archived)


def test_each_item_is_counted_once_by_its_protection() -> None:
    items = [
        *map(item, "abcdef"),
        item("g", archived=True),
        item("h", archived=True),
        item("drive", "office_teamdrive"),
    ]
    assert {
        "office_teamdrive": Counts(count=1),
        "office_user": Counts(count=6, by_code=1, in_portal=2, excluded=1, archived_protected=1),
    } == count_by_kind(items, protected_ids="abcg", declared_ids="adg", excluded_ids="cegh")


def test_an_item_without_a_kind_has_the_kind_of_no_name() -> None:
    assert {"": Counts(count=1)} == count_by_kind([item("a", None, archived=None)], ())


@given(ITEMS, SOME_IDS, SOME_IDS, SOME_IDS)
def test_the_groups_add_up_to_the_living_items(
    items: list[Resource], protected: set[str], declared: set[str], excluded: set[str]
) -> None:
    total = reduce(add, count_by_kind(items, protected, declared, excluded).values(), Counts())
    living = {item.id for item in items if not item.archived}
    assert len(living) == total.count
    assert len(living & protected) == total.protected
    assert len(living & protected & declared) == total.by_code
    assert len(living - protected - excluded) == total.unprotected
    assert len({item.id for item in items} & protected - living) == total.archived_protected


@pytest.mark.parametrize(
    ("counts", "percent"),
    [
        (Counts(), 100.0),
        (Counts(count=2, excluded=2), 100.0),
        (Counts(count=1000, in_portal=999), 99.9),
        (Counts(count=100_000, in_portal=99_999), 99.9),
        (Counts(count=1000, by_code=500, in_portal=482), 98.2),
        (Counts(count=4, by_code=2, excluded=2), 100.0),
        (Counts(count=3), 0.0),
    ],
)
def test_the_percentage_is_rounded_down(counts: Counts, percent: float) -> None:
    assert percent == counts.percent
    assert counts.reaches(percent)


@given(st.integers(1, 5000), st.data())
def test_a_coverage_reaches_its_exact_percentage_and_none_above(count: int, data: st.DataObject) -> None:
    protected = data.draw(st.integers(0, count))
    counts = Counts(count=count, in_portal=protected)
    assert counts.reaches(100 * protected / count)
    assert not counts.reaches(100 * protected / count + 1e-9)
