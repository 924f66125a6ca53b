"""`dataprotection coverage`: the counts of each tenant, the gates, the ignore file, and parts that cannot be read."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from support import Emulator
from support.cli.running import run_command
from support.inventory.states import protection, write_state

CONTOSO, ADATUM = "tenant-contoso", "tenant-adatum"
USERS, DRIVES = "office_user", "office_teamdrive"


def rows(text: str) -> dict[tuple[str, str], dict[str, str]]:
    """Return the rows of CSV by tenant and kind."""
    return {(row["tenant_id"], row["kind"]): row for row in csv.DictReader(io.StringIO(text))}


def counts(emulator: Emulator, *options: str) -> dict[tuple[str, str], dict[str, str]]:
    """Run the command, and return its rows."""
    result = run_command(emulator, "coverage", "--format", "csv", *options)
    assert 0 == result.exit_code, result.stderr
    return rows(result.stdout)


def write_protections(folder: Path, stack: str, *item_ids: str) -> str:
    """Write the state of a stack with a protection for each item, and return its path."""
    return str(
        write_state(folder, *(protection(id, "policy-contoso-gold", stack=stack) for id in item_ids), stack=stack)
    )


def test_each_kind_of_each_tenant_has_a_row_with_its_organization(emulator: Emulator) -> None:
    found = counts(emulator)
    assert [(CONTOSO, DRIVES), (CONTOSO, USERS), (ADATUM, DRIVES), (ADATUM, USERS)] == [*found]
    users = found[CONTOSO, USERS]
    assert ("org-contoso", "Contoso", "Contoso Workspace") == (users["org_id"], users["org_name"], users["tenant_name"])
    numbers = ("count", "protected", "by_code", "in_portal", "unprotected", "archived_protected", "percent")
    assert ["29", "8", "", "", "21", "0", "27.5"] == [users[name] for name in numbers]


@pytest.mark.parametrize(
    ("options", "tenants"),
    [
        ((), {CONTOSO, ADATUM}),
        (("--tenant", ADATUM), {ADATUM}),
        (("--org", "org-contoso"), {CONTOSO}),
        (("--org", "org-alpine"), set[str]()),
        (("--org", "org-alpine", "--recursive"), {CONTOSO}),
    ],
)
def test_the_options_choose_the_tenants(emulator: Emulator, options: tuple[str, ...], tenants: set[str]) -> None:
    assert tenants == {tenant for tenant, _ in counts(emulator, *options)}


def test_the_organization_of_the_option_has_its_name(emulator: Emulator) -> None:
    assert {"Contoso"} == {row["org_name"] for row in counts(emulator, "--org", "org-contoso").values()}
    with emulator.faults({"operation": "get_org", "do": ["status:403"]}):
        assert {""} == {row["org_name"] for row in counts(emulator, "--org", "org-contoso").values()}


def test_a_key_of_a_tenant_is_enough_and_nothing_is_written(emulator: Emulator) -> None:
    emulator.reset("one-tenant")
    assert {""} == {row["org_id"] for row in counts(emulator).values()}
    assert [] == emulator.writes()


def test_each_page_of_each_tenant_is_read_once(emulator: Emulator) -> None:
    emulator.reset("large:30x2")
    assert 30 == len({tenant for tenant, _ in counts(emulator)})
    operations = [request["operation"] for request in emulator.requests()]
    each = {name: operations.count(name) for name in ("list_policies", "list_protections", "list_resources")}
    assert dict.fromkeys(each, 30) == each


def test_a_policy_of_a_stack_is_counted_apart(emulator: Emulator, tmp_path: Path) -> None:
    protected = [p["resource_id"] for p in emulator.state()["protections"] if p["tenant_id"] == CONTOSO]
    users = [id for id in protected if "user" in id]
    bare = "res-contoso-user-12"
    north = write_protections(tmp_path, "north", *users[:3], bare)
    south = write_protections(tmp_path, "south", users[2], users[3])
    result = run_command(emulator, "coverage", "--format", "json", "--state", north, "--state", south)
    found: dict[str, Any] = {row["kind"]: row for row in json.loads(result.stdout) if row["tenant_id"] == CONTOSO}
    assert (4, 4, 8) == tuple(found[USERS][name] for name in ("by_code", "in_portal", "protected"))
    assert {"north": 3, "south": 2} == found[USERS]["stacks"]
    assert (0, 2, {}) == tuple(found[DRIVES][name] for name in ("by_code", "in_portal", "stacks"))
    # The item that two stacks declare is one protected item, and a warning.
    assert ["Warning"] == re.findall(f"^(Warning): .*{CONTOSO}.*: {users[2]}$", result.stderr, re.MULTILINE)


def test_a_state_that_cannot_be_read_is_named_and_left_out(emulator: Emulator, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    good = write_protections(tmp_path, "good", "res-contoso-user-01")
    result = run_command(
        emulator, "coverage", "--format", "csv", "--state", str(tmp_path / "broken.json"), "--state", good
    )
    assert 1 == result.exit_code
    assert "1" == rows(result.stdout)[CONTOSO, USERS]["by_code"]
    assert re.search("Error: left out the state of .*broken", result.stderr)


@pytest.mark.parametrize(
    ("options", "status", "failures"),
    [
        (("--fail-under", "25.6"), 0, 0),
        (("--fail-under", "25.7"), 7, 1),
        (("--max-unprotected", "58"), 0, 0),
        (("--max-unprotected", "57"), 7, 1),
        (("--max-unprotected", "57", "--fail-under", "100"), 7, 2),
        (("--fail-under", "101"), 2, 1),
    ],
)
def test_a_gate_fails_the_command(emulator: Emulator, options: tuple[str, ...], status: int, failures: int) -> None:
    result = run_command(emulator, "coverage", *options)
    assert (status, failures) == (result.exit_code, len(re.findall("^Error: ", result.stderr, re.MULTILINE)))


def test_excluded_items_do_not_count_against_the_gates(emulator: Emulator, tmp_path: Path) -> None:
    ignore = tmp_path / "ignore.csv"
    ignore.write_text("﻿pattern,kind,until,reason\n*,office_teamdrive,,No drives\n*,,2020-01-01,Before\n")
    result = run_command(emulator, "coverage", "--format", "csv", "--ignore", str(ignore), "--max-unprotected", "39")
    assert 0 == result.exit_code, result.stderr
    drives = rows(result.stdout)[CONTOSO, DRIVES]
    assert ("11", "2", "0", "9", "100.0") == tuple(
        drives[name] for name in ("count", "protected", "unprotected", "excluded", "percent")
    )
    assert re.search("^Warning: line 3 .* 2020-01-01$", result.stderr, re.MULTILINE)


@pytest.mark.parametrize("content", [b"pattern,reason\n,x\n", b"\xff\xfe", None])
def test_an_ignore_file_that_cannot_be_read_fails_before_any_call(
    emulator: Emulator, tmp_path: Path, content: bytes | None
) -> None:
    ignore = tmp_path / "ignore.csv"
    if content is not None:
        ignore.write_bytes(content)
    result = run_command(emulator, "coverage", "--ignore", str(ignore))
    assert (1, "", True) == (result.exit_code, result.stdout, "ignore.csv" in result.stderr)
    assert [] == emulator.requests()


@pytest.mark.parametrize("output_format", ["table", "json", "csv"])
def test_a_tenant_that_cannot_be_read_is_left_out_and_no_gate_hides_it(emulator: Emulator, output_format: str) -> None:
    fault = {"operation": "list_resources", "path": f"*/{CONTOSO}/*", "do": ["status:403"]}
    with emulator.faults(fault):
        result = run_command(emulator, "coverage", "--format", output_format, "--fail-under", "100")
    assert (1, False, True) == (result.exit_code, CONTOSO in result.stdout, ADATUM in result.stdout)
    assert re.search(f'^Error: left out tenant {CONTOSO} "Contoso Workspace": .*403', result.stderr, re.MULTILINE)


@pytest.mark.parametrize("output_format", ["table", "json", "csv"])
def test_another_error_ends_the_output_where_it_is(emulator: Emulator, output_format: str) -> None:
    with emulator.faults({"operation": "list_resources", "path": f"*/{ADATUM}/*", "do": ["status:401"]}):
        result = run_command(emulator, "coverage", "--format", output_format)
    assert (1, True, False) == (result.exit_code, CONTOSO in result.stdout, ADATUM in result.stdout)
    assert re.search("^Error: .*401", result.stderr, re.MULTILINE)
    if output_format == "json":
        assert 2 == len(json.loads(result.stdout))


def test_a_tenant_that_does_not_exist_is_left_out(emulator: Emulator) -> None:
    result = run_command(emulator, "coverage", "--tenant", "nowhere")
    assert (1, "") == (result.exit_code, result.stdout)
    assert re.match("Error: left out tenant nowhere: .*404", result.stderr)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--tenant", CONTOSO, "--org", "org-contoso"), "--org"),
        (("--recursive",), "--recursive"),
        (("--org", " "), "--org"),
        (("--tenant", ""), "--tenant"),
        (("--state", ""), "--state"),
        (("--stacks", " "), "--stacks"),
    ],
)
def test_the_options_are_checked_before_any_call(emulator: Emulator, options: tuple[str, ...], named: str) -> None:
    result = run_command(emulator, "coverage", *options)
    assert (2, "", True) == (result.exit_code, result.stdout, named in result.stderr)
    assert [] == emulator.requests()


def test_a_name_of_the_service_cannot_write_to_the_terminal(emulator: Emulator) -> None:
    name = "\x1b[31mred\n::error::x\u202e"
    emulator.patch({"tenants": [{"id": CONTOSO, "name": name}]})
    for output_format in ("table", "csv", "json"):
        result = run_command(emulator, "coverage", "--format", output_format)
        assert 0 == result.exit_code
        assert not {"\x1b", "\u202e"} & {*result.stdout, *result.stderr}
    with emulator.faults({"operation": "list_resources", "do": ["status:403"]}):
        result = run_command(emulator, "coverage")
    assert not {"\x1b", "\u202e"} & {*result.stderr}
    assert 2 == len(result.stderr.splitlines())


def test_no_setting_is_an_error_that_names_the_setting(emulator: Emulator) -> None:
    result = run_command(emulator, "coverage", DATAPROTECTION_API_KEY="")
    assert (1, "", True) == (result.exit_code, result.stdout, "DATAPROTECTION_API_KEY" in result.stderr)
