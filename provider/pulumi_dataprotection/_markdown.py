"""Texts of the service in Markdown, where they are neither markup nor a mention of anybody."""

import re

__all__ = ["as_cell", "as_code"]


def as_code(text: str) -> str:
    """Return a text of one line as code, which it cannot end."""
    # The fence is longer than any row of backticks inside.
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    blank = " " if "`" in text or not text.strip() else ""
    return f"{fence}{blank}{text or '?'}{blank}{fence}"


def as_cell(text: str) -> str:
    """Return a text of one line as code in a cell of a table."""
    # A bar would end the cell, and so would an escaped bar behind another backslash.
    # https://github.github.com/gfm/#tables-extension-
    return as_code(re.sub(r"(\\*)\|", lambda found: rf"{found[1]}\u007c" if found[1] else r"\|", text))
