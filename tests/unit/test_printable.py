"""Names of the service in messages: one line, nothing that a terminal or the runner of a pipeline obeys."""

import ast
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pulumi_dataprotection
from pulumi_dataprotection._printable import MAX_LENGTH, printable, printable_lines
from pulumi_dataprotection.client import records

PACKAGE = Path(*pulumi_dataprotection.__path__)
LAYERS = ("client", "core", "functions", "resources")
MODULES = sorted(str(file.relative_to(PACKAGE)) for layer in LAYERS for file in (PACKAGE / layer).rglob("*.py"))
SHOWN = {
    "x\x1b[2J\n::error::y\r\n##vso[z]": r"x\u001b[2J\u000a::error::y\u000d\u000a\u0023#vso[z]",
    "::error::x": r"\u003a:error::x",
    "  ::error::x": r"  \u003a:error::x",
    "\n::error::x": r"\u000a::error::x",
    "a ##[group]x": r"a \u0023#[group]x",
    "###teamcity[x": r"#\u0023#teamcity[x",
    "#1 [x]": "#1 [x]",
    "fe80::1 a::b": "fe80::1 a::b",
    "\x00\x07\x7f\x85\x9b": r"\u0000\u0007\u007f\u0085\u009b",
    "a\u202eb\u2066c\u200fd\u061ce": r"a\u202eb\u2066c\u200fd\u061ce",
    "a\u200bb\u200cc\u200dd\ufeffe\u00adf\u2060g\u3164h": r"a\u200bb\u200cc\u200dd\ufeffe\u00adf\u2060g\u3164h",
    "a\u2028b\u2029c": r"a\u2028b\u2029c",
    "a\ud800b": r"a\ud800b",
    "tag\U000e0041": r"tag\udb40\udc41",
    "José 李 👩‍💻 日\u3000本 \u05d0": "José 李 👩‍💻 日\u3000本 \u05d0",
    'a "quoted" name': 'a "quoted" name',
    "": "",
}


@pytest.mark.parametrize("text", SHOWN)
def test_a_name_is_shown_with_escapes(text: str) -> None:
    assert SHOWN[text] == printable(text)


def test_a_missing_name_is_empty_and_a_number_is_its_digits() -> None:
    assert ("", "7") == (printable(None), printable(7))


def test_a_long_name_is_cut() -> None:
    assert f"{'x' * MAX_LENGTH}…" == printable("x" * (MAX_LENGTH + 1))
    assert "x" * MAX_LENGTH == printable("x" * MAX_LENGTH)
    assert "x" * 5000 == printable("x" * 5000, limit=None)


def test_the_lines_of_a_message_stay() -> None:
    assert "a:\n  \\u003a:error::b\n\\u001bc" == printable_lines("a:\n  ::error::b\n\x1bc")


@given(text=st.text())
def test_no_text_holds_anything_that_a_terminal_or_a_runner_obeys(text: str) -> None:
    shown = printable(text)
    assert shown == printable(shown)
    assert [] == [c for c in shown.replace("\u200d", "") if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
    assert None is re.search(r"\A\s*::|##\w*\[", shown)


def fields_of(record: object) -> list[str]:
    return [*getattr(record, "__dataclass_fields__", {})]


FIELDS = {field for name in records.__all__ for field in fields_of(getattr(records, name))} - {"fields"}
REFERENCE = re.compile(r"(.*_)?(id|name|reference)_?")

# Expressions that look like a name of the service, and are not.
NO_NAMES = {
    ("client/__init__.py", "name"),
    ("client/_call.py", "name"),
    ("client/_client.py", "response.status"),
    ("client/_messages.py", "response.status"),
    ("client/_messages.py", "refusal.message"),
    ("client/_messages.py", "refusal.status"),
    ("client/settings.py", "name"),
    ("functions/_data_source.py", "name"),
    ("resources/_provider.py", "name"),
    # Texts for messages.
    ("core/protection/plan.py", "observed.name"),
    ("core/protection_set/preview.py", "found.name"),
    ("resources/protection.py", "found.name"),
}


def raw_names(file: Path) -> Iterator[str]:
    """Yield the expressions in the messages of a module that hold a name which did not pass `printable`."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.JoinedStr):
            is_message = any(isinstance(part, ast.Constant) and " " in str(part.value) for part in node.values)
            # A format of numbers, or `!r`, shows no raw text.
            parts = [part for part in node.values if isinstance(part, ast.FormattedValue) and part.conversion == -1]
            found = [part.value for part in parts if is_message and part.format_spec is None]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join":
            found = [part.elt for part in node.args if isinstance(part, ast.GeneratorExp | ast.ListComp)]
        else:
            continue
        yield from (ast.unparse(part) for part in found if is_name(part))


def is_name(part: ast.expr) -> bool:
    if isinstance(part, ast.BoolOp):
        return any(map(is_name, part.values))
    if isinstance(part, ast.Attribute):
        return part.attr in FIELDS
    return isinstance(part, ast.Name) and REFERENCE.fullmatch(part.id) is not None


@pytest.mark.parametrize("module", MODULES)
def test_each_name_in_a_message_of_the_code_is_printable(module: str) -> None:
    assert [] == [name for name in raw_names(PACKAGE / module) if (module, name) not in NO_NAMES]
