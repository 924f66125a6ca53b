"""`dataprotection get` has a command for each function, with the same results and errors in each format."""

import csv
import inspect
import io
import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import click
import pytest

from pulumi_dataprotection.client.records import rfc3339
from support import Emulator
from support.cli.commands import COMMANDS
from support.cli.getting import get
from support.functions.arguments import ARGUMENTS, LISTS, function
from support.functions.names import FUNCTIONS
from support.functions.program import Program

SINGLE = {"org", "tenant", "resource", "policy", "protection", "task"}
FORMATS = ["table", "json", "csv"]

FOUND: dict[str, tuple[str, list[str]]] = {
    "installations": ("org_id", ["org-meridian"]),
    "org --id org-contoso": ("name", ["Contoso"]),
    "org --external-id crm-1002 --parent org-alpine": ("id", ["org-contoso"]),
    "orgs": ("id", ["org-alpine", "org-harbor"]),
    "orgs --parent org-alpine": ("id", ["org-contoso", "org-northwind"]),
    "orgs --recursive": ("id", ["org-alpine", "org-harbor", "org-contoso", "org-northwind", "org-adatum"]),
    "tenant --id tenant-contoso": ("name", ["Contoso Workspace"]),
    "tenants --org org-contoso": ("id", ["tenant-contoso"]),
    "tenants --org org-meridian --recursive": ("id", ["tenant-contoso", "tenant-adatum"]),
    "policy --tenant tenant-contoso --policy Gold": ("id", ["policy-contoso-gold"]),
    "policies --tenant tenant-contoso": ("name", ["Bronze", "Gold", "Silver"]),
    "policies --tenant tenant-contoso --name Gold": ("name", ["Gold"]),
    "resource --tenant tenant-contoso --resource ext$usr-1001": ("name", ["jane.doe@contoso.example"]),
    "resources --tenant tenant-contoso --name JO*": ("id", ["res-contoso-user-02", "res-contoso-user-06"]),
    "resources --tenant tenant-contoso --archived": ("name", ["former.employee@contoso.example"]),
    "resources --tenant tenant-contoso --not-archived --name former*": ("id", []),
    "resources --tenant tenant-contoso --protected --kind office_teamdrive": ("name", ["Finance", "Human Resources"]),
    "resources --tenant tenant-contoso --unprotected --name arjun*": ("name", ["arjun.patel@contoso.example"]),
    "protection --tenant tenant-contoso --resource Finance": ("id", ["prot-contoso-09"]),
    "protections --tenant tenant-adatum": ("id", [f"prot-adatum-{number:02}" for number in range(1, 11)]),
    "archives --tenant tenant-contoso --resource Finance": ("id", ["archive-contoso-09"]),
    "audit-events --tenant tenant-contoso --start-time {days_ago_191}": ("subject", ["Human Resources"]),
    "audit-events --tenant tenant-contoso --end-time {days_ago_199}": ("id", ["event-contoso-01"]),
    "task --tenant tenant-contoso --task task-contoso-02": ("message", ["2 items could not be read"]),
    "subscriptions --org org-contoso": ("id", ["sub-contoso"]),
}

# Nested lists of the service: some values of each.
NESTED = {
    "tenant-quotas --tenant tenant-contoso": ["storage", "2048", "GB", "71"],
    "subscription-history --org org-contoso": ["25", "50"],
    "subscription-history --org org-contoso --start {days_ago_5}": ["50"],
    "subscription-history --org org-contoso --start {days_ago_30} --end {days_ago_20}": ["25"],
    "resource-stats --tenant tenant-contoso": ["office_teamdrive", "11", "68750000"],
    "task-stats --tenant tenant-contoso --start-time {days_ago_5} --end-time {now}": ["done", "warnings", "1"],
}


