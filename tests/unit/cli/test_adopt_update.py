"""`dataprotection adopt --update`: the service is merged into a project that people edited."""

import json
import re
from pathlib import Path

import pytest

from pulumi_dataprotection.adoption.staging import exclusive
from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from support import Emulator
from support.cli.adopting import adopt, files

CONTOSO = "customer/tenants/contoso/contoso-workspace.yaml"
NOTHING_TO_DO = [
    "0 merged, 0 edits by hand kept, 0 to decide",
    "23 to adopt, 0 to write (protections: 20, organizations: 3)",
]


@pytest.fixture
def estate(emulator: Emulator, tmp_path: Path) -> Path:
    """A project of the demo estate."""
    folder = tmp_path / "estate"
    assert adopt(emulator, folder).exit_code == 0
    return folder


def protect(emulator: Emulator, number: int, policy: str) -> None:
    """Assign a policy in the portal, in place of another policy."""
    item = f"res-contoso-user-{number:02}"
    known = [one["id"] for one in emulator.state()["protections"] if one["resource_id"] == item]
    id = known[0] if known else f"prot-{item}"
    protection = {"id": id, "resource_id": item, "policy_id": f"policy-contoso-{policy}", "job_id": f"job-{id}"}
    emulator.patch({"protections": [{"tenant_id": "tenant-contoso", **protection}]})


def edit(folder: Path, *changes: tuple[str, str]) -> str:
    """Edit the data file of Contoso by hand, and return its text."""
    text = (folder / CONTOSO).read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / CONTOSO).write_text(text, "utf-8")
    return text


@pytest.mark.parametrize("options", [[], ["--as", "rules"], ["--layout", "single"], ["--own"]])
def test_an_update_without_changes_changes_no_file(emulator: Emulator, tmp_path: Path, options: list[str]) -> None:
    adopt(emulator, tmp_path / "estate", *options)
    before = files(tmp_path)
    emulator.clear_requests()
    result = adopt(emulator, tmp_path / "estate", "--update")
    assert (0, NOTHING_TO_DO) == (result.exit_code, result.stdout.splitlines()), result.output
    assert before == files(tmp_path)
    assert [] == emulator.writes()


@pytest.mark.parametrize("preset", PRESETS)
def test_each_dialect_is_updated(emulator: Emulator, tmp_path: Path, preset: str) -> None:
    emulator.set_dialect(preset)
    adopt(emulator, tmp_path / "estate")
    before = files(tmp_path)
    assert 0 == adopt(emulator, tmp_path / "estate", "--update").exit_code
    assert before == files(tmp_path)


def test_newcomers_and_changes_are_merged_and_edits_by_hand_stay(emulator: Emulator, estate: Path) -> None:
    edited = edit(
        estate,
        ("    - Finance\n", "    # the board wants this\n    - Finance  # ticket 7\n"),
        ("    - jane.doe@contoso.example\n", ""),
    )
    protect(emulator, 11, "gold")
    result = adopt(emulator, estate, "--update")
    assert 0 == result.exit_code, result.output
    (newcomer,) = [one["name"] for one in emulator.state()["resources"] if one["id"] == "res-contoso-user-11"]
    updated = (estate / CONTOSO).read_text("utf-8").splitlines()
    assert [line for line in updated if newcomer not in line] == edited.splitlines()
    assert f"    - {newcomer}" in updated
    assert "1 merged, 1 edits by hand kept, 0 to decide" in result.stdout
    again = adopt(emulator, estate, "--update")
    assert "0 merged, 1 edits by hand kept, 0 to decide" in again.stdout


def test_a_contradiction_is_listed_and_force_decides_for_the_service(emulator: Emulator, estate: Path) -> None:
    line = "    - jane.doe@contoso.example\n"
    edited = edit(estate, (line, ""), ("  Gold:\n", f"  Gold:\n{line}"))
    protect(emulator, 1, "bronze")
    for _ in range(2):
        result = adopt(emulator, estate, "--update")
        assert 1 == result.exit_code
        assert all(part in result.stderr for part in (CONTOSO, "jane.doe@contoso.example", '"Gold"', '"Bronze"'))
        assert edited == (estate / CONTOSO).read_text("utf-8")
    forced = adopt(emulator, estate, "--update", "--force")
    assert (0, NOTHING_TO_DO[1]) == (forced.exit_code, forced.stdout.splitlines()[-1]), forced.output
    assert adopt(emulator, estate, "--check").exit_code == 0


