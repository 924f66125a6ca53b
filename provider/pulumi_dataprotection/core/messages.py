"""The texts that several resources share."""

from __future__ import annotations

from collections.abc import Iterable

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable

__all__ = ["FORCED", "LEFT_EARLIER", "MAX_LISTED", "PASSED_ON", "declared_twice", "item_label", "listed", "name_of"]

MAX_LISTED = 20
"""The number of lines of a list in a message."""

FORCED = (
    "a forced replacement removes no policy, and the new resource has adopted the policies. "
    'Do not use --replace or `pulumi state taint`. To own the policies again, set adopt to "own".'
)
LEFT_EARLIER = "{} left the set earlier and have its policy:{}"
PASSED_ON = (
    "{} keep the policy, since other items have their names now:{}\n"
    "Name these items in the program, or remove their policies in the portal."
)


def listed(lines: Iterable[str], *, ordered: bool = False) -> str:
    """Format lines behind the colon of a message: the first lines, and the number of the others.

    Args:
        lines: the lines, at least one.
        ordered: whether the lines are in the order in which to show them; others are sorted.
    """
    found = [*lines] if ordered else sorted(lines)
    more = [f"and {len(found) - MAX_LISTED:,} more"] if len(found) > MAX_LISTED else []
    return "\n  ".join(["", *found[:MAX_LISTED], *more]) if len(found) > 1 else f" {found[0]}"


def declared_twice(item: str, other: str) -> str:
    """Format the error of an item that another resource declares, too.

    Args:
        item: the item, as messages name it.
        other: the URN of the other resource.
    """
    return f'{item} is declared twice, also by the resource "{name_of(other)}": keep one of them'


def item_label(item: client.records.Resource) -> str:
    """Return an item as messages name it: its name, and its id."""
    return f"{printable(item.name or 'an item')} ({printable(item.id)})"


def name_of(urn: str) -> str:
    """Return the name of a resource in the program."""
    return printable(urn.rpartition("::")[2])
