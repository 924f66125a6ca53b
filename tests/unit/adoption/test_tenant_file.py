"""The data file of one tenant."""

import pytest
import yaml
from hypothesis import given

from pulumi_dataprotection.adoption.tenant_file import TenantFile, build, dumps, loads
from pulumi_dataprotection.adoption.yaml_content import DataFileError
from pulumi_dataprotection.client import ResourceIndex, errors
from pulumi_dataprotection.client.cache.references import Policies
from pulumi_dataprotection.client.records import Policy, Resource
from pulumi_dataprotection.inventory import TenantContents
from support.adoption import contents, contents_of, single_policies

USER, DRIVE = "office_user", "office_teamdrive"

CONTOSO = contents_of(
    [
        Resource(id="res-1", name="jane.doe@contoso.example", kind=USER),
        Resource(id="res-2", name="support@contoso.example", kind=USER),
        Resource(id="res-3", name="Support@contoso.example", kind=DRIVE),
        Resource(id="res-4", name="Finance", kind=DRIVE),
        Resource(id="res-5", name="Marketing 🚀", kind=DRIVE),
        Resource(id="res-6", name="", kind=DRIVE),
        Resource(id="res-7", name="yes", kind=DRIVE),
    ],
    [Policy(id="policy-1", name="Gold"), Policy(id="policy-2", name="Silver"), Policy(id="policy-3", name="Silver")],
    {
        "res-1": "policy-1", "res-2": "policy-2", "res-3": "policy-1", "res-4": "policy-1", "res-5": "policy-1",
        "res-6": "policy-2", "res-7": "policy-1",
    },
)  # fmt: skip

TEXT = """\
# The protections of Contoso, by policy
tenant: tenant-1
policies:
  Gold:
    - Finance
    - jane.doe@contoso.example
    - "Marketing 🚀"
    - res-3  # Support@contoso.example, office_teamdrive
    - "yes"
  policy-2:  # Silver
    - res-6  # without a name, office_teamdrive
    - res-2  # support@contoso.example, office_user
"""


def file_of(tenant: TenantContents) -> TenantFile:
    """Return the file of a tenant whose items have at most one policy."""
    return build(tenant, single_policies(tenant), "fail")


def test_the_file_names_what_people_read_and_ids_only_for_ambiguous_names() -> None:
    assert dumps(file_of(CONTOSO), CONTOSO) == TEXT
    assert loads(TEXT, "contoso.yaml") == file_of(CONTOSO)


@given(contents())
def test_a_file_is_read_as_it_was_written_by_each_loader(tenant: TenantContents) -> None:
    file = file_of(tenant)
    text = dumps(file, tenant)
    text.encode()
    assert loads(text, "contoso.yaml") == file
    assert yaml.safe_load(text) == {"tenant": "tenant-1", "policies": file.policies}


@given(contents())
def test_each_reference_means_its_item_and_its_policy(tenant: TenantContents) -> None:
    index = ResourceIndex("tenant-1", tenant.items)
    policies = Policies("tenant-1", lambda: [*tenant.policies.values()])
    assignments = file_of(tenant).assignments
    meant = {index.find(member).id: policies.find(policy).id for member, policy in assignments.items()}
    assert single_policies(tenant) == meant


@given(contents())
def test_the_file_does_not_depend_on_the_order_of_the_service(tenant: TenantContents) -> None:
    shuffled = contents_of(
        tenant.items[::-1],
        [*tenant.policies.values()][::-1],
        {id: tenant.policy_ids[id][0] for id in reversed([*tenant.policy_ids])},
    )
    assert dumps(file_of(shuffled), shuffled) == dumps(file_of(tenant), tenant)


def test_a_choice_about_conflicts_is_kept() -> None:
    file = build(CONTOSO, {"res-1": "policy-1"}, "accept")
    assert loads(dumps(file, CONTOSO), "contoso.yaml").on_conflict == "accept"


def test_a_policy_that_the_list_lacks_is_named_by_its_id() -> None:
    assert build(CONTOSO, {"res-1": "policy-9"}, "fail").policies == {"policy-9": ["jane.doe@contoso.example"]}


def test_a_tenant_without_members_has_a_file() -> None:
    file = build(CONTOSO, {}, "fail")
    assert loads(dumps(file, CONTOSO), "contoso.yaml").assignments == {}


@pytest.mark.parametrize(
    ("text", "line", "names"),
    [
        ("", None, ["empty"]),
        ("- a\n", 1, []),
        ("tenant: a\npolicies: {\n", 3, []),
        ("tenant: a\npolicies:\n  Gold:\n    - yes\n", 4, ["policies.Gold.0"]),
        ("tenant: a\npolicies:\n  Gold:\n    - b\n    - 2026-11-29\n", 5, ["policies.Gold.1"]),
        ("tenant: a\npolicies:\n  Gold:\n", 3, ["policies.Gold"]),
        ("tenant: a\npolicies:\n  Gold: [b]\n  Silver: [c]\n  Gold: [d]\n", 5, ["Gold"]),
        ("tenant: a\npolicies:\n  Gold: [b]\n  Silver: [b]\n", 3, ["Gold", "Silver", "b"]),
        ('tenant: a\npolicies:\n  Gold: ["\\e"]\n', 3, ["policies.Gold.0"]),
        ("tenant: a\npolicys:\n  Gold: [b]\n", 3, ["policys"]),
        ("policies:\n  Gold: [b]\n", 1, ["tenant"]),
        ("tenant: a\non_conflict: take_over\n", 2, ["on_conflict"]),
        ("tenant: a\npolicies: !!python/object/apply:os.system [ls]\n", 2, []),
        ("tenant: \x00\n", None, []),
        ("tenant: a\n---\ntenant: b\n", 2, []),
        ("[" * 5000, None, []),
    ],
)
def test_an_error_names_the_file_the_line_and_the_property(text: str, line: int | None, names: list[str]) -> None:
    with pytest.raises(DataFileError) as error:
        loads(text, "contoso.yaml")
    assert isinstance(error.value, errors.DataProtectionError)
    place = f"contoso.yaml, line {line}:" if line else "contoso.yaml"
    assert all(name in str(error.value) for name in [place, *names])
