"""`dataprotection licences`: the licences of all tenants, exceeded limits first."""

import csv
import io
import json
import re
from collections import Counter

import pytest
from click.testing import Result

from support import Emulator
from support.cli.getting import run_unset, settings

FORMATS = ["table", "json", "csv", "md"]


def licences(emulator: Emulator, *words: str) -> Result:
    return run_unset("licences", *words, **settings(emulator))


def rows(emulator: Emulator, *words: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(licences(emulator, *words, "--format", "csv").stdout)))


def tenants(found: list[dict[str, str]]) -> set[str]:
    return {row["tenant_id"].removeprefix("tenant-") for row in found}


def set_quota(emulator: Emulator, tenant: str, kind: str, **fields: str) -> None:
    emulator.patch({"quotas": [{"tenant_id": f"tenant-{tenant}", "kind": kind, **fields}]})


def test_each_tenant_and_kind_has_limit_use_and_free_units(emulator: Emulator) -> None:
    result = licences(emulator, "--format", "json")
    assert (0, "tenants: 2, licences: 4, exceeded: 0, used up: 0\n") == (result.exit_code, result.stderr)
    storage = {"kind": "storage", "used": "71", "limit": "2048", "free": "1977", "units": "GB"}
    seats = {"kind": "resource", "used": "10", "limit": "50", "free": "40", "units": ""}
    names = [("tenant-contoso", "Contoso Workspace"), ("tenant-adatum", "Adatum Workspace")]
    assert [
        {"tenant_id": id, "tenant_name": name, **numbers, "exceeded": False, "unlimited": False}
        for numbers in (seats, storage)
        for id, name in names
    ] == json.loads(result.stdout)
    assert result.stdout == licences(emulator, "--json").stdout


@pytest.mark.parametrize("output_format", FORMATS)
def test_exceeded_limits_come_first_and_fail_with_status_7(emulator: Emulator, output_format: str) -> None:
    set_quota(emulator, "contoso", "resource", count="4294967295", used="900")
    set_quota(emulator, "contoso", "node", count="0", used="0")
    set_quota(emulator, "adatum", "resource", count="9")
    set_quota(emulator, "adatum", "node", count="100", used="99")
    result = licences(emulator, "--format", output_format)
    assert (7, True) == (result.exit_code, result.stderr.endswith("tenants: 2, licences: 6, exceeded: 1, used up: 1\n"))
    order = ["adatum resource", "contoso node", "adatum node", "contoso storage", "adatum storage", "contoso resource"]
    found = re.findall(r"tenant-(\w+).*?\b(resource|node|storage)\b", result.stdout, re.DOTALL)
    assert order == [" ".join(one) for one in found]


@pytest.mark.parametrize(
    ("dialect", "free", "calls"),
    [("published", "40", 1), ("plain", "40", 1), ("terse", "40", 2), ("foreign", "40", 1)],
)
def test_the_numbers_are_the_same_in_each_dialect(emulator: Emulator, dialect: str, free: str, calls: int) -> None:
    emulator.set_dialect(dialect)
    (seats, *_) = rows(emulator, "--tenant", "tenant-contoso")
    assert ("resource", "10", "50", free, "false") == tuple(
        seats[name] for name in ("kind", "used", "limit", "free", "exceeded")
    )
    counted = Counter(request["operation"] for request in emulator.requests())
    assert calls == counted["get_tenant_quotas"] + counted["get_resource_stats"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", {"contoso", "adatum"}),
        ("--org org-meridian --recursive", {"contoso", "adatum"}),
        ("--org org-alpine --recursive", {"contoso"}),
        ("--org org-contoso", {"contoso"}),
        ("--org org-alpine", set[str]()),
        ("--tenant tenant-adatum", {"adatum"}),
    ],
)
def test_the_options_choose_the_tenants(emulator: Emulator, words: str, expected: set[str]) -> None:
    assert expected == tenants(rows(emulator, *words.split()))


@pytest.mark.parametrize(
    "words", ["--tenant a --org b", "--recursive", "--tenant=", "--org=", "--tenant a --recursive", "--format xml"]
)
def test_contradicting_options_are_refused_before_any_call(emulator: Emulator, words: str) -> None:
    result = licences(emulator, *words.split())
    assert (2, "", []) == (result.exit_code, result.stdout, emulator.requests())


def test_deleted_tenants_are_left_out(emulator: Emulator) -> None:
    emulator.patch({"tenants": [{"id": "tenant-contoso", "terminated": True}]})
    assert {"adatum"} == tenants(rows(emulator))


def test_a_tenant_that_is_left_out_counts_more_than_an_exceeded_limit(emulator: Emulator) -> None:
    set_quota(emulator, "adatum", "resource", count="9")
    with emulator.faults({"operation": "get_tenant_quotas", "path": "*/tenant-contoso/*", "do": ["status:403"]}):
        result = licences(emulator, "--format", "csv")
    assert (1, {"adatum"}) == (result.exit_code, tenants(list(csv.DictReader(io.StringIO(result.stdout)))))
    assert re.match('Error: left out tenant tenant-contoso "Contoso Workspace": ', result.stderr)


def test_nothing_is_printed_if_nothing_can_be_read(emulator: Emulator) -> None:
    for words in (["--org", "org-nowhere"], ["--tenant", "tenant-nowhere"]):
        result = licences(emulator, *words)
        assert (1, "", True) == (result.exit_code, result.stdout, "nowhere" in result.stderr)


def test_another_error_ends_the_command_after_the_tenants_that_were_read(emulator: Emulator) -> None:
    with emulator.faults({"operation": "get_tenant_quotas", "nth": 2, "do": ["status:401"]}):
        result = licences(emulator)
    assert (1, True, False) == (result.exit_code, "tenant-contoso" in result.stdout, "tenant-adatum" in result.stdout)
    assert "Error: " in result.stderr
    assert "401" in result.stderr


def test_a_missing_setting_is_an_error_with_its_fix() -> None:
    result = run_unset("licences")
    assert (1, "") == (result.exit_code, result.stdout)
    assert [] == [word for word in ("DATAPROTECTION_API_KEY", "--stack") if word not in result.stderr]


def test_names_of_the_service_cannot_steer_a_terminal(emulator: Emulator) -> None:
    emulator.patch({"tenants": [{"id": "tenant-contoso", "name": "\x1b[31mred\n::error::x"}]})
    with emulator.faults({"operation": "get_tenant_quotas", "path": "*/tenant-adatum/*", "do": ["status:403"]}):
        result = licences(emulator)
    assert ("\x1b" in result.output, r"\u001b[31mred" in result.stdout) == (False, True)


def test_many_tenants_cost_one_call_each(emulator: Emulator) -> None:
    emulator.reset("large:30x2")
    result = licences(emulator)
    assert (0, "", "tenants: 30, licences: 0") == (result.exit_code, result.stdout, result.stderr[:24])
    assert 30 == Counter(request["operation"] for request in emulator.requests())["get_tenant_quotas"]
    assert 33 == len(emulator.requests())
