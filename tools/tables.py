"""Writes the tables of the documents; run as `python -m tools.tables`. With `--check` it only names stale documents."""

import argparse
import sys
from collections.abc import Callable, Iterator

import click
from tools.pages import DOCS, PAGES, Page

from pulumi_dataprotection.cli import main as command_line
from pulumi_dataprotection.client import OPTIONS
from pulumi_dataprotection.spec import OPERATIONS
from tools import dialect_table

BEGIN = "<!-- Written by `python -m tools.tables`: -->\n"
END = "<!-- Up to here. -->\n"


def functions() -> Iterator[str]:
    """Each function with the first line of its page, its operations, and the options of its command."""
    yield from ("| function | what it does | operations | options of its command |", "|---|---|---|---|")
    for page in PAGES:
        if page.kind == "functions":
            cells = (f"[`{page.name}`]({page.path.name})", page.use, ", ".join(page.operations), _options(page))
            yield f"| {' | '.join(cells)} |"


def operations() -> Iterator[str]:
    """Each operation, and the resources whose pages name it among their calls."""
    yield from ("| # | operation | resources |", "|---|---|---|")
    for row in OPERATIONS:
        users = [page for page in PAGES if page.kind == "resources" and str(row.number) in page.operations]
        links = ", ".join(f"[`{page.name}`]({page.path.relative_to(DOCS)})" for page in users)
        path = row.path.removeprefix("/api/v1")
        yield f"| {row.number} | `{row.id}`<br>`{row.method} {path}` | {links} |"


def settings() -> Iterator[str]:
    """Each setting with its config key and its environment variable."""
    yield from ("| config key | environment | default | meaning |", "|---|---|---|---|")
    for option in OPTIONS:
        yield f"| `{option.key}` | `{option.variable}` | {option.default} | {option.meaning} |"


def _options(page: Page) -> str:
    """Return the options of a function's command, the optional options in brackets."""
    get = command_line.commands["get"]
    assert isinstance(get, click.Group)  # noqa: S101 - for type checkers
    command = get.get_command(click.Context(get), page.name.removeprefix("get_").replace("_", "-"))
    cells: list[str] = []
    for option in command.params if command else ():
        if option.name not in COMMON:
            words = " or ".join(f"`{word}`" for word in [*option.opts, *option.secondary_opts])
            cells.append(words if option.required or option.name == "tenant_id" else f"[{words}]")
    return ", ".join(cells)


COMMON = {"output_format", "profile", "stack", "all_tenants", "tenants_of", "tenants_below"}
"""The arguments that every command of `dataprotection get` has, or every command with `--tenant`."""

TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "dialects.md": dialect_table.lines,
    "functions/index.md": functions,
    "install.md": settings,
    "operations.md": operations,
}


def main() -> int:
    """Write the stale tables, or only name them."""
    parser = argparse.ArgumentParser(prog="python -m tools.tables", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a table is stale")
    check: bool = parser.parse_args().check
    problems = [f"docs/{page.path.relative_to(DOCS)} is missing: write the page of {page}" for page in missing_pages()]
    for name, lines in () if problems else TABLES.items():
        document = DOCS / name
        text = document.read_text(encoding="utf-8")
        new = with_table(text, lines())
        if check and new != text:
            problems.append(f"docs/{name} is stale: run `python -m tools.tables`")
        elif new != text:
            document.write_text(new, encoding="utf-8")
    print("".join(f"{problem}\n" for problem in problems), end="")
    return int(bool(problems))


def missing_pages() -> list[Page]:
    """Return the pages of resources and functions that do not exist."""
    return [page for page in PAGES if not page.path.exists()]


def with_table(text: str, lines: Iterator[str]) -> str:
    """Return a document's text with new lines between the two comments."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + "\n" + "\n".join(lines) + "\n\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    sys.exit(main())