def command(name: str) -> click.Command:
    return COMMANDS[f"dataprotection get {name.removeprefix('get_').replace('_', '-')}"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_has_a_command_with_an_option_for_each_argument(name: str) -> None:
    arguments = inspect.signature(function(name)).parameters.values()
    needed = {argument.name: argument.default is inspect.Parameter.empty for argument in arguments}
    options = {option.name: option.required for option in command(name).params}
    assert {**needed, "output_format": False, "stack": False} == options


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_help_of_each_command_and_option_is_a_sentence(name: str) -> None:
    helps = [command(name).help, *(option.help for option in command(name).params if isinstance(option, click.Option))]
    assert [] == [text for text in helps if not re.fullmatch(r"[A-Z].{8,}\.", text or "")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_command_prints_the_result_of_its_function(shop: Program, emulator: Emulator, name: str) -> None:
    found = shop.run(lambda: function(name)(**ARGUMENTS[name]))
    expected = [dict(record) for record in found.items] if name in LISTS else dict(found)
    result = get(emulator, *typed(name), "--format", "json")
    assert (0, json.loads(json.dumps(expected))) == (result.exit_code, json.loads(result.stdout)), result.output


def typed(name: str) -> Iterator[str]:
    """The words that call a function with its arguments."""
    yield str(command(name).name)
    options = {option.name: option for option in command(name).params}
    for argument, value in ARGUMENTS[name].items():
        option = options[argument]
        if isinstance(value, bool):
            yield (option.opts if value else option.secondary_opts)[0]
        else:
            yield from (option.opts[0], rfc3339(value) if isinstance(value, datetime) else value)


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.parametrize("words", FOUND)
def test_a_command_has_the_result_of_its_function(emulator: Emulator, words: str, output_format: str) -> None:
    column, expected = FOUND[words]
    result = get(emulator, *timed(emulator, words), "--format", output_format)
    assert (0, expected) == (result.exit_code, values(result.stdout, words, output_format, column))
    assert emulator.api_key not in result.output


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.parametrize("words", NESTED)
def test_a_command_shows_nested_lists(emulator: Emulator, words: str, output_format: str) -> None:
    result = get(emulator, *timed(emulator, words), "--format", output_format)
    assert (0, set[str]()) == (result.exit_code, {*NESTED[words]} - {*re.findall(r"\w+", result.stdout)})


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("resources --tenant tenant-contoso --format xml", "Invalid value for '--format': 'xml' is not one of"),
        ("resources", "Missing option '--tenant'"),
        ("everything", "No such command 'everything'"),
    ],
)
def test_an_unknown_command_is_refused_as_the_shell_expects(emulator: Emulator, words: str, expected: str) -> None:
    result = get(emulator, *words.split())
    assert (2, "", True) == (result.exit_code, result.stdout, expected in result.stderr)
    assert [] == emulator.requests()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("org", "get_org: .* external_id"),
        ("org --id org-contoso --external-id crm-1002", "get_org: .* external_id"),
        ("tenant --name Contoso", "get_tenant: .* name and org_id"),
        ("org --id=", "get_org: id .* empty.*"),
        ("resources --tenant tenant-nowhere", "get_resources: .* 404 not found .*tenant-nowhere.*"),
        (
            "resource --tenant tenant-contoso --resource support@contoso.example",
            "get_resource: .* 2 resources .* res-contoso-drive-11, .* res-contoso-user-30.*",
        ),
    ],
)
@pytest.mark.parametrize("output_format", FORMATS)
def test_an_error_has_the_words_of_the_function(
    emulator: Emulator, words: str, expected: str, output_format: str
) -> None:
    result = get(emulator, *words.split(), "--format", output_format)
    assert (1, "") == (result.exit_code, result.stdout)
    assert re.fullmatch(f"Error: {expected}\n", result.stderr)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("task-stats --tenant tenant-contoso --start-time {naive} --end-time {now}", "start_time must be a datetime"),
        ("audit-events --tenant tenant-contoso --end-time {naive}", "end_time must be a datetime"),
        ("subscription-history --org org-contoso --start yesterday", "start must be a datetime"),
        ("task-stats --tenant tenant-contoso --start-time {days_ago_50} --end-time {days_ago_49}", "35 days"),
    ],
)
def test_an_impossible_time_is_refused_before_any_call(emulator: Emulator, words: str, expected: str) -> None:
    result = get(emulator, *timed(emulator, words))
    assert (1, "", True) == (result.exit_code, result.stdout, expected in result.stderr)
    assert [] == emulator.requests()


@pytest.mark.parametrize("words", ["subscriptions --org org-contoso", "subscription-history --org org-contoso"])
def test_a_key_without_the_permission_for_billing_data_is_an_error(emulator: Emulator, words: str) -> None:
    emulator.patch({"keys": [{"name": "Read-only", "permissions": ["read"]}]})
    result = get(emulator, *words.split(), key=emulator.read_only_key)
    assert (1, "") == (result.exit_code, result.stdout)
    assert re.search("403 forbidden .* billing data", result.stderr)
    assert emulator.read_only_key not in result.stderr


def timed(emulator: Emulator, words: str) -> list[str]:
    """Fill the times into the words of a command."""
    now = emulator.now()
    ago = {f"days_ago_{days}": rfc3339(now - timedelta(days=days, minutes=-1)) for days in range(200)}
    return words.format(now=rfc3339(now), naive=f"{now:%Y-%m-%dT%H:%M:%S}", **ago).split()


def values(text: str, words: str, output_format: str, column: str) -> list[str]:
    """Return the values of a column of an output."""
    single = words.split(maxsplit=1)[0] in SINGLE
    if output_format == "json":
        found = json.loads(text)
        return [record[column] for record in ([found] if single else found)]
    if output_format == "csv":
        return [record[column] for record in csv.DictReader(io.StringIO(text))]
    lines = text.splitlines()
    if single:
        return [line.removeprefix(column).strip() for line in lines if line.startswith(f"{column} ")]
    start = next(re.finditer(rf"\b{column}\b", lines[0])).start() if lines else 0
    return [re.split("  +", line[start:])[0] for line in lines[1:]]
