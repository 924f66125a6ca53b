"""The names of stacks and files."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pulumi_dataprotection.adoption.naming import slugs

# https://github.com/pulumi/pulumi/blob/v3.200.0/sdk/go/common/tokens/names.go: the names that Pulumi allows.
PORTABLE = re.compile(r"[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?")
RESERVED = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))}

names = st.one_of(
    st.text(max_size=80),
    st.text(st.characters(exclude_categories=())),
    st.sampled_from(["", "Contoso", "contoso", "CONTOSO", "..", "/", "-", "con", "Nul", "COM1.txt", "a" * 300, "🚀"]),
)
estates = st.dictionaries(st.text(st.characters(exclude_categories=()), max_size=8), st.none() | names, max_size=12)


@given(estates)
@example({"1": "a" * 300, "2": "a" * 301, "3": "A" * 64})
def test_slugs_are_portable_and_different(estate: dict[str, str | None]) -> None:
    chosen = slugs(estate)
    assert [*estate] == [*chosen]
    assert len({*chosen.values()}) == len(estate)
    assert all(PORTABLE.fullmatch(slug) and slug not in RESERVED for slug in chosen.values())


@given(estates, st.text(max_size=8), names)
def test_a_newcomer_changes_no_slug_that_is_kept(estate: dict[str, str | None], id: str, name: str) -> None:
    before = slugs(estate)
    after = slugs({**estate, id: name}, before)
    assert before == {known: after[known] for known in before}
    assert len({*after.values()}) == len(after)


@given(estates)
def test_the_order_of_the_names_does_not_matter(estate: dict[str, str | None]) -> None:
    assert slugs(estate) == slugs(dict(reversed(estate.items())))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Contoso", "contoso"),
        ("Müller & Söhne GmbH", "muller-sohne-gmbh"),
        ("Straße 5", "strasse-5"),
        ("Łódź / Kraków", "lodz-krakow"),
        ("../../etc/passwd", "etc-passwd"),
        ("Marketing 🚀", "marketing-rocket"),
        ("Ёлка", "elka"),
        ("a\nb", "a-b"),
        ("", "org-1"),
        (None, "org-1"),
        ("...", "org-1"),
        ("x" * 300, "x" * 64),
    ],
)
def test_a_slug_reads_like_the_name(name: str | None, expected: str) -> None:
    assert slugs({"org-1": name}) == {"org-1": expected}


def test_the_second_of_a_name_gets_a_suffix_that_does_not_depend_on_others() -> None:
    two = slugs({"org-1": "Contoso", "org-2": "CONTOSO"})
    assert two["org-1"] == "contoso"
    assert re.fullmatch(r"contoso-[0-9a-f]{6}", two["org-2"])
    assert two == {
        id: slug
        for id, slug in slugs({"org-1": "Contoso", "org-2": "CONTOSO", "org-3": "contoso"}).items()
        if id != "org-3"
    }


def test_a_name_that_windows_reserves_gets_a_suffix() -> None:
    assert re.fullmatch(r"con-[0-9a-f]{6}", slugs({"org-1": "CON"})["org-1"])


def test_a_kept_slug_of_a_customer_who_left_is_not_reused() -> None:
    assert slugs({"org-2": "Contoso"}, {"org-1": "contoso"})["org-2"] != "contoso"
