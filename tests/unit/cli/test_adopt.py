"""`dataprotection adopt`: the files that it writes, its report, and its calls."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from pulumi_dataprotection.adoption.members import KINDS
from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from support import HANG, TESTS, Emulator
from support.cli.adopting import adopt, files

GOLDEN = TESTS / "unit/cli/adopted"
ADOPTED = "23 to adopt, 0 to write (protections: 20, organizations: 3)"
LAYOUTS = ["stack-per-customer", "single"]
CONTOSO, ADATUM = "contoso/contoso-workspace", "adatum/adatum-workspace"


def golden(folder: Path) -> str:
    """Return all files of a project in one text, as a reviewer reads them, without those that say the same."""
    left_out = ("report.json", "requirements.txt", ".adopted/")
    texts = {path: text for path, text in files(folder).items() if not path.startswith(left_out)}
    whole = "\n".join(f"===== {path}\n{text}" for path, text in texts.items())
    return re.sub(r"http://127\.0\.0\.1:\d+", "https://service.example", whole)


def members(folder: Path) -> dict[str, str]:
    """Return the policy of each member of all data files."""
    contents = [yaml.safe_load(path.read_text("utf-8")) for path in folder.rglob("tenants/*/*.yaml")]
    return {name: policy for one in contents for policy, names in one["policies"].items() for name in names}


def report(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the part of each tenant in the report by customer and tenant."""
    content = json.loads((folder / "report.json").read_text("utf-8"))
    return {f"{one['customer']}/{one['tenant']}": one for one in content["tenants"]}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_project_of_the_demo_estate_is_what_a_person_would_write(
    emulator: Emulator, tmp_path: Path, layout: str
) -> None:
    result = adopt(emulator, tmp_path / "estate", "--layout", layout)
    assert (0, ADOPTED) == (result.exit_code, result.stdout.splitlines()[-1]), result.output
    assert (GOLDEN / f"{layout}.txt").read_text("utf-8") == golden(tmp_path / "estate")
    assert ["estate"] == [path.name for path in tmp_path.iterdir()]


def test_only_reads_are_sent_and_no_more_than_the_interface_needs(emulator: Emulator, tmp_path: Path) -> None:
    assert 0 == adopt(emulator, tmp_path / "estate").exit_code
    calls = Counter(request["operation"] for request in emulator.requests())
    orgs, tenants = len(emulator.state()["orgs"]), len(emulator.state()["tenants"])
    per_org = dict.fromkeys(("list_tenants", "list_orgs"), orgs)
    per_tenant = dict.fromkeys(("list_resources", "list_protections", "list_policies", "get_resource_stats"), tenants)
    assert {"list_installations": 1, **per_org, **per_tenant} == calls
    assert {"Read-only"} == {request["key"] for request in emulator.requests()}


def test_no_file_has_the_key(emulator: Emulator, tmp_path: Path) -> None:
    adopt(emulator, tmp_path / "estate")
    assert emulator.read_only_key not in str(files(tmp_path))


@pytest.mark.parametrize("preset", PRESETS)
def test_each_dialect_is_adopted(emulator: Emulator, tmp_path: Path, preset: str) -> None:
    emulator.set_dialect(preset)
    result = adopt(emulator, tmp_path / "estate")
    assert (0, ADOPTED) == (result.exit_code, result.stdout.splitlines()[-1]), result.output
    assert 20 == len(members(tmp_path / "estate"))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("options", [[], ["--own"]])
def test_programs_pass_ruff(emulator: Emulator, tmp_path: Path, layout: str, options: list[str]) -> None:
    # `make check` runs mypy and pyright on the templates, of which --own changes one literal.
    adopt(emulator, tmp_path / "estate", "--layout", layout, *options)
    for words in (["check"], ["format", "--check"]):
        command = ["ruff", *words, "--isolated", "--line-length=120", "--quiet", str(tmp_path)]
        subprocess.run(command, check=True, timeout=HANG)


