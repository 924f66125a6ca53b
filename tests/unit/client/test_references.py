"""How a program names a resource or a policy: never a guess, never a near match."""

import unicodedata

import pytest

from pulumi_dataprotection.client import same_text
from pulumi_dataprotection.client.cache.references import Policies, ResourceIndex
from pulumi_dataprotection.client.errors import AmbiguousReferenceError, ReferenceNotFoundError
from pulumi_dataprotection.client.records import Policy, Resource

JANE = Resource(id="r-jane", external_id="usr-1", name="Jane.Doe@contoso.example", kind="office_user", archived=False)
DRIVE = Resource(id="r-drive", external_id="ACME/West", name="Marketing 🚀", kind="office_teamdrive", archived=False)
JOSE = Resource(id="r-jose", external_id="usr-2", name="josé.garcía@contoso.example", kind="office_user")
NAMELESS = Resource(id="r-nameless", kind="office_user")
STREET = Resource(id="r-street", name="Königstraße", kind="office_teamdrive")
ODD = Resource(id="ext$odd", external_id="usr-3", name="odd", kind="office_user")
NAMED_AS_AN_ID = Resource(id="r-other", external_id="usr-4", name="r-jane", kind="office_user")
EXTERNAL_AS_AN_ID = Resource(id="r-another", external_id="odd", name="another", kind="office_user")

INDEX = ResourceIndex("t-1", [JANE, DRIVE, JOSE, NAMELESS, STREET, ODD, NAMED_AS_AN_ID, EXTERNAL_AS_AN_ID])

GOLD = Policy(id="p-gold", name="Gold")
GOLD_PLUS = Policy(id="p-gold-plus", name="Gold Plus")
NO_NAME = Policy(id="p-0")
POLICIES = [GOLD_PLUS, GOLD, Policy(id="p-gold-2", name="gold"), NO_NAME, Policy(id="p-5", name="p-gold")]


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
        ("marketing 🚀", DRIVE),
        ("josé.garcía@contoso.example", JOSE),
        (decomposed("josé.garcía@contoso.example"), JOSE),
        ("KÖNIGSTRASSE", STREET),
        (decomposed("JOSÉ.GARCÍA@contoso.example"), JOSE),
    ],
)
def test_a_reference_means_one_resource(reference: str, resource: Resource) -> None:
    assert resource is INDEX.find(reference)


@pytest.mark.parametrize(
    "reference",
    [
        "",
        " ",
        "R-DRIVE",
        "r-jan",
        "ext$",
        "ext$USR-1",
        "ext$usr",
        "ext$r-jane",
        "EXT$usr-1",
        "usr-1",
        "jane.doe",
        "jane.doe@contoso.example ",
        "jose.garcia@contoso.example",
        "None",
    ],
)
def test_a_near_match_is_none(reference: str) -> None:
    with pytest.raises(ReferenceNotFoundError) as caught:
        INDEX.find(reference)
    expected = f'no resource "{reference}" in tenant t-1: it is no id, no name, and no ext$ with an external id'
    assert expected == str(caught.value)


@pytest.mark.parametrize("archived_first", [True, False])
def test_a_living_resource_comes_before_its_archived_twin(archived_first: bool) -> None:  # noqa: FBT001 - a table
    gone = Resource(id="r-old", name="jane.doe@contoso.example", archived=True)
    index = ResourceIndex("t-1", [gone, JANE] if archived_first else [JANE, gone])
    assert index.find("jane.doe@contoso.example") is JANE


def test_an_archived_resource_is_found_where_no_living_one_has_its_name() -> None:
    gone = Resource(id="r-old", name="left@contoso.example", archived=True)
    assert ResourceIndex("t-1", [gone]).find("left@contoso.example") is gone


def test_an_archived_twin_is_found_by_its_id() -> None:
    gone = Resource(id="r-old", name=JANE.name, archived=True)
    assert ResourceIndex("t-1", [JANE, gone]).find("r-old") is gone


@pytest.mark.parametrize(
    ("resources", "reference"),
    [
        ([Resource(id="r-1", name="Sales", kind="k1"), Resource(id="r-2", name="sales", kind="k2")], "SALES"),
        (
            [
                Resource(id="r-1", name="a", kind="k1", archived=True),
                Resource(id="r-2", name="a", kind="k2", archived=True),
            ],
            "a",
        ),
        ([Resource(id="r-1", external_id="e", kind="k1"), Resource(id="r-2", external_id="e", kind="k2")], "ext$e"),
    ],
    ids=["names", "archived", "external ids"],
)
def test_of_several_that_match_none_is_taken(resources: list[Resource], reference: str) -> None:
    with pytest.raises(AmbiguousReferenceError) as caught:
        ResourceIndex("t-1", resources).find(reference)
    expected = f'"{reference}" means 2 resources in tenant t-1: k1 r-1, k2 r-2. Use the id of one'
    assert expected == str(caught.value)


@pytest.mark.parametrize(
    ("reference", "policy"), [("p-gold", GOLD), ("Gold", GOLD), ("Gold Plus", GOLD_PLUS), ("p-0", NO_NAME)]
)
def test_a_reference_means_one_policy(reference: str, policy: Policy) -> None:
    assert policy is Policies("t-1", lambda: [*POLICIES]).find(reference)


def test_a_policys_name_may_be_in_another_unicode_form() -> None:
    policy = Policy(id="p-1", name="Säule")
    assert policy is Policies("t-1", lambda: [policy]).find(decomposed("Säule"))


@pytest.mark.parametrize("reference", ["", "GOLD", "Gol", "Gold ", "P-GOLD", "None"])
def test_a_policy_is_named_exactly(reference: str) -> None:
    with pytest.raises(ReferenceNotFoundError) as caught:
        Policies("t-1", lambda: [GOLD, GOLD_PLUS, NO_NAME]).find(reference)
    expected = (
        f'no policy "{reference}" in tenant t-1; there are: "Gold" (p-gold), "Gold Plus" (p-gold-plus), "None" (p-0)'
    )
    assert expected == str(caught.value)


def test_where_there_are_no_policies_the_error_says_so() -> None:
    with pytest.raises(ReferenceNotFoundError, match='no policy "Gold" in tenant t-1; there are: none'):
        Policies("t-1", list).find("Gold")


def test_of_several_policies_of_a_name_none_is_taken() -> None:
    with pytest.raises(AmbiguousReferenceError) as caught:
        Policies("t-1", lambda: [GOLD, Policy(id="p-2", name="Gold")]).find("Gold")
    expected = '"Gold" means 2 policies in tenant t-1: p-gold, p-2. Use the id'
    assert expected == str(caught.value)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("é", decomposed("é"), True),
        ("a", "a", True),
        (None, None, True),
        (None, "", True),
        ("a", "A", False),
        ("a", "a ", False),
        ("é", "e", False),
        (None, "a", False),
    ],
)
def test_texts_are_compared_in_one_unicode_form(one: str | None, other: str | None, same: bool) -> None:  # noqa: FBT001 - a table
    assert same == same_text(one, other)