def test_the_report_as_json_has_the_changes(emulator: Emulator, estate: Path) -> None:
    protect(emulator, 11, "gold")
    changes = json.loads(adopt(emulator, estate, "--update", "--json").stdout)["update"]
    assert [(CONTOSO, "res-contoso-user-11", None, "Gold")] == [
        (one["path"], one["id"], one["file"], one["service"]) for one in changes["merged"]
    ]


def test_a_new_tenant_gets_a_file_and_the_names_of_the_others_stay(emulator: Emulator, estate: Path) -> None:
    before = files(estate)
    new = {"id": "tenant-a", "org_id": "org-a", "name": "contoso workspace", "created_at": "2026-01-01T00:00:00Z"}
    emulator.patch(
        {
            "orgs": [{"id": "org-a", "external_id": "crm-1", "name": "CONTOSO", "parent_org_id": "org-alpine"}],
            "tenants": [new],
            "policies": [{"tenant_id": "tenant-a", "id": "policy-a", "name": "Gold"}],
            "resources": [{"tenant_id": "tenant-a", "id": "res-a", "name": "ann@a.example", "kind": "office_user"}],
            "protections": [
                {
                    "tenant_id": "tenant-a",
                    "id": "prot-a",
                    "resource_id": "res-a",
                    "policy_id": "policy-a",
                    "job_id": "j",
                }
            ],
        }
    )
    result = adopt(emulator, estate, "--update")
    assert 0 == result.exit_code, result.output
    after = files(estate)
    assert before.keys() <= after.keys()
    added = {path for path in after.keys() - before.keys() if not path.startswith(".adopted")}
    assert {"customer/Pulumi.contoso-*.yaml", "customer/tenants/contoso-*/contoso-workspace.yaml"} == {
        re.sub("contoso-[0-9a-f]{6}", "contoso-*", path) for path in added
    }
    assert before[CONTOSO] == after[CONTOSO]
    assert "external_id: crm-1\n" in after["msp/orgs.yaml"]


def test_a_file_that_was_edited_and_has_no_merge_stays_until_force(emulator: Emulator, estate: Path) -> None:
    orgs = estate / "msp/orgs.yaml"
    orgs.write_text(f"# ours\n{orgs.read_text('utf-8')}", "utf-8")
    emulator.patch({"orgs": [{"id": "org-b", "external_id": "crm-2", "name": "B", "parent_org_id": "org-alpine"}]})
    result = adopt(emulator, estate, "--update")
    assert (1, True) == (result.exit_code, "msp/orgs.yaml differs" in result.stderr)
    assert orgs.read_text("utf-8").startswith("# ours\n")
    assert 0 == adopt(emulator, estate, "--update", "--force").exit_code
    assert "crm-2" in orgs.read_text("utf-8")


def test_rules_are_inferred_again_unless_somebody_edited_them(emulator: Emulator, tmp_path: Path) -> None:
    folder = tmp_path / "estate"
    adopt(emulator, folder, "--as", "rules")
    protect(emulator, 11, "gold")
    assert 0 == adopt(emulator, folder, "--update").exit_code
    assert 0 == adopt(emulator, folder, "--check").exit_code
    edited = edit(folder, ("rules:\n", "# ours\nrules:\n"))
    protect(emulator, 12, "gold")
    result = adopt(emulator, folder, "--update")
    assert (1, True) == (result.exit_code, f"{CONTOSO} differs" in result.stderr)
    assert edited == (folder / CONTOSO).read_text("utf-8")


@pytest.mark.parametrize("style", ["names", "rules"])
def test_a_file_keeps_its_form_and_its_answer_to_conflicts(emulator: Emulator, tmp_path: Path, style: str) -> None:
    folder = tmp_path / "estate"
    adopt(emulator, folder, "--as", style, "--on-conflict", "accept")
    before = files(folder)
    for options in (["--update"], ["--update", "--force"], ["--update", "--as", "rules"]):
        assert 0 == adopt(emulator, folder, *options).exit_code
        assert before == files(folder)


