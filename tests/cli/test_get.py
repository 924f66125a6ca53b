"""`dataprotection get`: each look-up has a command, which finds the same in each format and fails as in a program."""

import csv
import inspect
import io
import json
import re

import click
import pytest

from cli.getting import get
from pulumi_dataprotection import functions
from pulumi_dataprotection.cli import main
from support import Emulator

LOOK_UPS = [name for name in functions.__all__ if name.startswith("get_") and not name.endswith("_output")]
SINGLE = {"org", "tenant", "resource", "policy"}
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
}


def command(function: str) -> click.Command:
    group = main.commands["get"]
    assert isinstance(group, click.Group)
    return group.commands[function.removeprefix("get_").replace("_", "-")]


@pytest.mark.parametrize("function", LOOK_UPS)
def test_each_look_up_has_a_command_with_an_option_for_each_argument(function: str) -> None:
    arguments = inspect.signature(getattr(functions, function)).parameters.values()
    needed = {argument.name: argument.default is inspect.Parameter.empty for argument in arguments}
    options = {option.name: option.required for option in command(function).params}
    assert {**needed, "output_format": False, "stack": False} == options


@pytest.mark.parametrize("function", LOOK_UPS)
def test_each_look_up_is_tried_here(function: str) -> None:
    assert command(function).name in {words.split()[0] for words in FOUND}


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.parametrize("words", FOUND)
def test_a_command_finds_what_its_look_up_finds(emulator: Emulator, words: str, output_format: str) -> None:
    column, expected = FOUND[words]
    result = get(emulator, *words.split(), "--format", output_format)
    assert (0, expected) == (result.exit_code, values(result.stdout, words, output_format, column))
    assert emulator.api_key not in result.output


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("resources --tenant tenant-contoso --format xml", "Invalid value for '--format': 'xml' is not one of"),
        ("resources", "Missing option '--tenant'"),
        ("everything", "No such command 'everything'"),
        ("orgs --stack=", "Invalid value for '--stack': the name must not be empty"),
    ],
)
def test_what_is_no_such_command_is_refused_as_the_shell_expects(emulator: Emulator, words: str, expected: str) -> None:
    result = get(emulator, *words.split())
    assert (2, "", True) == (result.exit_code, result.stdout, expected in result.stderr)
    assert [] == emulator.requests()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("org", "get_org: give either id or external_id"),
        ("org --id org-contoso --external-id crm-1002", "get_org: give either id or external_id"),
        ("tenant --name Contoso", "get_tenant: give either id, or name and org_id"),
        ("org --id=", "get_org: id must not be empty; leave it out where it is not wanted"),
        (
            "resources --tenant tenant-nowhere",
            (
                "get_resources: cannot list resources: 404 not found (GET /api/v1/tenants/tenant-nowhere/resources): "
                'there is no tenant "tenant-nowhere". Check the ids, and that the base URL is the service\'s'
            ),
        ),
        (
            "resource --tenant tenant-contoso --resource support@contoso.example",
            (
                'get_resource: "support@contoso.example" means 2 resources in tenant tenant-contoso: '
                "office_teamdrive res-contoso-drive-11, office_user res-contoso-user-30. Use the id of one"
            ),
        ),
    ],
)
@pytest.mark.parametrize("output_format", FORMATS)
def test_what_cannot_be_found_is_told_in_the_words_of_a_program(
    emulator: Emulator, words: str, expected: str, output_format: str
) -> None:
    result = get(emulator, *words.split(), "--format", output_format)
    assert (1, "", f"Error: {expected}\n") == (result.exit_code, result.stdout, result.stderr)


def test_a_key_without_the_permission_is_told_so(emulator: Emulator) -> None:
    emulator.patch({"keys": [{"name": "Read-only", "permissions": []}]})
    result = get(emulator, "orgs", key=emulator.read_only_key)
    assert (1, "") == (result.exit_code, result.stdout)
    assert "403 forbidden" in result.stderr
    assert emulator.read_only_key not in result.stderr


def values(text: str, words: str, output_format: str, column: str) -> list[str]:
    """What an output holds under one name."""
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
