"""The texts by which data files name items and policies."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pulumi_dataprotection import client
from pulumi_dataprotection.adoption.yaml_text import scalar
from pulumi_dataprotection.client.records import Policy
from pulumi_dataprotection.functions.rules import references
from pulumi_dataprotection.inventory import TenantContents

__all__ = ["Reference", "item_references", "policy_references", "sort_key"]

_MAX_KEY = 900
"""The characters of a scalar that can be a key; YAML allows 1,024."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The text by which a file names an item or a policy.

    Attributes:
        text: its name if the name is unique, else its id.
        note: a comment beside an id.
        name: the text to sort by: an id has the position of its name.
    """

    text: str
    note: str
    name: str


def item_references(contents: TenantContents) -> dict[str, Reference]:
    """Return the reference of each item of a tenant by its id."""
    texts = references(contents.items)
    return {
        item.id: _reference(item.id, texts[item.id], item.name, f"{item.name or 'without a name'}, {item.kind}")
        for item in contents.items
    }


def policy_references(policies: Mapping[str, Policy], used: Iterable[str] = ()) -> dict[str, Reference]:
    """Return the reference of each policy of a tenant by its id.

    Args:
        policies: the policies by id.
        used: the ids of policies in use, which the list of policies may lack.
    """
    # The client compares the names of policies in one Unicode form.
    normal = {id: unicodedata.normalize("NFC", policy.name or "") for id, policy in policies.items()}
    counts = Counter(normal.values())
    found = {id: _reference(id, id, None, "") for id in used}
    for id, policy in policies.items():
        name = policy.name or ""
        usable = name.strip() and not client.has_control_characters(name) and len(scalar(name)) <= _MAX_KEY
        unique = counts[normal[id]] == 1 and (name == id or name not in policies)
        found[id] = _reference(id, name if usable and unique else id, name, name or "without a name")
    return found


def sort_key(reference: Reference) -> tuple[str, str, str]:
    """Return the key of a reference in a sorted list."""
    return client.folded(reference.name), reference.name, reference.text


def _reference(id: str, text: str, name: str | None, note: str) -> Reference:
    return Reference(text, note if text == id and text != name else "", name or id)
