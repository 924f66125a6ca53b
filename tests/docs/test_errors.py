"""docs/errors.md has each message of the package, in the words of the code."""

import ast
import re
from collections.abc import Iterator
from http import HTTPStatus
from itertools import repeat
from pathlib import Path

import pytest

import pulumi_dataprotection
from pulumi_dataprotection.client import OPTIONS, Client, Settings, calls, errors
from support import ROOT, Emulator
from support.scripted import KEY, DrivenClock, Scripted, told

DOCUMENT = (ROOT / "docs/errors.md").read_text()
PACKAGE = Path(pulumi_dataprotection.__file__).parent
LAYERS = ("client", "core", "functions", "resources")

NO_MESSAGES = {
    *(option.meaning for option in OPTIONS),
    "%s: %s at attempt %d, retry in %.1f s",  # a line of the log
}
MIN_WORDS = 3
"""A text with fewer words is a name, or too short for a search."""


def rows(first: str) -> list[list[str]]:
    """Return the cells of all tables whose first column has this name."""
    tables = re.findall(rf"^\| {first} \|.*\n\|[-|]+\n((?:\|.*\n)+)", DOCUMENT, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split(" |")] for table in tables for line in table.splitlines()]


def quoted(cell: str) -> list[str]:
    """Return the texts between backticks."""
    return [text for _, text in re.findall(r"(`+)(.+?)\1", cell)]


def is_part(quote: str, text: str) -> bool:
    """Return whether a text of the code holds the parts of a quote in order; `…` is any text."""
    return re.search(".*".join(map(re.escape, quote.split("…"))), text, re.DOTALL) is not None


def texts_of_the_code() -> Iterator[str]:
    """Yield all texts of the layers except docstrings, with `…` in place of each expression of an f-string."""
    for path in (path for layer in LAYERS for path in (PACKAGE / layer).rglob("*.py")):
        tree = ast.parse(path.read_text())
        documentation = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        formatted = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
        parts = {part for node in formatted for part in node.values}
        for text in formatted:
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in text.values)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in {*documentation, *parts}:
                yield node.value


TEXTS = [*texts_of_the_code()]
QUOTES = [quote for cells in rows("message") for quote in quoted(cells[0])]


def words(text: str) -> list[str]:
    """Return the words of a sentence; a piece of code, such as the name of a type, has few."""
    parts = (part.strip(".,:;()…`\"'") for part in text.replace("…", " ").split())
    return [part for part in parts if re.fullmatch(r"[^\W\d][\w'/-]*", part)]


def test_the_tree_of_classes_is_the_tree_of_the_code() -> None:
    tree = (errors.__doc__ or "").partition("\n\n")[2].strip()
    assert tree in DOCUMENT


def test_each_class_of_errors_has_a_row() -> None:
    statuses = {quoted(cells[2])[0] for cells in rows("status")}
    assert {*errors.__all__} == statuses | {quoted(cells[0])[0] for cells in rows("class")}


def test_each_message_of_the_tables_is_a_message_of_the_code() -> None:
    assert [] == [quote for quote in QUOTES if not any(is_part(quote, text) for text in TEXTS)]


def test_each_message_of_the_code_is_in_a_table() -> None:
    answers = [quote for cells in rows("status") for quote in [*quoted(cells[1]), *quoted(cells[3])]]
    known = [quote for quote in (*QUOTES, *answers, *quoted(DOCUMENT.split("## ")[0])) if len(words(quote)) > 1]
    missing = [
        text
        for text in dict.fromkeys(TEXTS)
        if len(words(text)) >= MIN_WORDS
        and text not in NO_MESSAGES
        and not any(is_part(quote, text) for quote in known)
    ]
    assert [] == missing


def test_the_first_error_of_the_page_is_an_error_of_the_service(emulator: Emulator) -> None:
    settings = Settings(emulator.read_only_key, emulator.url, key_source="DATAPROTECTION_API_KEY", calls_per_second=0)
    client = Client(settings)
    with pytest.raises(errors.ForbiddenError) as caught:
        client.send(calls.protect_resource("tenant-contoso", "res-contoso-user-12", policy_id="policy-contoso-gold"))
    client.close()
    assert caught.value.detail in " ".join(DOCUMENT.split())


def test_each_status_has_the_words_of_its_table() -> None:
    documented = {status: cells for cells in rows("status") for status in cells[0].split(", ")}
    unseen = {*documented}
    with Scripted() as server:
        client = Client(Settings(KEY, server.url, calls_per_second=0), clock=DrivenClock())
        for status in (status for status in HTTPStatus if status >= HTTPStatus.MULTIPLE_CHOICES):
            if status == HTTPStatus.UNAUTHORIZED:
                continue  # after it a client sends nothing more: it comes last
            unseen.discard(_assert_told(client, server, status, documented))
        unseen.discard(_assert_told(client, server, HTTPStatus.UNAUTHORIZED, documented))
        client.close()
    assert set() == unseen


def _assert_told(client: Client, server: Scripted, status: HTTPStatus, documented: dict[str, list[str]]) -> str:
    row = str(status.value) if str(status.value) in documented else "5xx" if status.value >= 500 else "other"
    _, meaning, name, advice = documented[row]
    server.script(then=repeat(told({"message": "why"}, status.value)))
    with pytest.raises(errors.StatusError) as caught:
        client.send(calls.get_tenant("tenant-1"))
    assert quoted(name) == [type(caught.value).__name__]
    assert f": {status.value} {quoted(meaning)[0]} (GET /api/v1/tenants/tenant-1)" in str(caught.value)
    assert is_part(quoted(advice)[0], str(caught.value))
    return row