def test_options_reach_programs_and_data_files(emulator: Emulator, tmp_path: Path) -> None:
    plain, owning, accepting = (tmp_path / name for name in ("plain", "owning", "accepting"))
    adopt(emulator, plain)
    adopt(emulator, owning, "--own")
    adopt(emulator, accepting, "--on-conflict", "accept")

    def changes(folder: Path) -> dict[str, list[str]]:
        before, after = files(plain), files(folder)
        assert before.keys() == after.keys()
        lines = {path: [*({*text.splitlines()} - {*before[path].splitlines()})] for path, text in after.items()}
        return {path: new for path, new in lines.items() if new and not path.startswith(("README", "."))}

    assert {"customer/__main__.py": ['        adopt="own",']} == changes(owning)
    assert {f"customer/tenants/{place}.yaml": ["on_conflict: accept"] for place in (ADATUM, CONTOSO)} == changes(
        accepting
    )
    readme = (accepting / "README.md").read_text("utf-8")
    assert all(f"- `tenants/{place}.yaml`" in readme for place in (ADATUM, CONTOSO))


@pytest.mark.parametrize(
    ("words", "places", "adopted"),
    [
        (["--org", "org-alpine"], [CONTOSO], 12),
        (["--org", "org-contoso", "--org", "org-harbor"], [ADATUM, CONTOSO], 21),
        (["--tenant", "tenant-adatum"], [ADATUM], 11),
        (["--org", "org-alpine", "--tenant", "tenant-contoso"], [CONTOSO], 11),
    ],
)
def test_filters_choose_tenants_and_their_organizations(
    emulator: Emulator, tmp_path: Path, words: list[str], places: list[str], adopted: int
) -> None:
    result = adopt(emulator, tmp_path / "estate", *words)
    assert (0, places) == (result.exit_code, [*report(tmp_path / "estate")]), result.output
    assert result.stdout.splitlines()[-1].startswith(f"{adopted} to adopt, 0 to write")


def test_an_organization_whose_parent_is_unknown_is_looked_up_by_id(emulator: Emulator, tmp_path: Path) -> None:
    adopt(emulator, tmp_path / "estate", "--org", "org-contoso")
    orgs = yaml.safe_load((tmp_path / "estate/msp/orgs.yaml").read_text("utf-8"))
    assert {"declared": {}, "by_id": {"contoso": "org-contoso"}} == orgs


@pytest.mark.parametrize(
    ("words", "status", "named"),
    [
        (["--tenant", "tenant-nobody"], 1, "tenant-nobody"),
        (["--org", " "], 2, "--org"),
        (["--tenant", "tenant-adatum", "--check"], 2, "--check"),
        (["--own", "--on-conflict", "accept"], 2, "--own"),
        (["--layout", "flat"], 2, "--layout"),
    ],
)
def test_wrong_options_write_nothing(
    emulator: Emulator, tmp_path: Path, words: list[str], status: int, named: str
) -> None:
    result = adopt(emulator, tmp_path / "estate", *words)
    assert (status, True, False) == (result.exit_code, named in result.stderr, (tmp_path / "estate").exists())


def test_a_key_of_a_tenant_adopts_this_tenant(emulator: Emulator, tmp_path: Path) -> None:
    emulator.reset("one-tenant")
    result = adopt(emulator, tmp_path / "estate", key=emulator.api_key)
    assert (0, ["contoso-workspace/contoso-workspace"]) == (result.exit_code, [*report(tmp_path / "estate")])
    assert 10 == len(members(tmp_path / "estate"))


