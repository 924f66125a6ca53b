"""The formats of `dataprotection get` for people, for programs and for spreadsheets."""

import json
import re

import pytest

from support import Emulator
from support.cli.getting import csv_rows, get, get_unset, settings

RESOURCES = ("resources", "--tenant", "tenant-contoso")
FORMATS = ["table", "json", "csv", "md"]
TASK = ("--tenant", "tenant-contoso", "--task", "task-contoso-02")

NASTY = {
    "\x1b[31mred\x1b[0m": r"\u001b[31mred\u001b[0m",
    "\x9b31mred": r"\u009b31mred",
    "bell\x07 null\x00 delete\x7f": r"bell\u0007 null\u0000 delete\u007f",
    "over\rwritten": r"over\u000dwritten",
    "txt.\u202eexe": r"txt.\u202eexe",
    "two\u2028lines": r"two\u2028lines",
    "zero\u200bwidth": r"zero\u200bwidth",
    "tag\U000e0041": r"tag\udb40\udc41",
    "::error::x": ":error::x",
    "##vso[task.setvariable]x": r"\u0023#vso[task.setvariable]x",
    "[red]x[/red]": "[red]x[/red]",
    ":smile: [link=https://x.example]y": ":smile: [link=https://x.example]y",
    "José 李 👩‍💻": "José 李 👩‍💻",
}

CELLS = {
    '=HYPERLINK("https://x.example")': '\'=HYPERLINK("https://x.example")',
    "+1": "'+1",
    "@SUM(A1)": "'@SUM(A1)",
    "-1+2": "'-1+2",
    "-x": "'-x",
    "\t=1": r"'\u0009=1",
    "\r=1": r"'\u000d=1",
    "\n=1": r"'\n=1",
    "\uff1d1+1": "'\uff1d1+1",
    "-17": "-17",
    "-1.5": "-1.5",
    "1=1": "1=1",
    "a,b": "a,b",
    'say "x"': 'say "x"',
    "two\nlines": r"two\nlines",
}


def rename(emulator: Emulator, name: str) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "res-contoso-user-29", "name": name}]})


def archived(emulator: Emulator, output_format: str) -> str:
    """Return the output for the only archived resource."""
    result = get(emulator, *RESOURCES, "--archived", "--format", output_format)
    assert (0, "") == (result.exit_code, result.stderr)
    return result.stdout


LISTS = {
    "table": """\
id                   external_id  tenant_id       name                             kind         archived
res-contoso-user-29  usr-1029     tenant-contoso  former.employee@contoso.example  office_user  true
""",
    "json": """\
[
  {
    "id": "res-contoso-user-29",
    "external_id": "usr-1029",
    "tenant_id": "tenant-contoso",
    "name": "former.employee@contoso.example",
    "kind": "office_user",
    "archived": true
  }
]
""",
    "csv": """\
id,external_id,tenant_id,name,kind,archived
res-contoso-user-29,usr-1029,tenant-contoso,former.employee@contoso.example,office_user,true
""",
    "md": """\
| id | external_id | tenant_id | name | kind | archived |
| --- | --- | --- | --- | --- | --- |
| `res-contoso-user-29` | `usr-1029` | `tenant-contoso` | `former.employee@contoso.example` | `office_user` | true |
""",
}


@pytest.mark.parametrize("output_format", LISTS)
def test_a_list_has_a_row_for_each_record(emulator: Emulator, output_format: str) -> None:
    assert LISTS[output_format] == archived(emulator, output_format)


def test_one_record_is_a_table_of_names_and_values(emulator: Emulator) -> None:
    expected = "id           org-alpine\nexternal_id\nkind         msp\nname         Alpine IT Services\n"
    assert expected == get(emulator, "org", "--id", "org-alpine").stdout


def test_one_record_is_an_object_in_json_with_all_fields_of_the_service(emulator: Emulator) -> None:
    result = json.loads(get(emulator, "tenant", "--id", "tenant-contoso", "--format", "json").stdout)
    assert ["id", "external_id", "kind", "name", "region", "deleted", "fields"] == list(result)
    assert ("tenant-contoso", "suite-contoso") == (result["id"], result["fields"]["external_id"])


def test_other_fields_of_the_service_are_columns_of_a_table(emulator: Emulator) -> None:
    emulator.set_dialect("plain")
    header = get(emulator, "tenants", "--org", "org-contoso").stdout.splitlines()[0]
    known = ["id", "external_id", "kind", "name", "region", "deleted"]
    assert [*known, "org_id", "created_at"] == header.split()


