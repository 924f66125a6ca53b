"""`dataprotection get` in rows: one for each quota, count and period, with names beside ids."""

import json
from datetime import timedelta

import pytest

from pulumi_dataprotection.client.records import rfc3339
from support import Emulator
from support.cli.getting import csv_rows, get

TENANT = ("--tenant", "tenant-contoso")
QUOTAS = ("tenant-quotas", *TENANT)
PROTECTIONS = ("protections", *TENANT)


def rows(emulator: Emulator, *words: str) -> list[dict[str, str]]:
    result = get(emulator, *words, "--format", "csv")
    assert (0, "") == (result.exit_code, result.stderr)
    return csv_rows(result.stdout)


def test_each_quota_is_a_row_in_csv_and_in_a_table(emulator: Emulator) -> None:
    assert [("resource", "10", "50", ""), ("storage", "71", "2048", "GB")] == [
        (row["kind"], row["used"], row["limit"], row["units"]) for row in rows(emulator, *QUOTAS)
    ]
    expected = """\
kind      used  limit  units  exceeded  unlimited
resource  10    50            false     false
storage   71    2048   GB     false     false
"""
    assert expected == get(emulator, *QUOTAS).stdout


def test_each_kind_of_resource_is_a_row_and_the_total_too(emulator: Emulator) -> None:
    found = rows(emulator, "resource-stats", *TENANT)
    assert {("tenant-contoso", "office_suite_a", "Contoso Workspace")} == {
        (row["tenant_id"], row["kind"], row["name"]) for row in found
    }
    assert [("office_teamdrive", "11", "2", ""), ("office_user", "30", "8", ""), ("total", "41", "10", "68750000")] == [
        (row["resource_details.kind"], row["count"], row["protected_count"], row["size_total"]) for row in found
    ]


def test_each_action_of_tasks_is_a_row_and_the_total_too(emulator: Emulator) -> None:
    period = ("--start-time", rfc3339(emulator.now() - timedelta(days=20)), "--end-time", rfc3339(emulator.now()))
    words = ("task-stats", *TENANT, *period)
    assert [
        {"action": "backup", "done": "1", "warnings": "1", "failed": "0"},
        {"action": "total", "done": "1", "warnings": "1", "failed": "0"},
    ] == rows(emulator, *words)
    emulator.set_dialect("plain")
    assert ["total"] == [row["action"] for row in rows(emulator, *words)]


def test_each_period_and_each_licensed_item_is_a_row_with_the_name_of_its_tenant(emulator: Emulator) -> None:
    periods = rows(emulator, "subscription-history", "--org", "org-contoso")
    assert [("25", "4510"), ("50", "5979")] == [(row["quantity"], row["amount"]) for row in periods]
    items = rows(emulator, "subscriptions", "--org", "org-contoso")
    assert [("resource", "50")] == [(row["kind"], row["quantity"]) for row in items]
    assert {("tenant-contoso", "Contoso Workspace")} == {
        (row["tenant_id"], row["tenant_name"]) for row in [*periods, *items]
    }


@pytest.mark.parametrize("output_format", ["table", "csv"])
def test_a_record_without_details_is_a_row_if_it_has_values(emulator: Emulator, output_format: str) -> None:
    emulator.set_dialect("foreign")
    emulator.patch({"tenants": [{"id": "tenant-empty", "org_id": "org-contoso", "name": "Empty"}]})
    quotas = get(emulator, "tenant-quotas", "--tenant", "tenant-empty", "--format", output_format)
    assert (
        "kind,used,limit,units,exceeded,unlimited\n" == quotas.stdout if output_format == "csv" else not quotas.stdout
    )
    stats = get(emulator, "resource-stats", "--tenant", "tenant-empty", "--format", output_format).stdout
    assert ("tenant-empty", "total") == tuple(word for word in stats.replace(",", " ").split() if word in WORDS)


WORDS = {"tenant-empty", "total"}


def test_names_stand_beside_the_ids_of_protections(emulator: Emulator) -> None:
    first = rows(emulator, *PROTECTIONS)[0]
    assert ["id", "resource_id", "resource_name", "policy_id", "policy_name", "job_id"] == list(first)
    assert ("jane.doe@contoso.example", "Silver") == (first["resource_name"], first["policy_name"])
    assert first == json.loads(get(emulator, *PROTECTIONS, "--format", "json").stdout)[0]


@pytest.mark.parametrize(
    ("words", "operations"),
    [
        (PROTECTIONS, ["list_protections", "get_resource_stats", "list_resources", "list_policies"]),
        (("task", *TENANT, "--task", "task-contoso-01"), ["get_task", "list_resources"]),
        (("archives", *TENANT), ["list_archives", "list_resources"]),
        (("subscriptions", "--org", "org-contoso"), ["list_subscriptions", "list_tenants"]),
        (("installations",), ["list_installations", "get_org"]),
        (("resources", *TENANT, "--kind", "none"), ["list_resources", "list_protections"]),
    ],
    ids=lambda value: value[0],
)
def test_names_are_read_with_one_call_for_each_list(
    emulator: Emulator, words: tuple[str, ...], operations: list[str]
) -> None:
    get(emulator, *words)
    assert sorted(operations) == sorted(request["operation"] for request in emulator.requests())


@pytest.mark.parametrize(
    ("operation", "left_out"), [("list_resources", "resource_name"), ("list_policies", "policy_name")]
)
def test_names_that_cannot_be_read_are_left_out_with_a_warning(
    emulator: Emulator, operation: str, left_out: str
) -> None:
    with emulator.faults({"operation": operation, "do": [{"status": 403}]}):
        result = get(emulator, *PROTECTIONS, "--format", "csv")
    first = csv_rows(result.stdout)[0]
    assert (0, "", 1) == (result.exit_code, first[left_out], result.stderr.count("\n"))
    assert f"Warning: {left_out.replace('_', ' ')}s are left out: cannot list " in result.stderr
    other = ({"resource_name", "policy_name"} - {left_out}).pop()
    assert first[other]


def test_an_installation_for_a_tenant_has_the_name_of_the_tenant(emulator: Emulator) -> None:
    emulator.reset("one-tenant")
    (row,) = rows(emulator, "installations")
    assert row["tenant_id"]
    assert row["tenant_name"]
    assert "" == row["org_name"]


def test_the_file_of_csv_has_no_json_besides_the_fields_that_the_interface_leaves_open(emulator: Emulator) -> None:
    for words in (QUOTAS, PROTECTIONS, ("archives", *TENANT), ("resource-stats", *TENANT)):
        assert [] == [cell for row in rows(emulator, *words) for cell in row.values() if cell[:1] in {"{", "["}]
