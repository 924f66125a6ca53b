"""The pages of the documents that are about a resource or a function."""

import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

__all__ = ["DOCS", "PAGES", "Page"]

DOCS = Path(__file__).resolve().parents[1] / "docs"


@dataclass(frozen=True)
class Page:
    """A page about a resource or a function.

    Attributes:
        kind: "resources" or "functions".
        name: the public name that the page is about.
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
        """The first line, which says what the resource or function is for."""
        return self.text.split("\n\n")[1]

    @property
    def program(self) -> str:
        """The example program."""
        return self.section("Example").partition("```python\n")[2].partition("```")[0]

    @property
    def calls(self) -> dict[str, str]:
        """The table of calls: operations by expression or command."""
        rows = re.findall(r"^\| (.*) \| (.*) \|$", self.section("Calls"), re.MULTILINE)
        return dict(rows[1:])

    @property
    def operations(self) -> list[str]:
        """The numbers of the operations among the calls, in ascending order."""
        return sorted({*re.findall(r"(\d+)\s`[A-Z]", self.section("Calls"))}, key=int)

    @property
    def permissions(self) -> set[str]:
        """The permissions that the key needs according to the page."""
        return {*re.findall(r"\*\*(\w+)\*\*", self.section("Calls"))}

    def section(self, title: str) -> str:
        """Return the text below a heading."""
        return self.text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def _names(package: str) -> list[str]:
    names: list[str] = import_module(f"pulumi_dataprotection.{package}").__all__
    return names


PAGES = [
    *(Page("resources", name) for name in _names("resources")),
    *(
        Page("functions", name)
        for name in _names("functions")
        if name == "assign" or (name.startswith("get_") and not name.endswith("_output"))
    ),
]
