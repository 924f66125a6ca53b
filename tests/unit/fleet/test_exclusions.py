"""The ignore file: which items need no policy, until when, and which lines cannot be read."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.client.records import Resource, Tenant
from pulumi_dataprotection.fleet.exclusions import Exclusion, IgnoreFileError, excluded_ids, parse_exclusions

TENANT = Tenant(id="tenant-contoso", name="Contoso Workspace", fields={})
ITEMS = [
    Resource(id="user-1", name="Jane.Doe@contoso.example", kind="office_user"),
    Resource(id="user-2", name="room-1@contoso.example", kind="office_user"),
    Resource(id="drive-1", name="Room plans", kind="office_teamdrive"),
    Resource(id="drive-2", name=None, kind="office_teamdrive"),
]

NONE = set[str]()


def excluded(line: str, columns: str = "pattern,tenant,kind,until,reason") -> set[str]:
    """Return the items that a line excludes."""
    return excluded_ids(parse_exclusions(f"{columns}\n{line}\n"), TENANT, ITEMS)


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        ("room*,,,,Rooms", {"user-2", "drive-1"}),
        ("ROOM*,,office_user,,Rooms", {"user-2"}),
        ("jane.doe@*,tenant-contoso,,,She left", {"user-1"}),
        ("jane.doe@*,contoso*,,,She left", {"user-1"}),
        ("*,tenant-adatum,,,Another customer", NONE),
        ("drive-2,,,,By its id", {"drive-2"}),
        ("drive-?,,,,A pattern is only for names", NONE),
        ("nobody,,,,Nobody", NONE),
    ],
)
def test_a_line_excludes_the_items_that_meet_all_its_conditions(line: str, ids: set[str]) -> None:
    assert ids == excluded(line)


def test_the_columns_are_in_any_order_and_only_two_are_needed() -> None:
    text = 'reason,pattern\r\n"Rooms, all",room*\r\n\r\nPlans,Room plans\r\n'
    assert [Exclusion(2, "room*", "Rooms, all"), Exclusion(4, "Room plans", "Plans")] == parse_exclusions(text)


def test_a_line_counts_until_the_end_of_its_day() -> None:
    line, unlimited = parse_exclusions("pattern,until,reason\n*,2026-12-31,Tests\n*,,Tests\n")
    days = [date(2026, 12, 31), date(2027, 1, 1)]
    assert [True, False] == [line.counts_on(day) for day in days]
    assert [True, True] == [unlimited.counts_on(day) for day in days]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 1),
        ("pattern\n*\n", 1),
        ("pattern,reason,who\n*,x,y\n", 1),
        ("pattern,reason,reason\n*,x,y\n", 1),
        ("pattern;reason\n*;x\n", 1),
        ("pattern,reason\n*,x\n*\n", 3),
        ("pattern,reason\n*,x,y\n", 2),
        ("pattern,reason\n,x\n", 2),
        ("pattern,reason\n*, \n", 2),
        ("pattern,until,reason\n*,soon,x\n", 2),
        ("pattern,until,reason\n*,2026-02-30,x\n", 2),
        ('pattern,reason\n*,"x"y\n', 2),
        ('pattern,reason\n*,"x\n', 2),
    ],
)
def test_a_line_that_cannot_be_read_is_an_error_with_its_number(text: str, number: int) -> None:
    with pytest.raises(IgnoreFileError, match=f"^line {number}: "):
        parse_exclusions(text)


@given(st.text())
def test_any_text_is_read_or_is_an_error_with_a_number(text: str) -> None:
    found: list[Exclusion] = []
    problem = "line 1"
    try:
        found = parse_exclusions(f"pattern,reason\n{text}")
    except IgnoreFileError as error:
        problem = str(error)
    assert problem.startswith("line ")
    assert all(exclusion.line > 1 and exclusion.pattern and exclusion.reason for exclusion in found)
