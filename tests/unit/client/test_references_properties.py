"""What a reference means in any estate, compared with a small model of the grammar."""

import unicodedata
from collections.abc import Callable, Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pulumi_dataprotection.client import same_text
from pulumi_dataprotection.client.cache.references import Policies, ResourceIndex
from pulumi_dataprotection.client.errors import (
    AmbiguousReferenceError,
    ReferenceNotFoundError,
    UnresolvedReferenceError,
)
from pulumi_dataprotection.client.records import Policy, Resource

Verdict = str | type[UnresolvedReferenceError]

# Few letters, so that texts collide: with themselves, in another case, and in another Unicode form.
FEW = st.text("aAbB$ ", max_size=2) | st.text("eE\u0301\u00e9\u00c9\u00df\u1e9esS\u03c3\u03c2", max_size=2)
ALL = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
TEXTS = FEW | FEW.map("ext${}".format) | st.sampled_from(["ext$", "ext$ext$a", "EXT$a", "ext", "xt$a"]) | ALL
IDS = st.integers(1, 20).map("r-{}".format)
ASCII = st.text("abXY.@ 1", min_size=1, max_size=5)

RESPELLINGS: list[Callable[[str], str]] = [
    str,
    str.upper,
    str.lower,
    str.swapcase,
    str.strip,
    "ext${}".format,
    "{} ".format,
    "{}\u0301".format,
    lambda text: text[:-1],
    lambda text: text[1:],
    lambda text: text.removeprefix("ext$"),
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: unicodedata.normalize("NFC", text),
    lambda text: unicodedata.normalize("NFKC", text),
]


def respelled(text: str, respell: Callable[[str], str]) -> str:
    return respell(text)


def spellings(draw: st.DrawFn) -> st.SearchStrategy[str]:
    """Choose a few texts, from which the records and references of an example come, respelled or as they are."""
    few = st.sampled_from(draw(st.lists(TEXTS, min_size=1, max_size=3)))
    return few | few | st.builds(respelled, few, st.sampled_from(RESPELLINGS))


@st.composite
def resources_and_reference(draw: st.DrawFn) -> tuple[list[Resource], str]:
    """Think of the resources of a tenant, and of a reference to one of them, or nearly so."""
    texts = spellings(draw)
    records = st.builds(
        Resource,
        id=IDS | IDS | texts,
        external_id=st.none() | texts,
        name=st.none() | texts,
        archived=st.sampled_from([None, False, True]),
    )
    return draw(st.lists(records, max_size=7, unique_by=lambda record: record.id)), draw(texts)


@st.composite
def policies_and_reference(draw: st.DrawFn) -> tuple[list[Policy], str]:
    """Think of the policies of a tenant, and of a reference to one of them, or nearly so."""
    texts = spellings(draw)
    records = st.builds(Policy, id=IDS | IDS | texts, name=st.none() | texts)
    return draw(st.lists(records, max_size=6, unique_by=lambda record: record.id)), draw(texts)


thoroughly = settings(max_examples=300)

RESOURCES = resources_and_reference().map(lambda drawn: drawn[0])


