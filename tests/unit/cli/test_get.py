"""`dataprotection get` has a command for each function, with the same results and errors in each format."""

import inspect
import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import cast

import click
import pytest

from pulumi_dataprotection.client.records import rfc3339
from support import Emulator
from support.cli.commands import COMMANDS
from support.cli.getting import get
from support.functions.arguments import ARGUMENTS, LISTS, function
from support.functions.names import FUNCTIONS
from support.functions.program import Program

FORMATS = ["table", "json", "csv"]

OTHER_OPTIONS = {
    "org --external-id crm-1002 --parent org-alpine": ["org-contoso"],
    "orgs": ["org-alpine", "org-harbor"],
    "orgs --parent org-alpine": ["org-contoso", "org-northwind"],
    "tenant --id tenant-contoso": ["tenant-contoso"],
    "resources --tenant tenant-contoso --archived": ["res-contoso-user-29"],
    "resources --tenant tenant-contoso --unprotected --name arjun*": ["res-contoso-user-28"],
    "audit-events --tenant tenant-contoso --end-time {days_ago_199}": ["event-contoso-01"],
}
"""The ids that commands find with options for which `typed` has other values or none."""


def command(name: str) -> click.Command:
    return COMMANDS[f"dataprotection get {name.removeprefix('get_').replace('_', '-')}"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_has_a_command_with_an_option_for_each_argument(name: str) -> None:
    arguments = inspect.signature(function(name)).parameters.values()
    needed = {argument.name: argument.default is inspect.Parameter.empty for argument in arguments}
    replaced = dict.fromkeys(needed.keys() & {"org_id", "tenant_id"}, False)
    of_tenants = dict.fromkeys(["all_tenants", "tenants_of", "tenants_below"] if "tenant_id" in needed else [], False)
    options = {option.name: option.required for option in command(name).params}
    assert {**needed, **replaced, **of_tenants, "output_format": False, "stack": False} == options


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_help_of_each_command_and_option_is_a_sentence(name: str) -> None:
    helps = [command(name).help, *(option.help for option in command(name).params if isinstance(option, click.Option))]
    assert [] == [text for text in helps if not re.fullmatch(r"[A-Z].{8,}\.", text or "")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_command_prints_the_result_of_its_function_in_each_format(
    shop: Program, emulator: Emulator, name: str
) -> None:
    found = shop.run(lambda: function(name)(**ARGUMENTS[name]))
    expected = json.loads(json.dumps([dict(record) for record in found.items] if name in LISTS else dict(found)))
    for output_format in FORMATS:
        result = get(emulator, *typed(name), "--format", output_format)
        # A row for each quota does not repeat all that the service sent.
        shown = without({"fields"} if output_format == "csv" else set(), expected)
        assert (0, set[str]()) == (result.exit_code, words_in(shown) - words_in(result.stdout))
        assert emulator.api_key not in result.output
        if output_format == "json":
            assert without(NAMES, expected) == without(NAMES, json.loads(result.stdout))


NAMES = {"org_name", "policy_name", "resource_name", "tenant_name"}
"""The names beside ids, which are not part of the result."""


def without(names: set[str], value: object) -> object:
    """Return a value of JSON without some of its fields."""
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        return {name: without(names, field) for name, field in fields.items() if name not in names}
    return [without(names, member) for member in cast("list[object]", value)] if isinstance(value, list) else value


def words_in(value: object) -> set[str]:
    """Return the words of a value of JSON, without the names of fields, which differ between the formats."""
    if isinstance(value, dict):
        return words_in([*cast("dict[str, object]", value).values()])
    if isinstance(value, list):
        return {word for member in cast("list[object]", value) for word in words_in(member)}
    return set() if value is None else {*re.findall(r"\w+", str(value).lower())}


def typed(name: str) -> Iterator[str]:
    """The words that call a function with its arguments."""
    yield str(command(name).name)
    options = {option.name: option for option in command(name).params}
    for argument, value in ARGUMENTS[name].items():
        option = options[argument]
        if isinstance(value, bool):
            yield (option.opts if value else option.secondary_opts)[0]
        elif value is None:
            yield from (option.opts[0], "all")
        else:
            yield from (option.opts[0], rfc3339(value) if isinstance(value, datetime) else value)


@pytest.mark.parametrize("words", OTHER_OPTIONS)
def test_a_command_has_the_result_of_its_options(emulator: Emulator, words: str) -> None:
    text = get(emulator, *timed(emulator, words), "--format", "json").stdout
    found: list[dict[str, str]] = json.loads(text if text.startswith("[") else f"[{text}]")
    assert OTHER_OPTIONS[words] == [record["id"] for record in found]


TENANTS: dict[str, tuple[list[str], list[str]]] = {
    "no option": ([], ["tenant-contoso"]),
    "no": (["--deleted", "no"], ["tenant-contoso"]),
    "yes": (["--deleted", "yes"], ["tenant-left"]),
    "all": (["--deleted", "all"], ["tenant-contoso", "tenant-left"]),
}


@pytest.mark.parametrize(("options", "expected"), TENANTS.values(), ids=TENANTS)
def test_deleted_tenants_are_shown_on_request(emulator: Emulator, options: list[str], expected: list[str]) -> None:
    emulator.patch({"tenants": [{"id": "tenant-left", "org_id": "org-contoso", "terminated": True}]})
    found = json.loads(get(emulator, "tenants", "--org", "org-contoso", *options, "--format", "json").stdout)
    assert expected == [tenant["id"] for tenant in found]


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
        (
            "subscription-history --org org-contoso --start yesterday",
            "get_subscription_history: start must be .*",
        ),
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


def timed(emulator: Emulator, words: str) -> list[str]:
    """Fill the times into the words of a command."""
    now = emulator.now()
    ago = {f"days_ago_{days}": rfc3339(now - timedelta(days=days, minutes=-1)) for days in range(200)}
    return words.format(now=rfc3339(now), naive=f"{now:%Y-%m-%dT%H:%M:%S}", **ago).split()