def test_nested_values_are_compact_json_in_csv(emulator: Emulator) -> None:
    text = get(emulator, "tenants", "--org", "org-contoso", "--format", "csv").stdout
    (tenant,) = csv_rows(text)
    assert tenant["fields"].startswith('{"id":"tenant-contoso","external_id":"suite-contoso",')


def test_numbers_of_64_bits_stay_text_and_times_rfc_3339_in_json(emulator: Emulator) -> None:
    words = ("archives", "--tenant", "tenant-contoso", "--resource", "Finance", "--format", "json")
    (archive,) = json.loads(get(emulator, *words).stdout)
    assert {"size": "11250000"} == archive["stats"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", archive["created_at"])


def test_a_field_that_is_read_under_another_name_is_not_shown_twice(emulator: Emulator) -> None:
    emulator.set_dialect("plain")
    expected = """\
kind      used  limit  units  exceeded  unlimited  tenant_id
resource  10    50                      false      tenant-contoso
storage   71    2048   GB               false      tenant-contoso
"""
    assert expected == get(emulator, "tenant-quotas", "--tenant", "tenant-contoso").stdout
    emulator.set_dialect("foreign")
    names = [line.split()[0] for line in get(emulator, "task", *TASK).stdout.splitlines()]
    assert ["id", "resource_id", "resource_name", "status", "message", "started_at"] == names[:6]
    assert set() == {*names} & {"task_id", "state", "error"}


@pytest.mark.parametrize(
    ("output_format", "stdout", "stderr"),
    [
        ("table", "", "no resources\n"),
        ("json", "[]\n", ""),
        ("csv", "id,external_id,tenant_id,name,kind,archived\n", ""),
        (
            "md",
            "| id | external_id | tenant_id | name | kind | archived |\n| --- | --- | --- | --- | --- | --- |\n",
            "",
        ),
    ],
)
def test_an_empty_list_is_a_success(emulator: Emulator, output_format: str, stdout: str, stderr: str) -> None:
    result = get(emulator, *RESOURCES, "--kind", "office_group", "--format", output_format)
    assert (0, stdout, stderr) == (result.exit_code, result.stdout, result.stderr)


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.parametrize("name", NASTY)
def test_control_characters_of_a_name_are_escaped(emulator: Emulator, name: str, output_format: str) -> None:
    rename(emulator, name)
    text = archived(emulator, output_format)
    assert NASTY[name] in text.replace(r"\r", r"\u000d")
    assert None is re.search(r"[^\n -~\xa0-\u2027\u202f-\u2065\u206a-\U0010ffff]", text)
    if output_format == "json":
        assert name == json.loads(text)[0]["name"]


def test_control_characters_of_an_error_are_escaped(emulator: Emulator) -> None:
    emulator.patch({"policies": [{"tenant_id": "tenant-contoso", "id": "policy-contoso-gold", "name": "\x1b[2J"}]})
    error = get(emulator, "policy", "--tenant", "tenant-contoso", "--policy", "Gold").stderr
    assert (False, True) == ("\x1b" in error, r"\u001b[2J" in error)


def test_a_table_outside_of_a_terminal_is_not_wrapped(emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    rename(emulator, "x" * 5000)
    _, line = archived(emulator, "table").splitlines()
    assert "x" * 5000 in line


@pytest.mark.parametrize("output_format", FORMATS)
def test_letters_outside_of_the_charset_are_escaped_or_kept_in_json(emulator: Emulator, output_format: str) -> None:
    name = "José 李 👩‍💻"
    rename(emulator, name)
    words = (*RESOURCES, "--archived", "--format", output_format)
    text = get_unset(*words, charset="ascii", **settings(emulator)).stdout
    assert name == json.loads(text)[0]["name"] if output_format == "json" else r"Jos\xe9 \u674e" in text


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("Sales | Europe", r"`Sales \| Europe`"),
        (r"a\|b", r"`a\\u007cb`"),
        ("<img src=x> @everyone **b**", "`<img src=x> @everyone **b**`"),
        ("`code` ``", "``` `code` `` ```"),
        ("two\nlines", r"`two\nlines`"),
        ("-17", "-17"),
        (" ", " "),
    ],
)
def test_no_cell_is_markup_in_markdown(emulator: Emulator, name: str, cell: str) -> None:
    rename(emulator, name)
    *_, line = archived(emulator, "md").splitlines()
    assert f" | `tenant-contoso` | {cell} | `office_user` | true |" in line


@pytest.mark.parametrize("name", CELLS)
def test_no_cell_is_a_formula_in_a_spreadsheet(emulator: Emulator, name: str) -> None:
    rename(emulator, name)
    (record,) = csv_rows(archived(emulator, "csv"))
    assert CELLS[name] == record["name"]