def canonical(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def caseless(text: str) -> str:
    # Canonical caseless matching, as the Unicode Standard defines it (D145).
    return canonical(canonical(text).casefold())


def resources_meant(resources: Sequence[Resource], reference: str) -> list[str]:
    if any(resource.id == reference for resource in resources):
        return [reference]
    if reference.startswith("ext$"):
        return [one.id for one in resources if one.external_id and f"ext${one.external_id}" == reference]
    named = [one for one in resources if one.name and caseless(one.name) == caseless(reference)]
    living = [one for one in named if one.archived is not True]
    return [one.id for one in living or named]


def policies_meant(policies: Sequence[Policy], reference: str) -> list[str]:
    if any(policy.id == reference for policy in policies):
        return [reference]
    return [policy.id for policy in policies if policy.name and canonical(policy.name) == canonical(reference)]


def verdict(meant: Sequence[str]) -> Verdict:
    if not meant:
        return ReferenceNotFoundError
    return meant[0] if len(meant) == 1 else AmbiguousReferenceError


def resource_found(resources: Sequence[Resource], reference: str) -> Verdict:
    try:
        return ResourceIndex("t-1", resources).find(reference).id
    except UnresolvedReferenceError as error:
        return type(error)


def policy_found(policies: Sequence[Policy], reference: str) -> Verdict:
    try:
        return Policies("t-1", lambda: [*policies]).find(reference).id
    except UnresolvedReferenceError as error:
        return type(error)


@thoroughly
@given(drawn=resources_and_reference())
def test_a_reference_means_the_resource_that_the_grammar_says(drawn: tuple[list[Resource], str]) -> None:
    assert verdict(resources_meant(*drawn)) == resource_found(*drawn)


@thoroughly
@given(drawn=policies_and_reference())
def test_a_reference_means_the_policy_that_the_grammar_says(drawn: tuple[list[Policy], str]) -> None:
    assert verdict(policies_meant(*drawn)) == policy_found(*drawn)


@given(drawn=resources_and_reference())
def test_the_exact_id_of_a_resource_always_wins(drawn: tuple[list[Resource], str]) -> None:
    resources, _ = drawn
    expected = [resource.id for resource in resources]
    assert expected == [resource_found(resources, resource.id) for resource in resources]


@given(drawn=policies_and_reference())
def test_the_exact_id_of_a_policy_always_wins(drawn: tuple[list[Policy], str]) -> None:
    policies, _ = drawn
    expected = [policy.id for policy in policies]
    assert expected == [policy_found(policies, policy.id) for policy in policies]


@given(data=st.data(), drawn=resources_and_reference())
def test_the_order_of_the_resources_does_not_matter(data: st.DataObject, drawn: tuple[list[Resource], str]) -> None:
    resources, reference = drawn
    shuffled = data.draw(st.permutations(resources))
    assert resource_found(resources, reference) == resource_found(shuffled, reference)


@given(data=st.data(), drawn=policies_and_reference())
def test_the_order_of_the_policies_does_not_matter(data: st.DataObject, drawn: tuple[list[Policy], str]) -> None:
    policies, reference = drawn
    shuffled = data.draw(st.permutations(policies))
    assert policy_found(policies, reference) == policy_found(shuffled, reference)


@given(external_id=TEXTS.filter(bool), resources=RESOURCES)
def test_an_external_id_that_one_resource_has_finds_it(external_id: str, resources: list[Resource]) -> None:
    wanted = Resource(id="the one", external_id=external_id)
    taken = {text for one in resources for text in (one.external_id, one.id.removeprefix("ext$"), one.id)}
    assume(external_id not in taken and wanted.id not in taken)
    assert wanted.id == resource_found([*resources, wanted], f"ext${external_id}")


@given(name=ASCII, spelling=st.sampled_from([str.upper, str.lower, str.swapcase, str.title]), resources=RESOURCES)
def test_a_name_that_one_resource_has_finds_it_in_any_case(
    name: str, spelling: Callable[[str], str], resources: list[Resource]
) -> None:
    wanted = Resource(id="the one", name=name)
    others = [one for one in resources if name.lower() != (one.name or "").lower()]
    assume(spelling(name) not in {one.id for one in others})
    assert wanted.id == resource_found([*others, wanted], spelling(name))


@given(name=ASCII, spelling=st.sampled_from([str.upper, str.lower, str.swapcase]), resources=RESOURCES)
def test_a_name_that_several_living_resources_have_means_none(
    name: str, spelling: Callable[[str], str], resources: list[Resource]
) -> None:
    twins = [Resource(id="one twin", name=name), Resource(id="another twin", name=spelling(name))]
    assume(name not in {one.id for one in resources})
    assert AmbiguousReferenceError is resource_found([*resources, *twins], name)


@given(name=ASCII, others=st.lists(st.sampled_from([str.upper, str.lower, str.title]), max_size=3), data=st.data())
def test_the_one_living_resource_of_a_name_comes_before_archived_ones(
    name: str, others: list[Callable[[str], str]], data: st.DataObject
) -> None:
    living = Resource(id="living", name=name, archived=data.draw(st.sampled_from([None, False])))
    archived = [Resource(id=f"archived {n}", name=other(name), archived=True) for n, other in enumerate(others)]
    assert living.id == resource_found(data.draw(st.permutations([living, *archived])), name)


@pytest.mark.parametrize(
    ("name", "reference", "found"),
    [
        ("\u1fb3\u0323", "\u03b1\u0323\u03b9", "r-1"),
        ("\u1fb3\u0323", "\u03b1\u03b9\u0323", ReferenceNotFoundError),
    ],
)
def test_cases_are_folded_in_the_decomposed_form(name: str, reference: str, found: Verdict) -> None:
    assert found == resource_found([Resource(id="r-1", name=name)], reference)


@given(one=TEXTS, other=TEXTS, spelling=st.sampled_from(RESPELLINGS))
def test_texts_are_the_same_exactly_if_unicode_takes_them_for_equivalent(
    one: str, other: str, spelling: Callable[[str], str]
) -> None:
    for text in (other, spelling(one)):
        assert (canonical(one) == canonical(text)) == same_text(one, text)
