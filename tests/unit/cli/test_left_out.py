"""Commands about all customers leave out a tenant or an organization that cannot be read, report it, and go on."""

from pathlib import Path

import pytest
from click.testing import Result

from support import Emulator
from support.cli.running import run_command

COMMANDS = {
    "adopt": ("adopt", "--out", "estate"),
    "coverage": ("coverage",),
    "get": ("get", "protections", "--all-tenants"),
    "licences": ("licences",),
    "report": ("report", "--out", "report.json"),
}
UNUSABLE = ["..", " ", "a\nb"]
"""Ids that no request can carry."""


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """A command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return COMMANDS[str(request.param)]


def assert_left_out(result: Result, folder: Path, *parts: str) -> None:
    """Assert that a command reports a part as unreadable, and has read the tenant of Adatum."""
    assert 1 == result.exit_code, result.output
    assert isinstance(result.exception, SystemExit), result.exc_info
    written = [path.read_text("utf-8") for path in folder.rglob("report.*")]
    for part in (*parts, "tenant-adatum"):
        assert any(part in text for text in (result.output, *written)), result.output


@pytest.mark.parametrize(
    "fault", ["status:400", "status:403", "status:404", "disguised:403", {"status": 200, "body": "<html>"}]
)
def test_a_tenant_that_cannot_be_read(
    emulator: Emulator, tmp_path: Path, command: tuple[str, ...], fault: object
) -> None:
    rules = [{"path": "*/tenant-contoso/*", "do": [fault] * 9}]
    with emulator.possible_faults(*rules):
        result = run_command(emulator, *command)
    assert_left_out(result, tmp_path, "tenant-contoso")


@pytest.mark.parametrize("id", UNUSABLE)
def test_a_tenant_whose_id_no_request_can_carry(
    emulator: Emulator, tmp_path: Path, command: tuple[str, ...], id: str
) -> None:
    odd = {"id": id, "org_id": "org-contoso", "name": "Odd", "created_at": "2026-01-01T00:00:00Z"}
    emulator.patch({"tenants": [odd], "installations": [{"id": "odd", "key_name": "Full access", "tenant_id": id}]})
    assert_left_out(run_command(emulator, *command), tmp_path, "Odd", "tenant-contoso", "tenant_id")


@pytest.mark.parametrize("id", UNUSABLE)
def test_an_organization_whose_id_no_request_can_carry(
    emulator: Emulator, tmp_path: Path, command: tuple[str, ...], id: str
) -> None:
    odd = {"id": id, "external_id": "crm-odd", "name": "Odd", "parent_org_id": "org-alpine"}
    emulator.patch({"orgs": [odd], "installations": [{"id": "odd", "key_name": "Full access", "org_id": id}]})
    assert_left_out(run_command(emulator, *command), tmp_path, "organization", "org_id", "tenant-contoso")
