"""Names of stacks and files for what the service names as it likes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping

from anyascii import anyascii

__all__ = ["MAX_LENGTH", "slugs"]

MAX_LENGTH = 64
"""The characters of a slug. Pulumi allows 100 in the name of a stack, and file systems 255 bytes in a file's name."""

# https://learn.microsoft.com/windows/win32/fileio/naming-a-file: also with an extension, as in `con.yaml`.
_RESERVED = {"aux", "con", "nul", "prn", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
_LONGEST_READ = 1000
_SHORTEST_SUFFIX = 6


def slugs(names: Mapping[str, str | None], kept: Mapping[str, str] | None = None) -> dict[str, str]:
    """Choose a slug for each name: the name of a Pulumi stack and of a file on any system.

    A slug has 1 to 64 of the characters `a` to `z`, `0` to `9` and `-`, and no `-` at its ends. Of entities with the
    same slug, the first id gets it, and the others get a suffix made of their id. So a newcomer changes the slug of
    another entity only if both have the same name and the id of the newcomer comes first.

    Args:
        names: the names by id; an entity without a usable name is named after its id.
        kept: slugs by id that were chosen earlier. They stay, and no other entity gets them.

    Returns:
        The slugs by id, in the order of `names`, all different.
    """
    chosen = {id: slug for id, slug in (kept or {}).items() if id in names}
    taken = {*_RESERVED, *(kept or {}).values()}
    wanted = {id: _slug(names[id]) or _slug(id) or "unnamed" for id in sorted(names) if id not in chosen}
    later: list[str] = []
    for id, slug in wanted.items():
        if slug in taken:
            later.append(id)
        else:
            taken.add(slug)
            chosen[id] = slug
    # A name that needs no suffix comes before a suffix that happens to make the same text.
    for id in later:
        chosen[id] = next(slug for slug in _with_suffix(wanted[id], id) if slug not in taken)
        taken.add(chosen[id])
    return {id: chosen[id] for id in names}


def _slug(name: str | None) -> str:
    # A half of a character has no transliteration.
    text = (name or "")[:_LONGEST_READ].encode("utf-8", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", anyascii(text).lower()).strip("-")[:MAX_LENGTH].rstrip("-")


def _with_suffix(slug: str, id: str) -> Iterator[str]:
    digest = hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()
    for length in range(_SHORTEST_SUFFIX, MAX_LENGTH - 1):
        yield f"{slug[: MAX_LENGTH - 1 - length].rstrip('-')}-{digest[:length]}"
