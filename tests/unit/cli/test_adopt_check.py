"""`dataprotection adopt --check`: the gate for a project that exists."""

import json
from pathlib import Path

import pytest

from support import Emulator
from support.cli.adopting import adopt

CONTOSO = "tenants/contoso/contoso-workspace.yaml"


@pytest.fixture(params=["stack-per-customer", "single"])
def project(request: pytest.FixtureRequest, emulator: Emulator, tmp_path: Path) -> Path:
    """A project of the demo estate."""
    assert 0 == adopt(emulator, tmp_path / "estate", "--layout", str(request.param)).exit_code
    emulator.clear_requests()
    return tmp_path / "estate"


def data_file(project: Path) -> Path:
    (found,) = project.rglob(CONTOSO)
    return found


def test_an_unchanged_estate_passes(emulator: Emulator, project: Path) -> None:
    result = adopt(emulator, project, "--check")
    assert (0, "23 to adopt, 0 to write (protections: 20, organizations: 3)\n") == (result.exit_code, result.stdout)
    assert [] == emulator.writes()


def test_a_newcomer_without_a_line_changes_nothing(emulator: Emulator, project: Path) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "res-new", "name": "new@contoso.example"}]})
    assert 0 == adopt(emulator, project, "--check").exit_code


@pytest.mark.parametrize(
    ("change", "writes", "named"),
    [
        ({"protections": [{"id": "prot-contoso-01", "deleted": True}]}, 1, "jane.doe@contoso.example"),
        ({"protections": [{"id": "prot-contoso-01", "policy_id": "policy-contoso-gold"}]}, 0, "jane.doe"),
        ({"resources": [{"id": "res-contoso-user-01", "archived": True}]}, 0, "jane.doe"),
        ({"policies": [{"id": "policy-contoso-gold", "name": "Platinum"}]}, 0, "Gold"),
        ({"orgs": [{"id": "org-contoso", "name": "Fabrikam"}]}, 0, "Fabrikam"),
        ({"orgs": [{"id": "org-contoso", "external_id": "crm-7", "name": "Fabrikam"}]}, 1, "contoso"),
    ],
)
def test_a_change_in_the_portal_fails_and_is_named(
    emulator: Emulator, project: Path, change: dict[str, list[dict[str, object]]], writes: int, named: str
) -> None:
    tables = {"protections", "resources", "policies"}
    document = {
        table: [{**one, "tenant_id": "tenant-contoso"} if table in tables else one for one in records]
        for table, records in change.items()
    }
    emulator.patch(document)
    result = adopt(emulator, project, "--check", "--json")
    content = json.loads(result.stdout)
    assert (1, writes, 1) == (result.exit_code, content["to_write"], len(content["problems"]))
    assert named in content["problems"][0]
    assert f"Error: {content['problems'][0].splitlines()[0]}" in result.stderr


@pytest.mark.parametrize("status", [403, 404])
def test_a_tenant_that_cannot_be_read_fails_and_the_others_are_checked(
    emulator: Emulator, project: Path, status: int
) -> None:
    fault = {"operation": "list_protections", "path": "*/tenant-contoso/*", "do": [{"status": status}] * 9}
    with emulator.possible_faults(fault):
        result = adopt(emulator, project, "--check")
    assert (1, True) == (result.exit_code, result.stdout.startswith("13 to adopt, 0 to write"))
    assert CONTOSO in result.stderr


def test_organizations_that_cannot_be_read_fail(emulator: Emulator, project: Path) -> None:
    with emulator.faults({"operation": "list_orgs", "do": [{"status": 403}]}):
        result = adopt(emulator, project, "--check")
    assert (1, True) == (result.exit_code, "orgs.yaml" in result.stderr)
    with emulator.faults({"operation": "get_org", "do": [{"status": 404}]}):
        result = adopt(emulator, project, "--check")
    assert (1, True) == (result.exit_code, "alpine-it-services" in result.stderr)


def test_a_tenant_in_two_files_fails(emulator: Emulator, project: Path) -> None:
    data_file(project).with_name("copy.yaml").write_text(data_file(project).read_text("utf-8"), "utf-8")
    result = adopt(emulator, project, "--check")
    assert (1, True) == (result.exit_code, "copy.yaml" in result.stderr)


@pytest.mark.parametrize(
    "text", ["", "tenant: [", "tenant: tenant-contoso\npolicies: {Gold: [a, a]}\n", "\x00", "1", "rules: 1"]
)
def test_a_broken_data_file_fails_with_its_path(emulator: Emulator, project: Path, text: str) -> None:
    data_file(project).write_text(text, "utf-8")
    result = adopt(emulator, project, "--check")
    assert (1, "") == (result.exit_code, result.stdout)
    assert CONTOSO in result.stderr


def test_a_data_file_that_is_not_text_fails(emulator: Emulator, project: Path) -> None:
    data_file(project).write_bytes(b"\xff\xfe\xfa")
    result = adopt(emulator, project, "--check")
    assert (1, True) == (result.exit_code, f"{CONTOSO}: 'utf-8'" in result.stderr)


def test_a_newcomer_who_matches_a_rule_is_a_write(emulator: Emulator, project: Path) -> None:
    rules = "tenant: tenant-contoso\nrules:\n  - policy: Gold\n    name: 'new@*'\n"
    data_file(project).write_text(rules, "utf-8")
    assert 0 == adopt(emulator, project, "--check").exit_code
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "res-new", "name": "new@contoso.example"}]})
    result = adopt(emulator, project, "--check")
    assert (1, True) == (result.exit_code, "13 to adopt, 1 to write" in result.stdout)


def test_a_folder_without_a_project_fails(emulator: Emulator, tmp_path: Path) -> None:
    result = adopt(emulator, tmp_path / "nothing", "--check")
    assert (1, True) == (result.exit_code, "nothing" in result.stderr)
