"""References to items and policies: never a guess, never a near match, as in a small model of the grammar."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pulumi_dataprotection.client import same_text
from pulumi_dataprotection.client.cache.references import Policies, ResourceIndex
from pulumi_dataprotection.client.errors import (
    AmbiguousReferenceError,
    ReferenceNotFoundError,
    UnresolvedReferenceError,
)
from pulumi_dataprotection.client.records import Policy, Resource

JANE = Resource(id="r-jane", external_id="usr-1", name="Jane.Doe@contoso.example", kind="office_user", archived=False)
DRIVE = Resource(id="r-drive", external_id="ACME/West", name="Marketing 🚀", kind="office_teamdrive", archived=False)
JOSE = Resource(id="r-jose", external_id="usr-2", name="josé.garcía@contoso.example", kind="office_user")
NAMELESS = Resource(id="r-nameless", kind="office_user")
STREET = Resource(id="r-street", name="Königstraße", kind="office_teamdrive")
ODD = Resource(id="ext$odd", external_id="usr-3", name="odd", kind="office_user")
NAMED_AS_AN_ID = Resource(id="r-other", external_id="usr-4", name="r-jane", kind="office_user")
EXTERNAL_AS_AN_ID = Resource(id="r-another", external_id="odd", name="another", kind="office_user")
COMPOSED = Resource(id="r-composed", name="\u1fb3\u0323")
LEFT = Resource(id="r-left", name="left@contoso.example", archived=True)
# The archived twins stand before and after the living items.
OLD_JANE = Resource(id="r-old-jane", name=JANE.name, archived=True)
OLD_DRIVE = Resource(id="r-old-drive", name=DRIVE.name, archived=True)
TWINS = [Resource(id=f"r-{name}", name=name, kind="k") for name in ("Sales", "sales")]
OLD_TWINS = [Resource(id=f"r-{n}", name="a", kind="k", archived=True) for n in (1, 2)]
EXTERNAL_TWINS = [Resource(id=f"r-{n}", external_id="e", kind="k") for n in (3, 4)]

LIVING = [COMPOSED, JANE, DRIVE, JOSE, NAMELESS, STREET, ODD, NAMED_AS_AN_ID, EXTERNAL_AS_AN_ID]
INDEX = ResourceIndex("t-1", [OLD_JANE, *LIVING, OLD_DRIVE, LEFT, *TWINS, *OLD_TWINS, *EXTERNAL_TWINS])

GOLD = Policy(id="p-gold", name="Gold")
GOLD_PLUS = Policy(id="p-gold-plus", name="Gold Plus")
NO_NAME = Policy(id="p-0")
UMLAUT = Policy(id="p-1", name="Säule")
NAMED_AS_A_POLICY = Policy(id="p-5", name="p-gold")
POLICIES = [GOLD_PLUS, GOLD, Policy(id="p-gold-2", name="gold"), NO_NAME, NAMED_AS_A_POLICY, UMLAUT]


def found(policies: Sequence[Policy], reference: str, known_id: str | None = None, *, follow: bool = True) -> Policy:
    return Policies("t-1", lambda: [*policies]).find(reference, known_id, follow=follow)


def decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


@pytest.mark.parametrize(
    ("reference", "resource"),
    [
        ("r-jane", JANE),
        ("r-nameless", NAMELESS),
        ("ext$usr-1", JANE),
        ("ext$ACME/West", DRIVE),
        ("ext$odd", ODD),
        ("Jane.Doe@contoso.example", JANE),
        ("jane.doe@CONTOSO.example", JANE),
        ("r-old-jane", OLD_JANE),
        ("marketing 🚀", DRIVE),
        ("left@contoso.example", LEFT),
        ("josé.garcía@contoso.example", JOSE),
        (decomposed("josé.garcía@contoso.example"), JOSE),
        (decomposed("JOSÉ.GARCÍA@contoso.example"), JOSE),
        ("KÖNIGSTRASSE", STREET),
        # The case is folded in the decomposed form.
        ("\u03b1\u0323\u03b9", COMPOSED),
    ],
)
def test_a_reference_means_one_resource(reference: str, resource: Resource) -> None:
    assert resource is INDEX.find(reference)


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "r-jan",
        "ext$",
        "ext$USR-1",
        "ext$r-jane",
        "usr-1",
        "jane.doe",
        "jose.garcia@contoso.example",
        "None",
        "\u03b1\u03b9\u0323",
    ],
)
def test_a_near_match_is_an_error_with_the_reference_and_the_tenant(reference: str) -> None:
    with pytest.raises(ReferenceNotFoundError) as caught:
        INDEX.find(reference)
    assert [] == [name for name in (f'"{reference}"', "t-1") if name not in str(caught.value)]


@pytest.mark.parametrize(("reference", "candidates"), [("SALES", TWINS), ("a", OLD_TWINS), ("ext$e", EXTERNAL_TWINS)])
def test_a_reference_of_several_resources_is_an_error_with_their_kinds_and_ids(
    reference: str, candidates: list[Resource]
) -> None:
    with pytest.raises(AmbiguousReferenceError) as caught:
        INDEX.find(reference)
    names = [f'"{reference}"', "t-1", ", ".join(f"k {resource.id}" for resource in candidates)]
    assert [] == [name for name in names if name not in str(caught.value)]


@pytest.mark.parametrize(
    ("reference", "known_id", "follow", "policy"),
    [
        ("p-gold", None, True, GOLD),
        ("Gold", None, True, GOLD),
        ("Gold Plus", None, True, GOLD_PLUS),
        ("p-0", None, True, NO_NAME),
        (decomposed("Säule"), None, True, UMLAUT),
        ("Gold", "p-gold-plus", True, GOLD),
        ("Gold", "p-gold-plus", False, GOLD_PLUS),
        ("Gold", "p-gone", True, GOLD),
        ("Gold", "p-gone", False, GOLD),
        ("Renamed", "p-gold", True, GOLD),
    ],
)
def test_a_reference_means_one_policy_and_passes_on_only_to_another_policy_of_that_name(
    reference: str, known_id: str | None, *, follow: bool, policy: Policy
) -> None:
    assert policy is found(POLICIES, reference, known_id, follow=follow)


@pytest.mark.parametrize(
    ("id", "expected"),
    [("p-gold", '"Gold" (p-gold)'), ("p-0", "p-0"), ("p-gone", "p-gone")],
    ids=["named", "not", "gone"],
)
def test_the_label_of_a_policy_has_its_name_and_its_id(id: str, expected: str) -> None:
    assert expected == Policies("t-1", lambda: POLICIES).label(id)


@pytest.mark.parametrize(
    ("policies", "known"),
    [([GOLD, GOLD_PLUS, NO_NAME], '"Gold" (p-gold), "Gold Plus" (p-gold-plus), p-0'), ([], ": none")],
    ids=["policies", "none"],
)
@pytest.mark.parametrize("reference", ["", "GOLD", "Gol", "Gold ", "P-GOLD", "None"])
def test_an_unknown_policy_is_an_error_with_all_policies(policies: list[Policy], known: str, reference: str) -> None:
    with pytest.raises(ReferenceNotFoundError) as caught:
        found(policies, reference, "p-gone")
    assert [] == [name for name in (f'"{reference}"', "t-1", known) if name not in str(caught.value)]


def test_a_name_of_several_policies_is_an_error_with_their_ids() -> None:
    with pytest.raises(AmbiguousReferenceError) as caught:
        found([GOLD, Policy(id="p-2", name="Gold")], "Gold")
    assert [] == [name for name in ('"Gold"', "t-1", "p-gold, p-2") if name not in str(caught.value)]


Verdict = str | type[UnresolvedReferenceError]

# Few letters, so that texts collide: with themselves, in another case, and in another Unicode form.
FEW = st.text("aAbB$ ", max_size=2) | st.text("eE\u0301\u00e9\u00c9\u00df\u1e9esS\u03c3\u03c2", max_size=2)
ALL = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
TEXTS = FEW | FEW.map("ext${}".format) | st.sampled_from(["ext$", "ext$ext$a", "EXT$a", "ext", "xt$a"]) | ALL
IDS = st.integers(1, 20).map("r-{}".format)

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


@st.composite
def records_and_reference(draw: st.DrawFn, kind: type[Resource] | type[Policy]) -> tuple[list[Any], str]:
    """Draw the records of a tenant, and a reference that is a record's id or name, or similar to it."""
    # Records and references come from a few texts, unchanged or respelled.
    few = st.sampled_from(draw(st.lists(TEXTS, min_size=1, max_size=3)))
    texts = few | few | st.builds(respelled, few, st.sampled_from(RESPELLINGS))
    fields = {"id": IDS | IDS | texts, "name": st.none() | texts}
    if kind is Resource:
        fields |= {"external_id": st.none() | texts, "archived": st.sampled_from([None, False, True])}
    records: st.SearchStrategy[Any] = st.builds(kind, **fields)
    return draw(st.lists(records, max_size=7, unique_by=lambda record: record.id)), draw(texts)


