"""The inference of rules, and their file."""

from collections.abc import Mapping

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection import Rule, assign
from pulumi_dataprotection.adoption.references import item_references, policy_references
from pulumi_dataprotection.adoption.rules import infer
from pulumi_dataprotection.adoption.rules_file import dumps, loads
from pulumi_dataprotection.adoption.yaml_content import DataFileError
from pulumi_dataprotection.client.records import Policy, Resource
from pulumi_dataprotection.inventory import TenantContents
from support.adoption import contents, contents_of, single_policies

GOLD, SILVER, BRONZE = POLICIES = [
    Policy(id=f"policy-{name.lower()}", name=name) for name in ("Gold", "Silver", "Bronze")
]


@st.composite
def offices(draw: st.DrawFn) -> TenantContents:
    """Draw a tenant with domains, service accounts, and a policy for most of each."""
    names = st.from_regex(r"(svc-|test\.|)[a-z]{1,3}@(contoso|labs\.contoso|f\[x\])\.example", fullmatch=True)
    rows = draw(st.lists(st.tuples(names, st.sampled_from(["office_user", "office_teamdrive", None])), max_size=40))
    items = [
        Resource(id=f"res-{number}", name=name, kind=kind, archived=number % 11 == 10)
        for number, (name, kind) in enumerate(rows)
    ]
    usual = draw(st.fixed_dictionaries({key: st.sampled_from([None, *POLICIES]) for key in ("svc", "labs", "rest")}))
    odd = draw(st.sets(st.sampled_from([item.id for item in items]))) if items else set[str]()
    on: dict[str, str] = {}
    for item in items:
        key = next((key for key in ("svc", "labs") if key in str(item.name)), "rest")
        policy = BRONZE if item.id in odd else usual[key]
        if policy:
            on[item.id] = policy.id
    return contents_of(items, POLICIES, on)


def wanted(tenant: TenantContents) -> Mapping[str, str]:
    """Return the policy of each protected item by their references."""
    items, policies = item_references(tenant), policy_references(tenant.policies)
    return {items[item].text: policies[policy].text for item, policy in single_policies(tenant).items()}


@given(contents() | offices())
def test_the_rules_give_exactly_the_policies_of_today(tenant: TenantContents) -> None:
    file = loads(dumps(infer(tenant, single_policies(tenant), "fail"), tenant), "contoso.yaml")
    result = assign(tenant.items, [entry.rule for entry in file.rules])
    assert wanted(tenant) == result.assignments
    assert result.unresolved == []


@given(contents() | offices())
def test_a_rules_file_is_read_as_it_was_written_by_each_loader(tenant: TenantContents) -> None:
    file = infer(tenant, single_policies(tenant), "accept")
    text = dumps(file, tenant)
    assert loads(text, "contoso.yaml") == file
    rules = [entry.model_dump(exclude_none=True, exclude={"policy"}) for entry in file.rules]
    expected = [{"policy": entry.policy, **rule} for entry, rule in zip(file.rules, rules, strict=True)]
    assert yaml.safe_load(text) == {"tenant": "tenant-1", "on_conflict": "accept", "rules": expected}


@given(offices())
def test_the_rules_do_not_depend_on_the_order_of_the_service(tenant: TenantContents) -> None:
    shuffled = contents_of(tenant.items[::-1], POLICIES[::-1], single_policies(tenant))
    assert infer(shuffled, single_policies(tenant), "fail") == infer(tenant, single_policies(tenant), "fail")


@given(contents() | offices())
def test_the_rules_name_no_more_items_than_a_list_does(tenant: TenantContents) -> None:
    file = infer(tenant, single_policies(tenant), "fail")
    assert sum(len(entry.among or ()) for entry in file.rules if entry.policy) <= len(single_policies(tenant))


def office() -> TenantContents:
    """Return a tenant that people would write down in five rules."""
    domains = [("contoso.example", SILVER, 30), ("labs.contoso.example", GOLD, 20)]
    users = [
        (Resource(id=f"res-{domain}-{number}", name=f"user{number}@{domain}", kind="office_user"), policy)
        for domain, policy, count in domains
        for number in range(count)
    ]
    accounts = [(Resource(id=f"svc-{n}", name=f"svc-{n}@contoso.example", kind="office_user"), None) for n in range(6)]
    drives = [(Resource(id=f"drv-{n}", name=f"Drive {n}", kind="office_teamdrive"), BRONZE) for n in range(5)]
    boss = [(Resource(id="boss", name="boss@contoso.example", kind="office_user"), GOLD)]
    everything = [*users, *accounts, *drives, *boss]
    on = {item.id: policy.id for item, policy in everything if policy}
    return contents_of([item for item, _ in everything], POLICIES, on)


def test_few_rules_say_what_a_person_would_have_written() -> None:
    tenant = office()
    file = infer(tenant, single_policies(tenant), "fail")
    assert [entry.rule for entry in file.rules] == [
        Rule("Gold", among=["boss@contoso.example"]),
        Rule("Bronze", kind="office_teamdrive"),
        Rule(None, kind="office_user", name="svc-*"),
        Rule("Gold", kind="office_user", name="*@labs.contoso.example"),
        Rule("Silver", kind="office_user"),
    ]
    comments = [line.strip() for line in dumps(file, tenant).splitlines() if line.startswith("  #")]
    assert comments == ["# 1 item", "# 5 items", "# 6 items without a policy", "# 20 items", "# 30 items"]


def test_an_empty_tenant_has_no_rules() -> None:
    empty = contents_of([], POLICIES, {})
    file = infer(empty, {}, "fail")
    assert loads(dumps(file, empty), "contoso.yaml").rules == []


@pytest.mark.parametrize(
    ("text", "line", "name"),
    [
        ("tenant: a\nrules:\n  - policy: Gold\n    nmae: x\n", 4, "nmae"),
        ("tenant: a\nrules:\n  - policy: Gold\n  - policy: yes\n", 4, "policy"),
        ("tenant: a\nrules:\n  - kind: office_user\n", 3, "policy"),
        ("tenant: a\nrules:\n  - policy: Gold\n    among: jane\n", 4, "among"),
    ],
)
def test_an_error_names_the_line_and_the_property(text: str, line: int, name: str) -> None:
    with pytest.raises(DataFileError, match=rf"contoso\.yaml, line {line}: .*{name}"):
        loads(text, "contoso.yaml")
