"""`dataprotection get` for several tenants, and for the organization of the key."""

import json
import re
from collections.abc import Iterable

import pytest

from support import Emulator
from support.cli.getting import csv_rows, get

FORMATS = ["table", "json", "csv", "md"]
PROTECTIONS = ("protections", "--all-tenants")
FOUND = {"policies": 3, "protections": 10, "tenant-quotas": 2}
"""The rows of each tenant of the seed."""


def tenants_in(found: Iterable[dict[str, str]]) -> list[tuple[str, str]]:
    """Return the tenants of rows in the order of their first rows."""
    return [*dict.fromkeys((row["tenant_id"], row["tenant_name"]) for row in found)]


CONTOSO = ("tenant-contoso", "Contoso Workspace")
ADATUM = ("tenant-adatum", "Adatum Workspace")

SCOPES = {
    "--all-tenants": [CONTOSO, ADATUM],
    "--org org-meridian --recursive": [CONTOSO, ADATUM],
    "--org org-alpine --recursive": [CONTOSO],
    "--org org-contoso": [CONTOSO],
    "--org org-alpine": [],
}


@pytest.mark.parametrize("command", FOUND)
@pytest.mark.parametrize("options", SCOPES)
def test_each_row_has_its_tenant_in_front(emulator: Emulator, command: str, options: str) -> None:
    result = get(emulator, command, *options.split(), "--format", "csv")
    found = csv_rows(result.stdout)
    assert (0, "") == (result.exit_code, result.stderr)
    assert SCOPES[options] == tenants_in(found)
    assert FOUND[command] * len(SCOPES[options]) == len(found)
    assert re.match("tenant_id,tenant_name,(id|kind),", result.stdout)
    records = json.loads(get(emulator, command, *options.split(), "--format", "json").stdout)
    assert SCOPES[options] == tenants_in(records)
    table = get(emulator, command, *options.split())
    if not found:
        assert ("", f"no {command.replace('-', ' ')}\n") == (table.stdout, table.stderr)
    for tenant_id, name in SCOPES[options]:
        assert re.search(f"^{tenant_id}  +{name}  ", table.stdout, re.MULTILINE)


def test_deleted_tenants_are_skipped_and_each_tenant_comes_once(emulator: Emulator) -> None:
    emulator.patch(
        {
            "tenants": [{"id": "tenant-left", "org_id": "org-contoso", "name": "Left", "terminated": True}],
            "installations": [
                {"id": "installation-3", "key_name": "Full access", "tenant_id": "tenant-adatum"},
                {"id": "installation-4", "key_name": "Full access", "tenant_id": "tenant-left"},
                {"id": "installation-5", "key_name": "Full access", "org_id": "org-alpine"},
            ],
        }
    )
    result = get(emulator, *PROTECTIONS, "--format", "csv")
    assert (0, "", {CONTOSO, ADATUM}) == (result.exit_code, result.stderr, {*tenants_in(csv_rows(result.stdout))})
    assert 20 == len(csv_rows(result.stdout))


def test_a_key_of_a_tenant_reaches_this_tenant(emulator: Emulator) -> None:
    emulator.reset("one-tenant")
    result = get(emulator, "policies", "--all-tenants", "--format", "csv")
    assert (0, "", [CONTOSO]) == (result.exit_code, result.stderr, tenants_in(csv_rows(result.stdout)))


@pytest.mark.parametrize("status", [403, 404])
@pytest.mark.parametrize("output_format", FORMATS)
def test_a_tenant_that_cannot_be_read_is_reported_and_left_out(
    emulator: Emulator, output_format: str, status: int
) -> None:
    fault = {"operation": "list_protections", "path": "*/tenant-contoso/*", "do": [{"status": status}]}
    with emulator.faults(fault):
        result = get(emulator, *PROTECTIONS, "--format", output_format)
    assert (1, False, True) == (
        result.exit_code,
        "tenant-contoso" in result.stdout,
        "prot-adatum-01" in result.stdout,
    )
    assert re.fullmatch(
        f'Error: left out tenant tenant-contoso "Contoso Workspace": get_protections: .*{status}.*\n', result.stderr
    )
    if output_format == "json":
        assert 10 == len(json.loads(result.stdout))


def test_a_tenant_without_the_policy_is_reported_and_left_out(emulator: Emulator) -> None:
    emulator.patch({"policies": [{"tenant_id": "tenant-contoso", "id": "policy-contoso-gold", "name": "Platinum"}]})
    result = get(emulator, "policy", "--all-tenants", "--policy", "Gold", "--format", "json")
    assert (1, ["policy-adatum-gold"]) == (result.exit_code, [policy["id"] for policy in json.loads(result.stdout)])
    assert 'no policy "Gold" in tenant tenant-contoso' in result.stderr


