"""The pages of resources and functions, and their parts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pulumi_dataprotection import resources
from pulumi_dataprotection.spec import BY_ID, OPERATIONS
from support import ROOT
from support.functions.names import FUNCTIONS

DOCS = ROOT / "docs"
NUMBERS = {operation.number: operation for operation in OPERATIONS}

SECTIONS = {
    "resources": ("Example", "Arguments", "Outputs", "Calls", "Adopting", "Limits"),
    "functions": ("Example", "Arguments", "Result", "Calls", "Limits"),
}


@dataclass(frozen=True)
class Page:
    """A page of one resource or function.

    Attributes:
        kind: "resources" or "functions".
        name: the public name of its subject.
    """

    kind: str
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> Path:
        """The file of the page."""
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", self.name).lower().replace("_", "-")
        return DOCS / self.kind / f"{words}.md"

    @property
    def text(self) -> str:
        """The text of the page."""
        return self.path.read_text(encoding="utf-8")

    @property
    def use(self) -> str:
        """The line about its use."""
        return self.text.split("\n\n")[1]

    @property
    def program(self) -> str:
        """The example of the page."""
        return self.section("Example").partition("```python\n")[2].partition("```")[0]

    @property
    def calls(self) -> dict[str, str]:
        """The table of calls."""
        rows = re.findall(r"^\| (.*) \| (.*) \|$", self.section("Calls"), re.MULTILINE)
        return dict(rows[1:])

    @property
    def permissions(self) -> set[str]:
        """The permissions that the page names."""
        return {*re.findall(r"\*\*(\w+)\*\*", self.section("Calls"))}

    def section(self, title: str) -> str:
        """Return the text below a heading."""
        return self.text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


PAGES = [
    *(Page("resources", name) for name in resources.__all__),
    *(Page("functions", name) for name in FUNCTIONS),
    Page("functions", "assign"),
]


def as_calls(requests: Sequence[Mapping[str, Any]]) -> str:
    """Return requests in the form of the tables: each operation in the order of its first call, with its number."""
    asked = [str(request["operation"]) for request in requests]
    lines: list[str] = []
    for id in dict.fromkeys(asked):
        operation, times = BY_ID[id], asked.count(id)
        path = operation.path.removeprefix("/api/v1")
        lines.append(f"{operation.number} `{operation.method} {path}`" + (f", {times} times" if times > 1 else ""))
    return "<br>".join(lines) or "none"


def needed(calls: Sequence[str]) -> set[str]:
    """Return the permissions that calls of this form need."""
    return {NUMBERS[int(number)].permission for cell in calls for number in re.findall(r"(\d+) `", cell)}


def operation_rows() -> list[str]:
    """Return the rows of docs/operations.md: each operation, and the pages that call it."""
    rows: list[str] = []
    for row in OPERATIONS:
        users = [page for page in PAGES if re.search(rf"\b{row.number} `[A-Z]", page.section("Calls"))]
        links = ", ".join(f"[`{page.name}`]({page.path.relative_to(DOCS)})" for page in users)
        path = row.path.removeprefix("/api/v1")
        rows.append(f"| {row.number} | `{row.id}`<br>`{row.method} {path}` | {links} |")
    return rows


def function_rows() -> list[str]:
    """Return the rows of the table of all functions, with the use of each."""
    return [f"| [`{page.name}`]({page.path.name}) | {page.use} |" for page in PAGES if page.kind == "functions"]
