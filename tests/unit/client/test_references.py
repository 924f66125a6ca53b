"""References to items and policies: never a guess, never a near match."""

import unicodedata
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.client import same_text
from pulumi_dataprotection.client.cache.references import Policies, ResourceIndex
from pulumi_dataprotection.client.errors import AmbiguousReferenceError, ReferenceNotFoundError
from pulumi_dataprotection.client.records import Policy, Resource
from support.resources.servicer import assert_names

JANE = Resource(id="r-jane", external_id="usr-1", name="Jane.Doe@contoso.example", kind="office_user", archived=False)
DRIVE = Resource(id="r-drive", external_id="ACME/West", name="Marketing 🚀", kind="office_teamdrive", archived=False)
JOSE = Resource(id="r-jose", external_id="usr-2", name="josé.garcía@contoso.example", kind="office_user")
NAMELESS = Resource(id="r-nameless", kind="office_user")
STREET = Resource(id="r-street", name="Königstraße", kind="office_teamdrive")
ODD = Resource(id="ext$odd", external_id="usr-3", name="odd", kind="office_user")
NAMED_AS_AN_ID = Resource(id="r-other", external_id="usr-4", name="r-jane", kind="office_user")
EXTERNAL_AS_AN_ID = Resource(id="r-another", external_id="odd", name="another", kind="office_user")
COMPOSED = Resource(id="r-composed", name="\u1fb3\u0323")
# No external id, but names with its prefix.
PREFIXED = Resource(id="r-prefixed", external_id="", name="ext$usr-9")
LEFT = Resource(id="r-left", name="left@contoso.example", archived=True)
# The archived twins stand before and after the living items.
OLD_JANE = Resource(id="r-old-jane", name=JANE.name, archived=True)
OLD_DRIVE = Resource(id="r-old-drive", name=DRIVE.name, archived=True)
TWINS = [Resource(id=f"r-{name}", name=name, kind="k") for name in ("Sales", "sales")]
OLD_TWINS = [Resource(id=f"r-{n}", name="a", kind="k", archived=True) for n in (1, 2)]
EXTERNAL_TWINS = [Resource(id=f"r-{n}", external_id="e", kind="k") for n in (3, 4)]

LIVING = [COMPOSED, PREFIXED, JANE, DRIVE, JOSE, NAMELESS, STREET, ODD, NAMED_AS_AN_ID, EXTERNAL_AS_AN_ID]
RESOURCES = [OLD_JANE, *LIVING, OLD_DRIVE, LEFT, *TWINS, *OLD_TWINS, *EXTERNAL_TWINS]
INDEX = ResourceIndex("t-1", RESOURCES)

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
def test_a_reference_means_one_resource_in_any_order_of_the_list(reference: str, resource: Resource) -> None:
    assert resource is INDEX.find(reference) is ResourceIndex("t-1", reversed(RESOURCES)).find(reference)


@pytest.mark.parametrize(
    "reference",
    [
        *("", "r-jan", "usr-1", "None", "jane.doe", "jose.garcia@contoso.example", "\u03b1\u03b9\u0323"),
        *("ext$", "ext$USR-1", "ext$usr-9", "ext$r-jane"),
    ],
)
def test_a_near_match_is_an_error_with_the_reference_and_the_tenant(reference: str) -> None:
    with pytest.raises(ReferenceNotFoundError) as caught:
        INDEX.find(reference)
    assert_names(caught.value, f'"{reference}"', "t-1")


@pytest.mark.parametrize(("reference", "candidates"), [("SALES", TWINS), ("a", OLD_TWINS), ("ext$e", EXTERNAL_TWINS)])
def test_an_ambiguous_reference_is_an_error_with_kinds_and_ids(reference: str, candidates: list[Resource]) -> None:
    with pytest.raises(AmbiguousReferenceError) as caught:
        INDEX.find(reference)
    assert_names(caught.value, f'"{reference}"', "t-1", ", ".join(f"k {resource.id}" for resource in candidates))


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
    assert_names(caught.value, f'"{reference}"', "t-1", known)


def test_a_name_of_several_policies_is_an_error_with_their_ids() -> None:
    with pytest.raises(AmbiguousReferenceError) as caught:
        found([GOLD, Policy(id="p-2", name="Gold")], "Gold")
    assert_names(caught.value, '"Gold"', "t-1", "p-gold, p-2")


RESPELLINGS: list[Callable[[str], str]] = [
    str,
    str.swapcase,
    "{}\u0301".format,
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: unicodedata.normalize("NFC", text),
    lambda text: unicodedata.normalize("NFKC", text),
]
TEXTS = st.text("eE\u0301\u00e9\u00c9\u00df\u1e9esS\u03c3\u03c2", max_size=2) | st.text(max_size=6)


@given(one=TEXTS, other=TEXTS, spelling=st.sampled_from(RESPELLINGS))
def test_canonically_equivalent_texts_are_the_same(one: str, other: str, spelling: Callable[[str], str]) -> None:
    for text in (other, spelling(one)):
        assert (decomposed(one) == decomposed(text)) == same_text(one, text)
    assert (True, one == "") == (same_text(None, ""), same_text(None, one))