@pytest.mark.parametrize(
    ("operation", "number", "left_out"), [("list_tenants", 4, "tenants of organization"), ("list_orgs", 2, "below")]
)
def test_an_organization_that_cannot_be_read_is_reported_and_left_out(
    emulator: Emulator, operation: str, number: int, left_out: str
) -> None:
    with emulator.faults({"operation": operation, "nth": number, "do": [{"status": 403}]}):
        result = get(emulator, *PROTECTIONS, "--format", "csv")
    assert (1, 1) == (result.exit_code, len(tenants_in(csv_rows(result.stdout))))
    assert re.fullmatch(f"Error: left out the .*{left_out} .*: .*403.*\n", result.stderr)


@pytest.mark.parametrize("output_format", FORMATS)
def test_nothing_is_printed_if_nothing_can_be_read(emulator: Emulator, output_format: str) -> None:
    result = get(emulator, "protections", "--org", "org-nowhere", "--recursive", "--format", output_format)
    assert (1, "") == (result.exit_code, result.stdout)
    assert re.match("Error: left out the tenants of organization org-nowhere: .*404", result.stderr)


@pytest.mark.parametrize("output_format", FORMATS)
def test_another_error_ends_the_output_where_it_is(emulator: Emulator, output_format: str) -> None:
    with emulator.faults({"operation": "list_protections", "nth": 2, "do": [{"status": 401}]}):
        result = get(emulator, *PROTECTIONS, "--format", output_format)
    assert (1, True, False) == (
        result.exit_code,
        "tenant-contoso" in result.stdout,
        "tenant-adatum" in result.stdout,
    )
    assert re.fullmatch("Error: get_protections: .*401.*\n", result.stderr)
    if output_format == "json":
        assert 10 == len(json.loads(result.stdout))


def test_an_error_before_the_first_tenant_prints_nothing(emulator: Emulator) -> None:
    with emulator.faults({"operation": "list_installations", "do": [{"status": 401}]}):
        result = get(emulator, *PROTECTIONS, "--format", "json")
    assert (1, "") == (result.exit_code, result.stdout)
    assert re.fullmatch("Error: get_protections: cannot list the installations.*401.*\n", result.stderr)


def test_a_cycle_of_organizations_ends(emulator: Emulator) -> None:
    emulator.patch({"orgs": [{"id": "org-meridian", "parent_org_id": "org-contoso"}]})
    found = tenants_in(csv_rows(get(emulator, *PROTECTIONS, "--format", "csv").stdout))
    assert {CONTOSO, ADATUM} == {*found}


def test_one_call_is_sent_for_each_tenant_and_two_for_each_organization(emulator: Emulator) -> None:
    emulator.reset("large:30x2")
    result = get(emulator, "tenant-quotas", "--all-tenants", "--format", "json")
    assert 0 == result.exit_code
    operations = [request["operation"] for request in emulator.requests()]
    assert ["list_installations", "list_tenants"] == operations[:2]
    assert 30 == operations.count("get_tenant_quotas")
    assert 33 == len(operations)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("resources", "Missing option '--tenant', or for several tenants '--all-tenants' or '--org'."),
        ("resources --tenant tenant-contoso --all-tenants", "only one of"),
        ("resources --tenant tenant-contoso --org org-contoso", "only one of"),
        ("resources --all-tenants --org org-contoso", "only one of"),
        ("resources --all-tenants --recursive", "'--recursive' needs '--org'"),
        ("resources --org=", "'--org' must not be empty"),
    ],
)
def test_the_options_for_tenants_are_checked_before_any_call(emulator: Emulator, words: str, expected: str) -> None:
    result = get(emulator, *words.split())
    assert (2, "", True) == (result.exit_code, result.stdout, expected in result.stderr)
    assert [] == emulator.requests()


OF_AN_ORG = ["licences", "subscription-history", "subscriptions", "tenants"]


@pytest.mark.parametrize("command", OF_AN_ORG)
def test_the_organization_is_by_default_that_of_the_key(emulator: Emulator, command: str) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "key_name": "Full access", "org_id": "org-contoso"}]})
    assert emulator.state()["installations"][0]["org_id"] == "org-contoso"
    given = get(emulator, command, "--org", "org-contoso", "--format", "csv")
    default = get(emulator, command, "--format", "csv")
    assert (0, "") == (default.exit_code, default.stderr)
    assert [row.get("id") for row in csv_rows(given.stdout)] == [row.get("id") for row in csv_rows(default.stdout)]
    assert csv_rows(default.stdout)


@pytest.mark.parametrize("command", OF_AN_ORG)
def test_a_key_of_several_organizations_needs_the_option(emulator: Emulator, command: str) -> None:
    emulator.patch({"installations": [{"id": "installation-3", "key_name": "Full access", "org_id": "org-alpine"}]})
    result = get(emulator, command)
    assert (1, "") == (result.exit_code, result.stdout)
    assert re.fullmatch(
        r"Error: get_\w+: .* for 2 \(org-meridian, org-alpine\) .*: name it with --org\n", result.stderr
    )


@pytest.mark.parametrize("command", OF_AN_ORG)
def test_a_key_of_a_tenant_has_no_organization(emulator: Emulator, command: str) -> None:
    emulator.reset("one-tenant")
    result = get(emulator, command)
    assert (1, "") == (result.exit_code, result.stdout)
    assert re.fullmatch(r"Error: get_\w+: .* needs an organization: .*\n", result.stderr)
