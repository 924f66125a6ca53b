"""The update of a tenant's file."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pulumi_dataprotection.adoption import snapshot
from pulumi_dataprotection.adoption.edited_file import EditedFile
from pulumi_dataprotection.adoption.merge import Merge, merge
from pulumi_dataprotection.adoption.snapshot import Snapshot, take
from pulumi_dataprotection.adoption.tenant_file import build, dumps, loads
from pulumi_dataprotection.adoption.yaml_content import DataFileError
from pulumi_dataprotection.client.records import Policy, Resource
from pulumi_dataprotection.inventory import TenantContents
from support.adoption import contents, contents_of, single_policies, texts

FILE = "contoso.yaml"
GOLD, SILVER, BRONZE = POLICIES = [
    Policy(id=f"policy-{name.lower()}", name=name) for name in ("Gold", "Silver", "Bronze")
]
PEOPLE = [
    Resource(id=f"res-{name}", name=f"{name}@contoso.example", kind="office_user")
    for name in ("ann", "bob", "cid", "dan")
]


def adopted(tenant: TenantContents) -> tuple[str, Snapshot]:
    """Return the file and the evidence of a first adoption."""
    policy_of = single_policies(tenant)
    text = dumps(build(tenant, policy_of, "fail"), tenant)
    return text, snapshot.loads(take(text, tenant, policy_of).dumps().encode(), "snapshot")


def update(text: str, tenant: TenantContents, base: Snapshot) -> Merge:
    """Merge the tenant into a file."""
    return merge(text, FILE, tenant, single_policies(tenant), base=base)


def meant(text: str, tenant: TenantContents) -> Mapping[str, str]:
    """Return the policies that a file means, by the ids of today."""
    return EditedFile(text, FILE, tenant, (), Snapshot()).policy_of


@st.composite
def later(draw: st.DrawFn) -> tuple[TenantContents, TenantContents]:
    """Draw a tenant at two times: with newcomers, leavers, new policies on items, and names that passed on."""
    before = draw(contents(max_items=8))
    items = [*before.items]
    for place, item in enumerate(before.items):
        name = draw(st.just(item.name) | st.sampled_from([one.name for one in items]) | texts)
        items[place] = replace(item, name=name, archived=item.archived and draw(st.booleans()))
    items = [item for item in items if draw(st.integers(0, 5))]
    names = draw(st.lists(texts, max_size=3))
    items += [Resource(id=f"new-{number}", name=name, kind="office_user") for number, name in enumerate(names)]
    policies = [replace(policy, name=draw(st.just(policy.name) | texts)) for policy in before.policies.values()]
    on: dict[str, str] = {}
    for item in items:
        old = before.policy_ids.get(item.id, [None])[0]
        new = draw(st.just(old) | st.none() | st.sampled_from([policy.id for policy in policies]))
        if new:
            on[item.id] = new
    return before, contents_of(items, policies, on)


@given(later())
def test_a_file_that_nobody_edited_becomes_todays_file(times: tuple[TenantContents, TenantContents]) -> None:
    before, today = times
    text, base = adopted(before)
    result = update(text, today, base)
    assert (result.text, result.snapshot) == adopted(today)
    assert [] == [*result.kept, *result.contradictions, *result.unknown]


@settings(max_examples=200)
@given(later(), st.data())
def test_comments_stay_and_the_service_is_merged(
    times: tuple[TenantContents, TenantContents], data: st.DataObject
) -> None:
    before, today = times
    text, base = adopted(before)
    lines: list[str] = []
    for number, line in enumerate(text.splitlines()):
        lines += [f"# note {number}"] * data.draw(st.integers(0, 1)) + [line]
    commented = "\n".join([*lines, "# end"]) + data.draw(st.sampled_from(["", "\n"]))
    if data.draw(st.booleans()):
        commented = commented.replace("\n", "\r\n")
    result = update(commented, today, base)
    assert single_policies(today) == meant(result.text, today)
    assert [] == [*result.kept, *result.contradictions, *result.unknown]
    notes = [line.strip() for line in commented.splitlines() if line.startswith("# ")]
    assert notes == [line.strip() for line in result.text.splitlines() if line.startswith("# ")]
    again = update(result.text, today, result.snapshot)
    assert (result.text, []) == (again.text, again.merged)


@settings(max_examples=200)
@given(contents(max_items=8), st.data())
def test_each_member_is_merged_kept_or_a_contradiction(before: TenantContents, data: st.DataObject) -> None:
    living, ids = [item.id for item in before.items if not item.archived], st.sampled_from([*before.policies])

    def changed(policies: Mapping[str, str]) -> dict[str, str]:
        drawn = {id: data.draw(st.just(policies.get(id)) | st.none() | ids) for id in living}
        return {id: policy for id, policy in drawn.items() if policy}

    then = single_policies(before)
    now, edited = changed(then), changed(then)
    today = contents_of(before.items, [*before.policies.values()], now)
    base = adopted(before)[1]
    result = update(dumps(build(before, edited, "fail"), before) + "# by hand\n", today, base)
    decided = {id: now.get(id) if edited.get(id) == then.get(id) else edited.get(id) for id in living}
    assert meant(result.text, today) == {id: policy for id, policy in decided.items() if policy}
    different = {id for id in living if edited.get(id) != now.get(id)}
    listed = [{change.id for change in changes} for changes in (result.merged, result.kept, result.contradictions)]
    assert listed == [
        {id for id in different if edited.get(id) == then.get(id)},
        {id for id in different if now.get(id) == then.get(id)},
        {id for id in different if then.get(id) not in {now.get(id), edited.get(id)}},
    ]
    assert [] == result.unknown


def hand(text: str, *changes: tuple[str, str]) -> str:
    """Return a text with changes by hand."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


