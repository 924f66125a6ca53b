"""The pages of resources and functions, and their parts."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tools.pages import DOCS, PAGES, Page

from pulumi_dataprotection.spec import BY_ID, OPERATIONS

__all__ = ["DOCS", "PAGES", "SECTIONS", "Page", "as_calls", "blocks", "needed"]

NUMBERS = {operation.number: operation for operation in OPERATIONS}

SECTIONS = {
    "resources": ("Example", "Arguments", "Outputs", "Calls", "Adopting", "Limits"),
    "functions": ("Example", "Arguments", "Result", "Calls", "Limits"),
}


def blocks(page: str, language: str) -> list[str]:
    """Return the blocks of code of a page in a language."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def as_calls(requests: Sequence[Mapping[str, Any]]) -> str:
    """Return requests in the form of the tables: each operation in the order of its first call, with its number."""
    asked = [str(request["operation"]) for request in requests]
    lines: list[str] = []
    for id in dict.fromkeys(asked):
        operation, times = BY_ID[id], asked.count(id)
        path = operation.path.removeprefix("/api/v1")
        lines.append(f"op. {operation.number} `{operation.method} {path}`" + (f", {times} times" if times > 1 else ""))
    return "<br>".join(lines) or "none"


def needed(calls: Sequence[str]) -> set[str]:
    """Return the permissions that calls of this form need."""
    return {NUMBERS[int(number)].permission for cell in calls for number in re.findall(r"(\d+) `", cell)}