def canonical(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def caseless(text: str) -> str:
    # Canonical caseless matching: the Unicode Standard, D145.
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


def find_resource(resources: Sequence[Resource], reference: str) -> Resource:
    return ResourceIndex("t-1", resources).find(reference)


class Kind(NamedTuple):
    """One kind of records: the class, the model of its references, and the function that finds a record."""

    record: type[Resource] | type[Policy]
    meant: Callable[[Sequence[Any], str], list[str]]
    find: Callable[[Sequence[Any], str], Resource | Policy]

    def found(self, records: Sequence[Any], reference: str) -> Verdict:
        """Return the id of the record, or the class of the error."""
        try:
            return self.find(records, reference).id
        except UnresolvedReferenceError as error:
            return type(error)


RESOURCE = Kind(Resource, resources_meant, find_resource)
POLICY = Kind(Policy, policies_meant, found)

each_kind = pytest.mark.parametrize("kind", [RESOURCE, POLICY], ids=["resources", "policies"])


def references_to(record: Any) -> Iterator[str]:  # noqa: ANN401 - of any kind
    name, external_id = record.name, getattr(record, "external_id", None)
    yield record.id
    if name:
        yield from (name, name.swapcase())
    if external_id:
        yield f"ext${external_id}"


@pytest.mark.parametrize("kind", [RESOURCE, POLICY], ids=["resources", "policies"])
@settings(max_examples=300)
@given(data=st.data())
def test_each_reference_has_the_meaning_of_the_grammar_in_any_order_of_the_records(
    data: st.DataObject, kind: Kind
) -> None:
    records, drawn = data.draw(records_and_reference(kind.record))
    shuffled = data.draw(st.permutations(records))
    for reference in (drawn, *(text for record in records for text in references_to(record))):
        expected = verdict(kind.meant(records, reference))
        assert [expected] * 2 == [kind.found(records, reference), kind.found(shuffled, reference)]


@given(one=TEXTS, other=TEXTS, spelling=st.sampled_from(RESPELLINGS))
def test_texts_are_the_same_exactly_if_they_are_canonically_equivalent(
    one: str, other: str, spelling: Callable[[str], str]
) -> None:
    for text in (other, spelling(one)):
        assert (canonical(one) == canonical(text)) == same_text(one, text)
    assert (True, one == "") == (same_text(None, ""), same_text(None, one))
