"""A tenant's file that people edited: the items and policies that it means, and new policies for members."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress

from pulumi_dataprotection import client
from pulumi_dataprotection.adoption.edit import Editor
from pulumi_dataprotection.adoption.file_lines import Block, Line
from pulumi_dataprotection.adoption.references import Reference, item_references, policy_references, sort_key
from pulumi_dataprotection.adoption.snapshot import Snapshot
from pulumi_dataprotection.adoption.yaml_text import noted, scalar
from pulumi_dataprotection.client.errors import UnresolvedReferenceError
from pulumi_dataprotection.inventory import TenantContents

__all__ = ["EditedFile"]


class EditedFile:
    """The content of a file by the ids of today.

    A reference that an earlier adoption wrote means the item that it meant then, even if the item has another name now.
    Any other reference means what it means in a program.

    Args:
        text: the text of the file.
        source: the file, as errors name it.
        contents: the tenant's contents.
        used: the ids of the policies that items have.
        base: the evidence of the last adoption.
    """

    def __init__(self, text: str, source: str, contents: TenantContents, used: Iterable[str], base: Snapshot) -> None:
        self._editor = Editor(text, source)
        self._contents = contents
        self._index = client.ResourceIndex(contents.tenant.id, contents.items)
        self._items = item_references(contents)
        self._policies = policy_references(contents.policies, used)
        self._written_items = {reference: id for id, (reference, _) in base.members.items()}
        self._written_policies = {reference: id for id, reference in base.policies.items()}
        self._blocks: dict[str, Block] = {}
        self._found: dict[str, tuple[Block, Line]] = {}
        self.policy_of: dict[str, str] = {}
        self.unknown: list[str] = []
        for block in self._editor.blocks:
            policy_id = self._written_policies.get(block.key.text) or self._policy_today(block.key.text)
            if policy_id:
                self._blocks.setdefault(policy_id, block)
            for line in block.members:
                id = self._written_items.get(line.text) or self._item_today(line.text)
                if id and policy_id and id not in self.policy_of:
                    self.policy_of[id] = policy_id
                    self._found[id] = block, line
                else:
                    self.unknown.append(line.text)

    def name(self, id: str) -> str:
        """Return the reference of an item: as the file has it, else as a program would name it."""
        return self._found[id][1].text if id in self._found else self._items[id].text

    def policy_name(self, id: str | None) -> str | None:
        """Return the reference of a policy."""
        if id is None:
            return None
        return self._policies[id].text if id in self._policies else self._blocks[id].key.text

    def edit(self, policy_of: Mapping[str, str | None]) -> str:
        """Return the text with other policies for some members, and today's references for renamed items and policies.

        Args:
            policy_of: the id of the new policy by the id of the item; None removes the member.

        Raises:
            DataFileError: A list is not written line by line.
        """
        for id, block in self._blocks.items():
            if id in self._policies and self._policy_today(block.key.text) != id:
                self._editor.replace(block.key, scalar(self._policies[id].text))
        added: defaultdict[str, list[tuple[Reference, str]]] = defaultdict(list)
        rests = {id: self._editor.remove(*self._found[id]) for id in policy_of if id in self._found}
        for id, policy_id in policy_of.items():
            if policy_id:
                added[policy_id].append((self._items[id], rests.get(id, "").rstrip()))
        for id, (_, line) in self._found.items():
            if id not in policy_of and id in self._items and self._item_today(line.text) != id:
                self._editor.replace(line, scalar(self._items[id].text))
        names = {line.text: self._items[id] for id, (_, line) in self._found.items() if id in self._items}
        for policy_id in sorted(added, key=lambda policy_id: sort_key(self._policies[policy_id])):
            self._add(policy_id, sorted(added[policy_id], key=lambda one: sort_key(one[0])), names)
        return self._editor.result()

    def _add(self, policy_id: str, added: list[tuple[Reference, str]], names: Mapping[str, Reference]) -> None:
        entries = [
            (reference, f"{scalar(reference.text)}{rest}" if rest else noted(scalar(reference.text), reference.note))
            for reference, rest in added
        ]
        if block := self._blocks.get(policy_id):
            members, before = [*block.members], 0
            keys = [sort_key(names.get(line.text) or _plain(line.text)) for line in members]
            for reference, entry in entries:
                before = _position(keys, sort_key(reference), before)
                self._editor.add(block, members[before - 1] if before else None, entry)
            return
        meant = {
            id(block): self._policies[policy] for policy, block in self._blocks.items() if policy in self._policies
        }
        policy = self._policies[policy_id]
        blocks = self._editor.blocks
        keys = [sort_key(meant.get(id(block)) or _plain(block.key.text)) for block in blocks]
        before = _position(keys, sort_key(policy), 0)
        key = noted(f"{scalar(policy.text)}:", policy.note)
        self._editor.add_block(blocks[before - 1] if before else None, key, [entry for _, entry in entries])

    def _item_today(self, text: str) -> str | None:
        with suppress(UnresolvedReferenceError):
            return self._index.find(text).id
        return None

    def _policy_today(self, text: str) -> str | None:
        if text in self._policies:
            return text
        name = unicodedata.normalize("NFC", text)
        policies = self._contents.policies.items()
        found = [id for id, policy in policies if unicodedata.normalize("NFC", policy.name or "") == name]
        return found[0] if len(found) == 1 and name else None


def _plain(text: str) -> Reference:
    return Reference(text, "", text)


def _position(keys: list[tuple[str, str, str]], key: tuple[str, str, str], start: int) -> int:
    """Return the position before the first entry that comes later, so that a list in another order stays as it is."""
    return next((position for position in range(start, len(keys)) if keys[position] > key), len(keys))