def test_organizations_and_tenants_of_several_installations_come_once(emulator: Emulator, tmp_path: Path) -> None:
    adopt(emulator, tmp_path / "plain")
    places = ({"org_id": "org-contoso"}, {"org_id": "org-alpine"}, {"tenant_id": "tenant-adatum"})
    emulator.patch(
        {
            "installations": [
                {"id": f"more-{number}", "key_name": "Read-only", **place} for number, place in enumerate(places)
            ]
        }
    )
    assert 0 == adopt(emulator, tmp_path / "estate").exit_code
    assert files(tmp_path / "plain") == files(tmp_path / "estate")


def test_an_empty_estate_is_a_project_without_customers(emulator: Emulator, tmp_path: Path) -> None:
    emulator.reset("empty")
    result = adopt(emulator, tmp_path / "estate")
    assert (0, "0 to adopt, 0 to write (protections: 0, organizations: 0)\n") == (result.exit_code, result.stdout)
    assert {} == members(tmp_path / "estate")
    assert 0 == adopt(emulator, tmp_path / "estate", "--check").exit_code


def test_a_tenant_without_protections_has_a_report_and_no_data_file(emulator: Emulator, tmp_path: Path) -> None:
    bare = [{**one, "deleted": True} for one in emulator.state()["protections"] if one["tenant_id"] == "tenant-adatum"]
    emulator.patch({"protections": bare})
    result = adopt(emulator, tmp_path / "estate")
    assert 0 == result.exit_code, result.output
    written = {path for path in files(tmp_path / "estate") if "adatum" in path}
    assert (set(), 0, 38) == (
        written,
        report(tmp_path / "estate")[ADATUM]["to_adopt"],
        len(report(tmp_path / "estate")[ADATUM]["unprotected"]),
    )


def test_a_tree_of_five_levels_is_declared_level_by_level(emulator: Emulator, tmp_path: Path) -> None:
    chain = [
        {"id": f"org-{level}", "external_id": f"crm-{level}", "name": "Branch", "parent_org_id": f"org-{level - 1}"}
        for level in range(1, 6)
    ]
    emulator.patch({"orgs": [{**chain[0], "parent_org_id": "org-contoso"}, *chain[1:]]})
    result = adopt(emulator, tmp_path / "estate")
    assert (0, True) == (result.exit_code, "organizations: 8" in result.stdout), result.output
    declared = yaml.safe_load((tmp_path / "estate/msp/orgs.yaml").read_text("utf-8"))["declared"]
    parents = {org["external_id"]: org["parent_org_id"] for org in declared.values()}
    assert {f"crm-{level}": f"org-{level - 1}" for level in range(2, 6)}.items() <= parents.items()


def test_items_that_are_left_out_are_in_the_report_by_kind(emulator: Emulator, tmp_path: Path) -> None:
    place = {"tenant_id": "tenant-contoso"}
    emulator.patch(
        {
            "resources": [
                {**place, "id": "res-contoso-user-01", "archived": True},
                {**place, "id": "res-contoso-user-03", "name": "Finance"},
            ],
            "protections": [
                {**place, "id": "second", "resource_id": "res-contoso-user-02", "policy_id": "policy-contoso-gold"}
            ],
        }
    )
    result = adopt(emulator, tmp_path / "estate")
    assert 0 == result.exit_code, result.output
    found = report(tmp_path / "estate")[CONTOSO]
    assert {
        "archived": ["res-contoso-user-01"],
        "several_policies": ["res-contoso-user-02"],
        "by_id": ["res-contoso-drive-01", "res-contoso-user-03"],
        "gone": [],
        "unknown_policy": [],
    } == {kind: [entry["id"] for entry in found[kind]] for kind in KINDS if kind != "unprotected"}
    adopted = members(tmp_path / "estate")
    assert {"res-contoso-drive-01", "res-contoso-user-03"} < adopted.keys()
    assert not {"jane.doe@contoso.example", "john.smith@contoso.example", "Finance"} & adopted.keys()
    assert all(f"`{id}`" in (tmp_path / "estate/report.md").read_text("utf-8") for id in ("res-contoso-user-02",))