def test_two_files_of_one_tenant_are_an_error_and_no_file_changes(emulator: Emulator, estate: Path) -> None:
    protect(emulator, 11, "gold")
    (estate / CONTOSO).with_name("copy.yaml").write_text((estate / CONTOSO).read_text("utf-8"), "utf-8")
    before = files(estate)
    result = adopt(emulator, estate, "--update")
    assert (1, True) == (result.exit_code, "copy.yaml" in result.stderr)
    assert before == files(estate)


def test_a_report_in_another_encoding_counts_as_edited(emulator: Emulator, estate: Path) -> None:
    (estate / "report.md").write_bytes(b"\xfc ber\n")
    result = adopt(emulator, estate, "--update")
    assert (1, True) == (result.exit_code, "report.md differs" in result.stderr)
    assert b"\xfc ber\n" == (estate / "report.md").read_bytes()


def test_a_scope_updates_only_its_tenants(emulator: Emulator, estate: Path) -> None:
    before = files(estate)
    protect(emulator, 11, "gold")
    assert 0 == adopt(emulator, estate, "--update", "--tenant", "tenant-adatum").exit_code
    assert before == files(estate)
    assert 0 == adopt(emulator, estate, "--update", "--tenant", "tenant-contoso").exit_code
    assert {CONTOSO} == {path for path, text in files(estate).items() if before[path] != text and path[0] != "."}


def test_a_tenant_that_was_deleted_is_listed(emulator: Emulator, estate: Path) -> None:
    emulator.patch({"tenants": [{"id": "tenant-contoso", "terminated": True}]})
    result = adopt(emulator, estate, "--update")
    assert (1, True) == (result.exit_code, f"{CONTOSO}: the tenant was not found" in result.stderr)
    assert (estate / CONTOSO).exists()


def test_a_tenant_that_cannot_be_read_keeps_its_file_and_the_others_are_merged(
    emulator: Emulator, estate: Path
) -> None:
    protect(emulator, 11, "gold")
    fault = {"operation": "list_resources", "path": "*/tenant-adatum/*", "do": [{"status": 403}]}
    with emulator.faults(fault):
        result = adopt(emulator, estate, "--update")
    assert (1, True) == (result.exit_code, "tenant-adatum" in result.stderr)
    assert "1 merged" in result.stdout


@pytest.mark.parametrize("fault", ["short_list:3", "no_items"])
def test_a_list_that_lacks_protections_removes_nobody_from_a_file(emulator: Emulator, estate: Path, fault: str) -> None:
    before = files(estate)
    rule = {"operation": "list_protections", "path": "*/tenant-contoso/*", "do": [fault] * 3}
    with emulator.possible_faults(rule):
        result = adopt(emulator, estate, "--update")
    assert (1, True) == (result.exit_code, "left out tenant tenant-contoso" in result.stderr), result.output
    assert before[CONTOSO] == (estate / CONTOSO).read_text("utf-8")


def test_a_second_process_does_not_update_the_same_project(emulator: Emulator, estate: Path) -> None:
    with exclusive(estate):
        result = adopt(emulator, estate, "--update")
    assert (1, True) == (result.exit_code, "another process" in result.stderr)


@pytest.mark.parametrize(
    "options", [["--check", "--update"], ["--force"], ["--update", "--own"], ["--update", "--layout", "single"]]
)
def test_options_that_contradict_each_other_are_rejected(
    emulator: Emulator, tmp_path: Path, options: list[str]
) -> None:
    assert 2 == adopt(emulator, tmp_path / "estate", *options).exit_code


def test_a_folder_without_a_project_is_not_updated(emulator: Emulator, tmp_path: Path) -> None:
    result = adopt(emulator, tmp_path, "--update")
    assert (1, True) == (result.exit_code, "has no data file" in result.stderr)
    assert [] == [*tmp_path.iterdir()]


def test_an_invalid_file_is_an_error_and_no_file_changes(emulator: Emulator, estate: Path) -> None:
    protect(emulator, 11, "gold")
    edit(estate, ("  Gold:\n", "  Gold: yes\n"))
    before = files(estate)
    result = adopt(emulator, estate, "--update")
    assert (1, True) == (result.exit_code, "contoso-workspace.yaml, line" in result.stderr)
    assert before == files(estate)
