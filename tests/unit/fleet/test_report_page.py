"""The page of a report in a real browser: its rows, its sorting and searching, and no request to elsewhere."""

import re
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, sync_playwright

from pulumi_dataprotection.fleet.report.html import as_html
from pulumi_dataprotection.fleet.report.model import Report
from pulumi_dataprotection.fleet.report.parts import Change
from support import HANG
from support.fleet.reports import customer, full_report, report

MARKUP = [
    "<script>document.title = 'taken'</script>",
    '"><img src=x onerror="document.title=\'taken\'">',
    "</title></style></script><h1>taken</h1>",
    "{{ 7 * 7 }} {% raw %}",
    "&lt;b&gt; & \N{PILE OF POO} \u202eabc",
    "<svg/onload=alert(1)>",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return the system's Chromium."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium on PATH")
    # A container without user namespaces has no sandbox.
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except Error as error:
            pytest.skip(f"the system's Chromium does not start: {error}")
        yield browser
        browser.close()


class Visit:
    """A page in the browser, and what happened on it."""

    def __init__(self, browser: Browser, folder: Path, shown: Report, **options: str) -> None:
        self.file = folder / "report.html"
        self.file.write_text(as_html(shown), encoding="utf-8")
        self.page: Page = browser.new_page(**options)  # type: ignore[arg-type]  # options of a page
        self.messages: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.set_default_timeout(HANG * 1000)
        self.page.goto(self.file.as_uri())

    def column(self, heading: str) -> list[str]:
        """Return the texts of a column of the visible rows, without details."""
        headings = self.page.locator("#customers thead th").all_inner_texts()
        number = headings.index(heading) + 1
        cells = self.page.locator(f"#customers tbody tr:visible > :nth-child({number})")
        return [text.split("\n")[0].strip() for text in cells.all_inner_texts()]

    def sort(self, heading: str) -> str | None:
        """Press the button of a heading with the keyboard, and return the direction."""
        button = self.page.get_by_role("button", name=heading, exact=True)
        button.focus()
        self.page.keyboard.press("Enter")
        return self.page.locator("#customers th", has=button).get_attribute("aria-sort")

    def assert_quiet(self) -> None:
        """Assert that the console is empty, and that the page has made no request."""
        assert [] == self.messages
        assert {self.file.as_uri()} == {url for url in self.requests if not url.startswith("data:")}


def numbers(texts: list[str]) -> list[float]:
    return [float(re.sub(r"[^\d.]", "", text) or -1) for text in texts]


@pytest.fixture(scope="module")
def visit(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Visit:
    """Return the page of 30 customers, one of whom cannot be read."""
    return Visit(browser, tmp_path_factory.mktemp("page"), full_report(30))


def test_each_customer_has_a_row_and_nothing_is_requested(visit: Visit) -> None:
    assert {f"Customer {number}" for number in (*range(29), 30)} == {
        name.removesuffix(" not complete") for name in visit.column("Customer")
    }
    assert "Customer 30 not complete" == visit.column("Customer")[0]
    visit.assert_quiet()


@pytest.mark.parametrize("heading", ["Coverage", "Items", "By code", "Not protected", "Failed tasks"])
def test_a_heading_sorts_by_numbers_and_in_both_directions(visit: Visit, heading: str) -> None:
    # The page may be sorted by this heading already.
    found = {visit.sort(heading): numbers(visit.column(heading)) for _ in range(2)}
    assert {"ascending", "descending"} == found.keys()
    assert sorted(found["ascending"]) == found["ascending"]
    assert sorted(found["descending"], reverse=True) == found["descending"]
    assert 1 == visit.page.locator("#customers th[aria-sort]").count()
    visit.assert_quiet()


def test_names_are_sorted_as_people_sort_them(visit: Visit) -> None:
    assert "ascending" == visit.sort("Customer")
    assert ["Customer 0", "Customer 1", "Customer 2"] == visit.column("Customer")[:3]
    assert "descending" == visit.sort("Customer")
    assert "Customer 0" == visit.column("Customer")[-1]


def test_a_search_shows_the_rows_with_the_text_and_says_how_many(visit: Visit) -> None:
    search = visit.page.get_by_label("Search")
    search.fill("organization 7")
    assert ["Customer 7"] == visit.column("Customer")
    assert "1 of 30 customers" == visit.page.get_by_role("status").inner_text()
    search.fill("@customer-7.example")
    assert ["Customer 7"] == visit.column("Customer"), "the names of unprotected items are found"
    search.fill("")
    assert 30 == len(visit.column("Customer"))
    visit.assert_quiet()


AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_keeps_the_rules_of_accessibility(browser: Browser, tmp_path: Path, scheme: str) -> None:
    visit = Visit(browser, tmp_path, full_report(3), color_scheme=scheme)
    visit.page.evaluate(AXE)
    found = visit.page.evaluate("axe.run()")
    assert [] == [(rule["id"], [node["target"] for node in rule["nodes"]]) for rule in found["violations"]]
    assert {"aria-allowed-attr", "button-name", "color-contrast", "heading-order", "label", "svg-img-alt"} <= {
        rule["id"] for part in ("passes", "incomplete") for rule in found[part]
    }
    page = visit.page
    assert 0 == page.locator("table:not(:has(caption))").count()
    assert 0 == page.locator("thead th:not([scope=col]), tbody th:not([scope=row])").count()
    bars, trends = page.locator("svg.bar:has(title)"), page.locator("svg.trend:has(title):has(desc)")
    # Of the sum, and of each customer that could be read.
    assert (3, 1) == (bars.count(), trends.count())
    page.close()


# The ratio of contrast that WCAG 2.2 asks for in texts (1.4.3) and in graphics (1.4.11).
CONTRAST = """
(scheme) => {
  const style = getComputedStyle(document.documentElement);
  const light = (name) => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = style.getPropertyValue(name).trim();
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const names = ["--text", "--quiet", "--link", "--alert", "--code", "--portal", "--bare", "--excluded"];
  return Object.fromEntries(names.map((name) => [name, Math.min(ratio(name, "--back"), ratio(name, "--raised"))]));
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("media", ["screen", "print"])
def test_texts_and_pictures_have_contrast(browser: Browser, tmp_path: Path, scheme: str, media: str) -> None:
    visit = Visit(browser, tmp_path, full_report(3), color_scheme=scheme)
    visit.page.emulate_media(media=media)  # type: ignore[arg-type]  # one of its words
    found: dict[str, float] = visit.page.evaluate(CONTRAST)
    assert [] == [name for name in ("--text", "--quiet", "--link", "--alert") if found[name] < 4.5]
    assert [] == [name for name in ("--code", "--portal", "--bare", "--excluded") if found[name] < 3]
    assert (media == "screen") == visit.page.locator("#search").is_visible()
    visit.page.close()


def test_names_with_markup_stay_text(browser: Browser, tmp_path: Path) -> None:
    hostile = [
        customer(number, name, org_name=name, unprotected=[name], stacks=[name], problems=[name])
        for number, name in enumerate(MARKUP)
    ]
    changes = [Change(label=name, subject="new customer", before=None, after=1) for name in MARKUP]
    shown = report(*hostile, unseen=MARKUP, ended_early=MARKUP[0], since="2026-11-28T04:00:00Z", changes=changes)
    visit = Visit(browser, tmp_path, shown)
    assert "Backup report of 2026-11-29" == visit.page.title()
    assert 1 == visit.page.locator("h1").count()
    assert 0 == visit.page.locator("img").count()
    assert 1 == visit.page.locator("script").count()
    assert {name.replace("\u202e", "") for name in MARKUP} == {
        name.removesuffix(" not complete").replace("\u202e", "") for name in visit.column("Customer")
    }
    visit.assert_quiet()
    visit.page.close()


def test_the_policy_of_the_page_forbids_requests_and_other_scripts(browser: Browser, tmp_path: Path) -> None:
    visit = Visit(browser, tmp_path, report(customer(1)))
    loaded = visit.page.evaluate("fetch('https://example.org/').then(() => 'loaded', () => 'refused')")
    added = visit.page.evaluate(
        "() => { const one = document.createElement('script'); one.text = 'document.title = \"taken\"'; "
        "document.body.append(one); return document.title; }"
    )
    assert ("refused", "Backup report of 2026-11-29") == (loaded, added)
    assert [] == [url for url in visit.requests if not url.startswith(("file:", "data:"))]
    visit.page.close()


@pytest.mark.parametrize("count", [1, 1000])
def test_the_page_of_any_number_of_customers_is_below_5_mb(browser: Browser, tmp_path: Path, count: int) -> None:
    visit = Visit(browser, tmp_path, full_report(count))
    assert visit.file.stat().st_size < 5_000_000
    assert count == visit.page.locator("#customers tbody tr").count()
    assert "descending" == visit.sort("Coverage")
    found = numbers(visit.column("Coverage"))
    assert sorted(found, reverse=True) == found
    visit.assert_quiet()
    visit.page.close()
