"""The assignment of policies by rule."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection import Assignments, Rule, assign
from pulumi_dataprotection.client import ResourceIndex, errors
from pulumi_dataprotection.client.records import Resource
from pulumi_dataprotection.functions.rules import references
from support.functions.program import Program, known

USER, DRIVE = "office_user", "office_teamdrive"

JANE = Resource(id="r-1", external_id="usr-1", name="Jane.Doe@contoso.example", kind=USER, archived=False)
JOSE = Resource(id="r-2", external_id="usr-2", name="josé@contoso.example", kind=USER)
TEST = Resource(id="r-3", external_id="usr-3", name="test-7@contoso.example", kind=USER, archived=False)
SALES = Resource(id="r-4", external_id="drv-4", name="Sales", kind=DRIVE, archived=False)
SUPPORT = Resource(id="r-5", external_id="usr-5", name="support@contoso.example", kind=USER, archived=False)
SUPPORT_DRIVE = Resource(id="r-6", external_id="drv-6", name="Support@contoso.example", kind=DRIVE, archived=False)
NAMELESS = Resource(id="r-7", kind=USER)
LEAVER = Resource(id="r-8", external_id="usr-8", name="left@contoso.example", kind=USER, archived=True)

JANE_KEY, JOSE_KEY, TEST_KEY = str(JANE.name), str(JOSE.name), str(TEST.name)

ALL = [JANE, JOSE, TEST, SALES, SUPPORT, SUPPORT_DRIVE, NAMELESS, LEAVER]
TYPO = "Jame.Doe@contoso.example"
EVERYBODY = [JANE_KEY, JOSE_KEY, TEST_KEY, "Sales", "r-5", "r-6", "r-7"]


def chosen(*rules: Rule) -> list[str]:
    """Return the references that the rules assign a policy, in the order of the resources."""
    assignments = assign(ALL, rules).assignments
    assert {*assignments} <= {*EVERYBODY}
    return [reference for reference in EVERYBODY if reference in assignments]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rule("Gold"), EVERYBODY),
        (Rule("Gold", kind=USER), [JANE_KEY, JOSE_KEY, TEST_KEY, "r-5", "r-7"]),
        (Rule("Gold", kind="OFFICE_USER"), []),
        (Rule("Gold", kind="office_*"), []),
        (Rule("Gold", name="test-*"), [TEST_KEY]),
        (Rule("Gold", name="JANE.*"), [JANE_KEY]),
        (Rule("Gold", name="jane"), []),
        (Rule("Gold", name="jos?@*"), [JOSE_KEY]),
        (Rule("Gold", name="jose\u0301@*"), [JOSE_KEY]),
        (Rule("Gold", name="support@*", kind=DRIVE), ["r-6"]),
        (Rule("Gold", among=["r-1", "ext$usr-2", "SALES"]), [JANE_KEY, JOSE_KEY, "Sales"]),
        (Rule("Gold", among={"jane.doe@CONTOSO.example"}), [JANE_KEY]),
        (Rule("Gold", among=["R-1", "ext$USR-1", "usr-1", "jane.doe", "*", ""]), []),
        (Rule("Gold", among=[]), []),
        (Rule("Gold", among=(name for name in ["sales"])), ["Sales"]),
        (Rule("Gold", among=["Sales", "r-1"], kind=USER), [JANE_KEY]),
        (Rule("Gold", among=["Sales", "r-1"], name="s*"), ["Sales"]),
        (Rule("Gold", among=["support@contoso.example"], kind=USER), ["r-5"]),
        (Rule("Gold", among=["support@contoso.example"]), []),
        (Rule("Gold", among=["left@contoso.example"]), []),
    ],
)
def test_a_rule_matches_the_resources_that_meet_all_of_its_conditions(rule: Rule, expected: list[str]) -> None:
    assert expected == chosen(rule)


def test_the_first_matching_rule_decides() -> None:
    rules = [
        Rule(None, name="test-*"),
        Rule("Gold", among=["ext$usr-1", "test-7@contoso.example"]),
        Rule("policy-silver", kind=USER),
        Rule("Bronze", kind=USER),
    ]
    users = dict.fromkeys([JOSE_KEY, "r-5", "r-7"], "policy-silver")
    expected = Assignments(
        assignments={JANE_KEY: "Gold", **users},
        excluded=[TEST],
        unmatched=[SALES, SUPPORT_DRIVE],
        archived=[LEAVER],
        matched=[1, 1, 3, 0],
        unresolved=[],
    )
    assert expected == assign(iter(ALL), iter(rules))


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([Rule("Gold", among=[TYPO, "r-1", "", "ext$usr-99"])], [TYPO, "", "ext$usr-99"]),
        ([Rule("Gold", among=["support@contoso.example"])], ["support@contoso.example"]),
        ([Rule("Gold", among=["Sales"], kind=USER)], ["Sales"]),
        ([Rule(None, among=["nobody", "nobody"]), Rule("Gold", among=["nobody"])], ["nobody"]),
        ([Rule("Gold", among=["r-1", "Sales"], kind=USER), Rule("Silver", among=["r-1", "Sales"], kind=DRIVE)], []),
        ([Rule("Gold"), Rule("Silver", among=["Sales"])], []),
        ([Rule("Gold", among=["left@contoso.example"])], []),
        ([Rule("Gold", among=["z"]), Rule("Silver", among=["b", "a"])], ["z", "b", "a"]),
    ],
    ids=["typos", "ambiguous", "another kind", "once", "one list by kind", "assigned before", "archived", "in order"],
)
def test_references_without_exactly_one_resource_are_reported(rules: list[Rule], expected: list[str]) -> None:
    assert expected == assign(ALL, rules).unresolved


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ([JANE], [JANE_KEY]),
        ([JANE, Resource(id="r-9", name=JANE_KEY.upper())], ["r-1", "r-9"]),
        ([JANE, Resource(id="r-9", name=JANE_KEY, archived=True)], [JANE_KEY]),
        ([JANE, Resource(id=JANE_KEY, name="an id like a name")], ["r-1", "an id like a name"]),
        ([Resource(id="r-9", name="ext$usr-9")], ["r-9"]),
        ([Resource(id="r-9", name=None), Resource(id="r-10", name=""), Resource(id="r-11", name=" ")], None),
        ([Resource(id="r-9", name="two\nlines")], ["r-9"]),
    ],
    ids=["unique", "two in another case", "an archived twin", "the id of another", "external", "no name", "two lines"],
)
def test_the_key_of_a_resource_is_its_name_if_the_name_is_unique(
    resources: list[Resource], expected: list[str] | None
) -> None:
    found = [*assign(resources, [Rule("Gold")]).assignments]
    assert (expected or [resource.id for resource in resources]) == found


@pytest.mark.parametrize(
    ("error", "argument", "value", "reason"),
    [
        (ValueError, "policy", "", "empty"),
        (TypeError, "policy", 7, "int"),
        (TypeError, "policy", known("Gold"), "Output"),
        (ValueError, "kind", " ", "empty"),
        (ValueError, "name", "", "empty"),
        (ValueError, "name", "a\n", "control characters"),
        (TypeError, "among", "jane", "a single text"),
        (TypeError, "among", ["jane", None], "NoneType"),
    ],
)
def test_an_impossible_argument_is_refused_by_name(
    error: type[Exception],
    argument: str,
    value: object,
    reason: str,
) -> None:
    with pytest.raises(error, match=f"^Rule: .*{argument} .*{reason}"):
        Rule(**cast("dict[str, Any]", {"policy": "Gold", argument: value}))


def test_a_rule_copies_its_list() -> None:
    references = [JANE_KEY]
    rule = Rule("Gold", among=references)
    references.append("Sales")
    assert ([JANE_KEY], "Rule(policy='Gold', kind=None, name=None)") == (chosen(rule), repr(rule))


def test_assignments_can_be_exported(shop: Program) -> None:
    found = assign([JANE, SALES, LEAVER], [Rule("Gold", kind=USER), Rule(None, among=["Sales", "typo"])])
    expected = {
        "assignments": {JANE_KEY: "Gold"},
        "excluded": [dict(SALES)],
        "unmatched": [],
        "archived": [dict(LEAVER)],
        "matched": [1, 1],
        "unresolved": ["typo"],
    }
    assert expected == shop.export(found)


# Few letters, so that names collide with each other, with ids and with what is listed.
NAMES = st.sampled_from(["a", "A", "b", "ab", "r-1", "ext$a", "", None])
RESOURCES = st.lists(
    st.builds(
        Resource,
        id=st.integers(1, 9).map("r-{}".format) | st.sampled_from(["a", "b"]),
        external_id=st.sampled_from(["a", "b", None]),
        name=NAMES,
        kind=st.sampled_from([USER, DRIVE, None]),
        archived=st.sampled_from([None, False, False, True]),
    ),
    max_size=8,
    unique_by=lambda resource: resource.id,
)
REFERENCES = st.sampled_from(["a", "A", "B", "ab", "r-1", "r-2", "ext$a", "ext$b", "", "c"])
RULES = st.lists(
    st.builds(
        Rule,
        st.sampled_from(["Gold", "Silver", None]),
        kind=st.sampled_from([USER, DRIVE, None, None]),
        name=st.sampled_from(["*", "a*", "?", "B", None, None]),
        among=st.none() | st.lists(REFERENCES, max_size=4),
    ),
    max_size=4,
)


def meets(rule: Rule, resource: Resource) -> bool:
    name = (resource.name or "").lower()
    return (rule.kind is None or rule.kind == resource.kind) and fnmatchcase(name, (rule.name or "*").lower())


def means(reference: str, resources: Sequence[Resource]) -> Resource | None:
    try:
        return ResourceIndex("", resources).find(reference)
    except errors.UnresolvedReferenceError:
        return None


def is_for(rule: Rule, resource: Resource, resources: Sequence[Resource]) -> bool:
    others = [other for other in resources if meets(rule, other)]
    listed: Iterable[str] = [resource.id] if rule.among is None else rule.among
    return meets(rule, resource) and any(means(reference, others) is resource for reference in listed)


@given(resources=RESOURCES, rules=RULES)
def test_each_resource_gets_the_policy_of_its_first_matching_rule(resources: list[Resource], rules: list[Rule]) -> None:
    found = assign(resources, rules)
    first = [next((rule for rule in rules if is_for(rule, one, resources)), None) for one in resources]
    expected = {
        one.id: "archived" if one.archived else "unmatched" if rule is None else rule.policy or "excluded"
        for one, rule in zip(resources, first, strict=True)
    }
    groups = {"archived": found.archived, "unmatched": found.unmatched, "excluded": found.excluded}
    members = [(one.id, name) for name, group in groups.items() for one in group]
    for reference, policy in found.assignments.items():
        one = means(reference, resources)
        members.append((one.id if one else "", policy))
    assert sorted(expected.items()) == sorted(members)
    assert len(resources) - len(found.archived) - len(found.unmatched) == sum(found.matched)


def test_the_reference_of_an_item_is_its_name_if_no_other_living_item_has_the_name() -> None:
    named = [JANE, JOSE, TEST, SALES, LEAVER]
    assert references(ALL) == {
        **{item.id: item.name for item in named},
        **{item.id: item.id for item in (SUPPORT, SUPPORT_DRIVE, NAMELESS)},
    }