def test_an_organization_that_cannot_be_read_is_reported_and_left_out(emulator: Emulator, tmp_path: Path) -> None:
    with emulator.faults({"operation": "list_tenants", "path": "*/org-contoso/*", "do": [{"status": 403}]}):
        result = adopt(emulator, tmp_path / "estate", "--json")
    content = json.loads(result.stdout)
    assert (1, 1, ["adatum-workspace"]) == (
        result.exit_code,
        len(content["unread"]),
        [tenant["tenant"] for tenant in content["tenants"]],
    )


def test_the_json_is_the_report_of_the_project(emulator: Emulator, tmp_path: Path) -> None:
    result = adopt(emulator, tmp_path / "estate", "--json")
    assert result.stdout == (tmp_path / "estate/report.json").read_text("utf-8")
    assert (23, 0, []) == tuple(json.loads(result.stdout)[name] for name in ("to_adopt", "to_write", "problems"))


HOSTILE = [
    '"""\nimport os\n"""',
    "a: b #c\n- d",
    "\u202e{x}\x1b[31m",
    "..",
    "con",
    "../../../etc/passwd",
    "👩\u200d💻" * 60,
    "x" * 300,
    "${jndi}",
    "yes",
]


def test_no_name_becomes_code_or_structure_or_a_path(emulator: Emulator, tmp_path: Path) -> None:
    seed = emulator.state()
    adopt(emulator, tmp_path / "plain")
    emulator.patch(
        {
            "orgs": [{"id": one["id"], "name": HOSTILE[number]} for number, one in enumerate(seed["orgs"])],
            "tenants": [{"id": "tenant-contoso", "name": HOSTILE[1]}, {"id": "tenant-adatum", "name": HOSTILE[5]}],
            "policies": [
                {"tenant_id": one["tenant_id"], "id": one["id"], "name": HOSTILE[-1 - number]}
                for number, one in enumerate(seed["policies"])
            ],
            "resources": [
                {"tenant_id": one["tenant_id"], "id": one["id"], "name": HOSTILE[number % len(HOSTILE)]}
                for number, one in enumerate(seed["resources"])
            ],
        }
    )
    result = adopt(emulator, tmp_path / "estate")
    assert (0, True) == (result.exit_code, "to write" in result.stdout), result.output
    plain, hostile = files(tmp_path / "plain"), files(tmp_path / "estate")
    assert {path: text for path, text in plain.items() if path.endswith(".py")} == {
        path: text for path, text in hostile.items() if path.endswith(".py")
    }
    assert [] == [path for path in hostile if not re.fullmatch(r"\.?([A-Za-z0-9_-]+[/.])*[a-z]+", path)]
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", "".join(hostile.values()))
    assert 0 == adopt(emulator, tmp_path / "estate", "--check").exit_code
    assert len(plain) == len(hostile)


def test_no_name_becomes_markdown(emulator: Emulator, tmp_path: Path) -> None:
    place = {"tenant_id": "tenant-contoso"}
    named = "`](x)\n\n# heading | <script>"
    emulator.patch({"resources": [{**place, "id": "res-contoso-user-12", "name": named}]})
    adopt(emulator, tmp_path / "estate")
    (line,) = [one for one in (tmp_path / "estate/report.md").read_text("utf-8").splitlines() if "<script>" in one]
    assert "- `` `](x) # heading | <script> `` (`res-contoso-user-12`)" == line


def test_customers_with_the_same_name_get_different_stacks(emulator: Emulator, tmp_path: Path) -> None:
    emulator.patch({"orgs": [{"id": "org-contoso", "name": "Same"}, {"id": "org-adatum", "name": "SAME"}]})
    assert 0 == adopt(emulator, tmp_path / "estate").exit_code
    stacks = [path.name for path in (tmp_path / "estate/customer").glob("Pulumi.*.yaml")]
    assert 2 == len({name.casefold() for name in stacks})