BEFORE = contents_of(PEOPLE, POLICIES, {"res-ann": GOLD.id, "res-bob": GOLD.id, "res-cid": SILVER.id})


def today_with(**policies: Policy | None) -> TenantContents:
    """Return the tenant of today."""
    on = {
        **single_policies(BEFORE),
        **{f"res-{name}": policy.id if policy else "" for name, policy in policies.items()},
    }
    return contents_of(PEOPLE, POLICIES, {id: policy for id, policy in on.items() if policy})


def test_an_edited_file_gets_newcomers_and_keeps_its_form() -> None:
    text, base = adopted(BEFORE)
    edited = hand(
        text,
        ("    - ann@", "    # the board\n    - ann@"),
        ("    - bob@contoso.example", "    - bob@contoso.example   # ticket 7"),
        ("  Silver:", "\n  Silver:  # everybody"),
    )
    result = update(edited, today_with(dan=GOLD, bob=BRONZE), base)
    assert (
        result.text
        == """\
# The protections of Contoso, by policy
tenant: tenant-1
policies:
  Bronze:
    - bob@contoso.example   # ticket 7
  Gold:
    # the board
    - ann@contoso.example
    - dan@contoso.example

  Silver:  # everybody
    - cid@contoso.example
"""
    )
    assert [("bob@contoso.example", "Gold", "Bronze"), ("dan@contoso.example", None, "Gold")] == [
        (change.reference, change.file, change.service) for change in result.merged
    ]


def test_a_contradiction_is_listed_each_time_until_somebody_decides() -> None:
    text, base = adopted(BEFORE)
    today = today_with(ann=BRONZE)
    edited = hand(text, ("    - ann@contoso.example\n", ""), ("  Silver:\n", "  Silver:\n    - ann@contoso.example\n"))
    first = update(edited, today, base)
    second = update(first.text, today, first.snapshot)
    for result in (first, second):
        assert edited == result.text
        assert [("ann@contoso.example", "Silver", "Bronze")] == [
            (change.reference, change.file, change.service) for change in result.contradictions
        ]
    decided = update(first.text, today_with(ann=SILVER), first.snapshot)
    assert [] == decided.contradictions


def test_an_edit_that_the_service_does_not_have_yet_stays() -> None:
    text, base = adopted(BEFORE)
    edited = hand(text, ("    - bob@contoso.example\n", "    - dan@contoso.example\n"))
    for _ in range(2):
        result = update(edited, BEFORE, base)
        base = result.snapshot
        assert edited == result.text
        assert {("res-bob", None, "Gold"), ("res-dan", "Gold", None)} == {
            (change.id, change.file, change.service) for change in result.kept
        }


def test_without_evidence_nothing_is_removed_from_the_file() -> None:
    text, _ = adopted(today_with(dan=BRONZE, ann=SILVER))
    result = update(text, BEFORE, Snapshot())
    assert {*meant(text, BEFORE)} == {*meant(result.text, BEFORE)}
    assert (["res-ann"], ["res-dan"]) == ([one.id for one in result.contradictions], [one.id for one in result.kept])


def test_a_policy_without_members_stays_an_empty_list() -> None:
    text, base = adopted(BEFORE)
    result = update(hand(text, ("  Silver:", "  Silver:  # everybody")), today_with(cid=None), base)
    assert "  Silver: []  # everybody\n" in result.text
    again = update(result.text, today_with(), result.snapshot)
    assert "  Silver:  # everybody\n    - cid@contoso.example\n" in again.text


def test_a_new_policy_comes_behind_a_policy_that_lost_its_members() -> None:
    text, base = adopted(BEFORE)
    policies = [*POLICIES, Policy(id="policy-tin", name="Tin")]
    today = contents_of(PEOPLE, policies, {"res-ann": GOLD.id, "res-bob": GOLD.id, "res-dan": "policy-tin"})
    result = update(f"{text}# by hand\n", today, base)
    assert result.text.endswith("  Silver: []\n  Tin:\n    - dan@contoso.example\n# by hand\n")


