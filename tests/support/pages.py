"""The documents: the pages of resources and functions, and what is read from them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pulumi_dataprotection import functions, resources
from pulumi_dataprotection.spec import BY_ID, OPERATIONS
from support import ROOT

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
        name: the public name that it is about.
    """

    kind: str
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> Path:
        """Where it is."""
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", self.name).lower().replace("_", "-")
        return DOCS / self.kind / f"{words}.md"

    @property
    def text(self) -> str:
        """All that it says."""
        return self.path.read_text(encoding="utf-8")

    @property
    def use(self) -> str:
        """What it is for, in a line."""
        return self.text.split("\n\n")[1]

    @property
    def program(self) -> str:
        """Its example."""
        return self.section("Example").partition("```python\n")[2].partition("```")[0]

    @property
    def calls(self) -> dict[str, str]:
        """Its table of calls."""
        rows = re.findall(r"^\| (.*) \| (.*) \|$", self.section("Calls"), re.MULTILINE)
        return dict(rows[1:])

    @property
    def permissions(self) -> set[str]:
        """What the key has to be allowed, as it says."""
        return {*re.findall(r"\*\*(\w+)\*\*", self.section("Calls"))}

    def section(self, title: str) -> str:
        """What is below a heading."""
        return self.text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


PAGES = [
    *(Page("resources", name) for name in resources.__all__),
    *(
        Page("functions", name)
        for name in functions.__all__
        if name.startswith("get_") and not name.endswith("_output")
    ),
    Page("functions", "assign"),
]


def as_calls(requests: Sequence[Mapping[str, Any]]) -> str:
    """Write requests down as the tables do: each operation in the order in which it was asked first, and how often."""
    asked = [str(request["operation"]) for request in requests]
    lines: list[str] = []
    for id in dict.fromkeys(asked):
        operation, times = BY_ID[id], asked.count(id)
        path = operation.path.removeprefix("/api/v1")
        lines.append(f"{operation.number} `{operation.method} {path}`" + (f", {times} times" if times > 1 else ""))
    return "<br>".join(lines) or "none"


def needed(calls: Sequence[str]) -> set[str]:
    """The permissions that calls need which are written down so."""
    return {NUMBERS[int(number)].permission for cell in calls for number in re.findall(r"(\d+) `", cell)}


def operation_rows() -> list[str]:
    """The rows of docs/operations.md: each operation, and whose page names it among its calls."""
    rows: list[str] = []
    for row in OPERATIONS:
        users = [page for page in PAGES if re.search(rf"\b{row.number} `[A-Z]", page.section("Calls"))]
        links = ", ".join(f"[`{page.name}`]({page.path.relative_to(DOCS)})" for page in users)
        path = row.path.removeprefix("/api/v1")
        rows.append(f"| {row.number} | `{row.id}`<br>`{row.method} {path}` | {links} |")
    return rows


def function_rows() -> list[str]:
    """The rows of the table of all functions: each with what it is for."""
    return [f"| [`{page.name}`]({page.path.name}) | {page.use} |" for page in PAGES if page.kind == "functions"]
