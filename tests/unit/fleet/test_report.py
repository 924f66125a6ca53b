"""A report: its JSON, its changes and its trend, its aliases, and its Markdown."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.fleet.report.anonymous import anonymized
from pulumi_dataprotection.fleet.report.changes import MAX_POINTS, as_comparable, with_earlier
from pulumi_dataprotection.fleet.report.document import ReportFileError, dump_report, parse_report
from pulumi_dataprotection.fleet.report.html import as_html
from pulumi_dataprotection.fleet.report.markdown import MAX_CHARACTERS, as_markdown
from pulumi_dataprotection.fleet.report.model import SCHEMA, Report
from pulumi_dataprotection.fleet.report.order import customers_by_need, licence_use
from pulumi_dataprotection.fleet.report.parts import Licence, Point, Tasks
from support.fleet.reports import customer, full_report, kind, report

LATER = "2026-11-30T04:00:00Z"


def changes(before: Report, after: Report) -> set[tuple[str, str, int | None, int | None]]:
    found = with_earlier(replace(after, created_at=LATER), before).changes
    return {(change.label, change.subject, change.before, change.after) for change in found}


# The JSON


def test_a_report_is_read_as_it_was_written() -> None:
    text = dump_report(full_report(3))
    assert text == dump_report(parse_report(text))


def test_a_later_version_may_add_fields() -> None:
    document: dict[str, Any] = json.loads(dump_report(report(customer(1))))
    document["new"] = document["customers"][0]["new"] = 1
    assert report(customer(1)).counts == parse_report(json.dumps(document)).counts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "JSON"),
        ("{", "JSON"),
        ("[]", "not a report"),
        ("{}", "not a report"),
        ('{"schema_version": "1"}', "not a report"),
        (f'{{"schema_version": {SCHEMA + 1}}}', f"{SCHEMA + 1}.*Upgrade"),
        (f'{{"schema_version": {SCHEMA}}}', "created_at"),
    ],
)
def test_another_file_is_not_a_report(text: str, reason: str) -> None:
    with pytest.raises(ReportFileError, match=reason):
        parse_report(text)


@given(st.text())
def test_any_text_is_a_report_or_an_error(text: str) -> None:
    with pytest.raises(ReportFileError):
        parse_report(text)


# Changes and trend


def test_the_changes_are_those_of_each_customer() -> None:
    before = report(
        customer(1, kinds=[kind(20, 10)], tasks=Tasks(done=1, warnings=0, failed=0)),
        customer(2, kinds=[kind(20, 10, archived=2)]),
        customer(3),
    )
    short = Licence(kind="resource", used=20, limit=20, units="", exceeded=False, unlimited=False)
    after = report(
        customer(1, kinds=[kind(25, 10)], tasks=Tasks(done=1, warnings=0, failed=3)),
        customer(2, kinds=[kind(20, 10, archived=1)], licences=[short]),
        customer(4),
    )
    assert {
        ("Customer 1", "unprotected items", 10, 15),
        ("Customer 1", "failed tasks", 0, 3),
        ("Customer 2", "archived items with a policy", 2, 1),
        ("Customer 2", "kinds without a free licence", 0, 1),
        ("Customer 3", "customer is gone", 20, None),
        ("Customer 4", "new customer", None, 20),
    } == changes(before, after)


def test_an_unreadable_part_is_not_a_change() -> None:
    whole, unreadable = customer(1), customer(1, kinds=None, licences=None, tasks=None, problems=["403"])
    assert set() == changes(report(whole), report(unreadable))
    assert set() == changes(report(unreadable), report(whole))


@pytest.mark.parametrize("incomplete", [{"ended_early": "503"}, {"unseen": ["403"]}])
def test_a_customer_is_neither_new_nor_gone_if_a_report_is_not_complete(incomplete: dict[str, Any]) -> None:
    both, one = report(customer(1), customer(2)), report(customer(1))
    assert set() == changes(both, replace(one, **incomplete))
    assert set() == changes(replace(one, **incomplete), both)


def test_the_trend_goes_on_from_report_to_report() -> None:
    first = report(customer(1))
    second = with_earlier(report(customer(2), created_at=LATER), first)
    third = with_earlier(report(customer(3), created_at="2026-12-01T04:00:00Z"), second)
    assert [first.point, second.point] == [*third.history]
    assert LATER == third.since


def test_the_trend_has_no_later_times_if_a_clock_was_wrong() -> None:
    future = Point(at="2099-01-01T00:00:00Z", count=1, protected=1, failed=0)
    past = Point(at="2026-01-01T00:00:00Z", count=1, protected=1, failed=0)
    earlier = report(history=[future, past, past], created_at="2099-01-02T00:00:00Z")
    assert [past] == [*with_earlier(report(), earlier).history]


def test_the_trend_has_a_limit() -> None:
    history = [Point(at=f"2020-01-01T00:00:00.{n:04}Z", count=1, protected=1, failed=0) for n in range(MAX_POINTS)]
    found = with_earlier(report(created_at=LATER), report(history=history)).history
    assert (MAX_POINTS, report().point) == (len(found), found[-1])


# Aliases


def test_an_anonymous_report_has_no_name_and_no_id() -> None:
    named = with_earlier(replace(full_report(5), created_at=LATER), report(customer(77)))
    found = anonymized(replace(named, scope="--org org-0001"))
    names = r"(?i)(?:customer|organization|tenant|org|stack) ?-?\d{1,4}\b|north|south|example|403|503"
    for text in (dump_report(found), as_html(found), as_markdown(found)):
        assert [] == re.findall(names, text)
    assert (named.counts, ()) == (found.counts, found.changes)
    assert found is anonymized(found)


def test_an_alias_stays_the_same_so_that_reports_can_be_compared() -> None:
    before, after = report(customer(1, kinds=[kind(9, 1)])), report(customer(1, kinds=[kind(9, 2)], tenant_name="New"))
    found = with_earlier(replace(anonymized(after), created_at=LATER), as_comparable(before, "", anonymous=True))
    assert [("unprotected items", 8, 7)] == [(change.subject, change.before, change.after) for change in found.changes]
    assert found.changes[0].label == found.customers[0].label


@pytest.mark.parametrize("anonymous", [False, True])
def test_only_reports_of_the_same_tenants_are_compared(anonymous: bool) -> None:  # noqa: FBT001 - a parameter
    named = report(scope="--org org-1")
    earlier = anonymized(named) if anonymous else named
    assert "org-1" in as_comparable(named, "--org org-1", anonymous=False).scope
    assert earlier == as_comparable(earlier, "--org org-1", anonymous=anonymous)
    with pytest.raises(ReportFileError):
        as_comparable(earlier, "--org org-2", anonymous=anonymous)
    with pytest.raises(ReportFileError):
        as_comparable(anonymized(named), "--org org-1", anonymous=False)


# Order and licences


def test_unreadable_customers_come_first_and_then_those_with_the_most_unprotected_items() -> None:
    customers = [customer(1, kinds=[kind(9, 9)]), customer(2, kinds=[kind(9, 1)]), customer(3, kinds=None)]
    assert ["Customer 3", "Customer 2", "Customer 1"] == [one.label for one in customers_by_need(customers)]


def licence(**fields: Any) -> Licence:  # noqa: ANN401 - fields of a licence
    plain = Licence(kind="resource", used=5, limit=10, units="", exceeded=False, unlimited=False)
    return replace(plain, **fields)


@pytest.mark.parametrize(
    ("licences", "text", "is_short"),
    [
        (None, "unknown", False),
        ([], "", False),
        ([licence()], "5 of 10 (resource)", False),
        ([licence(), licence(kind="storage", used=9, units="GB")], "9 of 10 GB (storage)", False),
        ([licence(used=10)], "10 of 10 (resource)", True),
        ([licence(limit=0)], "5 of 0 (resource)", True),
        ([licence(exceeded=True), licence(used=9)], "5 of 10 (resource)", True),
        ([licence(unlimited=True, used=99)], "99", False),
        ([licence(limit=None)], "5", False),
        ([licence(used=None)], "", False),
    ],
)
def test_the_scarcest_licence_is_shown(
    licences: list[Licence] | None,
    text: str,
    is_short: bool,  # noqa: FBT001 - a parameter
) -> None:
    found = licence_use(customer(1, licences=licences))
    assert (text, is_short) == (found.text, found.is_short)


# Markdown

NASTY = st.text(alphabet=st.sampled_from("`|\\@#<>[]()*_~ ab"), max_size=200)


def cells(line: str) -> list[str]:
    """Return the cells of a row as GitHub finds them: an escaped bar does not end a cell if its escape counts."""
    found = re.findall(r"((?:\\[\\|#@<>()*_~`\[\]]|[^|])*)\|", line)[1:]
    return [cell.strip().replace("\\|", "|") for cell in found]


def code(cell: str) -> str | None:
    """Return the content of a cell that is one code span; None if it is something else (CommonMark 0.31, 6.1)."""
    span = re.fullmatch(r"(`+)(.*[^`]|[^`])\1", cell)
    if span is None or re.search(rf"(?<!`){span[1]}(?!`)", span[2]):
        return None
    return span[2]


@given(NASTY)
def test_a_name_is_code_in_markdown_whatever_it_holds(name: str) -> None:
    row = as_markdown(report(customer(1, name or None, licences=[]))).splitlines()[-1]
    found = cells(row)
    assert 7 == len(found)
    content = code(found[0])
    assert content is not None
    expected = re.sub(r"(\\+)\|", lambda bars: rf"{bars[1]}\u007c", name or "Customer 1")
    assert expected.strip() == content.strip()


def test_markdown_has_each_part() -> None:
    text = as_markdown(with_earlier(replace(full_report(3), created_at=LATER), report(customer(0, kinds=[kind(1, 1)]))))
    assert ["Changes", "Drift", "Unreadable parts", "Customers"] == re.findall("^## (.*)$", text, re.MULTILINE)
    assert ["`Customer 3`", "unknown", "", "", "", "`unknown`", "unknown"] == cells(
        [line for line in text.splitlines() if line.startswith("| `Customer 3`")][-1]
    )


def test_markdown_of_many_customers_is_cut_and_says_how_many_are_left_out() -> None:
    text = as_markdown(full_report(3000))
    assert len(text) <= MAX_CHARACTERS
    rows = len(re.findall(r"^\| `Customer \d+`", text, re.MULTILINE))
    assert re.search(rf"^{3000 - rows:,} of 3,000 customers are left out", text, re.MULTILINE)
    assert rows > 500


def test_each_part_of_markdown_is_cut_so_that_customers_are_shown() -> None:
    long = "`|\u2028" * 60
    many = [f"{long}{number}" for number in range(2000)]
    before = report(*(customer(number, f"{long}{number}", kinds=[kind(9, 1)]) for number in range(2000)))
    after = report(*(customer(number, f"{long}{number}", kinds=[kind(9, 2)]) for number in range(2000)))
    text = as_markdown(replace(with_earlier(replace(after, created_at=LATER), before), unseen=many))
    assert len(text) <= MAX_CHARACTERS
    assert 2 == len(re.findall("more lines are left out", text))
    assert re.search("customers are left out", text)
    assert re.search(r"^## Customers", text, re.MULTILINE)