def test_an_item_with_an_unclear_policy_stays_in_the_file() -> None:
    text, base = adopted(BEFORE)
    today = today_with(ann=None)
    result = merge(text, FILE, today, single_policies(today), base=base, unclear=["res-ann"])
    assert (text, []) == (result.text, result.merged)
    assert result.snapshot.members["res-ann"] == base.members["res-ann"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "  Gold:\n    - ann@contoso.example\n    - bob@contoso.example\n",
            "  Gold: [ann@contoso.example, bob@contoso.example]\n",
        ),
        ("    - bob@contoso.example\n", '    - "bob@\\\n      contoso.example"\n'),
    ],
)
def test_a_list_in_another_form_is_an_error_that_names_the_line(old: str, new: str) -> None:
    text, base = adopted(BEFORE)
    edited = hand(text, (old, new))
    with pytest.raises(DataFileError, match=r"contoso\.yaml, line [46]"):
        update(edited, today_with(bob=SILVER), base)
    assert update(edited, today_with(cid=BRONZE), base).contradictions == []


@pytest.mark.parametrize("policies", ["\npolicies: {}\n", "\n", "", "  # no line end", "\r\n"])
def test_a_file_without_members_gets_newcomers(policies: str) -> None:
    text = f"# by hand\ntenant: tenant-1{policies}"
    result = update(text, BEFORE, Snapshot())
    assert loads(result.text, FILE).policies == {
        "Gold": ["ann@contoso.example", "bob@contoso.example"],
        "Silver": ["cid@contoso.example"],
    }
    assert result.text.startswith("# by hand\n")


UNUSUAL = {
    "end of the document": "tenant: tenant-1\n...\n",
    "flow style": "{tenant: tenant-1}\n",
    "alias": "tenant: tenant-1\npolicies:\n  Gold:\n    - &dan dan@contoso.example\n  res-x:\n    - *dan\n",
    "block scalar": "tenant: tenant-1\npolicies:\n  Gold:\n    - |-\n      dan@contoso.example\n",
    "complex key": "tenant: tenant-1\npolicies:\n  ? Gold\n  : - dan@contoso.example\n",
    "nested list": "tenant: tenant-1\npolicies:\n  Gold: [\n    dan@contoso.example\n  ]\n",
}


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL)
def test_an_unusual_form_is_an_error_and_never_another_meaning(text: str) -> None:
    with pytest.raises(DataFileError, match=r"Cannot update contoso\.yaml"):
        update(text, BEFORE, Snapshot())


DIALECTS = {
    "quoted keys": (("tenant:", "'tenant':"), ("  Gold:", '  "Gold" :'), ("  Silver:", "  'Silver':")),
    "lists at the key's column": (("    - ", "  - "),),
    "deep lists": (("    - ", "         -   "),),
    "quoted members": (
        ("bob@contoso.example", "'bob@contoso.example'"),
        ("cid@", '"cid@'),
        ("cid@contoso.example", 'cid@contoso.example"'),
    ),
    "a document start": (("# The", "%YAML 1.1\n---\n# The"),),
    "tags": (("- ann@", "- !!str ann@"),),
    "comments": (("  Gold:", "  # a\n\n  Gold: # b"), ("    - bob@", "\n    # c\n    - bob@")),
    "another order": (
        ("tenant: tenant-1\n", ""),
        ("  Silver:", "  Silver:"),
        ("cid@contoso.example\n", "cid@contoso.example\ntenant: tenant-1\n"),
    ),
}


@pytest.mark.parametrize("changes", DIALECTS.values(), ids=DIALECTS)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_dialect_of_yaml_is_merged_and_keeps_its_form(changes: tuple[tuple[str, str], ...], eol: str) -> None:
    text, base = adopted(BEFORE)
    edited = hand(text, *changes).replace("\n", eol)
    today = today_with(bob=SILVER, cid=None, dan=GOLD)
    result = update(edited, today, base)
    assert single_policies(today) == meant(result.text, today)
    moved = ("bob@", "cid@", "dan@")
    kept = [line for line in edited.splitlines() if not any(one in line for one in moved)]
    assert kept == [line for line in result.text.splitlines() if not any(one in line for one in moved)]


def test_a_reference_without_a_meaning_is_listed_and_stays() -> None:
    text, base = adopted(BEFORE)
    edited = hand(text, ("  Silver:\n", "  Silver:\n    - nobody@contoso.example\n    - res-ann\n"))
    result = update(edited, today_with(dan=GOLD), base)
    assert ["nobody@contoso.example", "res-ann"] == result.unknown
    assert all(f"    - {one}\n" in result.text for one in result.unknown)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"digest": 1}', '{"members": {"a": ["b"]}}'])
def test_a_broken_snapshot_is_an_error_that_names_the_file(text: str) -> None:
    with pytest.raises(DataFileError, match="snapshot"):
        snapshot.loads(text.encode(), "snapshot")
