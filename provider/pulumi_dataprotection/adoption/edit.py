"""Edits of a tenant's file that leave each other line as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.yaml_text import DataFileError, compose

__all__ = ["Block", "Editor", "Line"]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A member or a policy in the file.

    Attributes:
        text: the reference.
        start: the position of its scalar.
        end: the end of its scalar.
        number: the number of the line.
        alone: whether the scalar is the only value of its line.
    """

    text: str
    start: int
    end: int
    number: int
    alone: bool


@dataclass(slots=True, eq=False)
class Block:
    """A policy of the file, and its members.

    Attributes:
        key: the policy.
        value: the positions of a list in brackets; None for a list with a line for each member.
        members: the members that stay, in the order of the file.
        added: whether members were added.
    """

    key: Line
    value: tuple[int, int] | None
    members: dict[Line, None] = field(default_factory=dict[Line, None])
    added: bool = False


class Editor:
    """An editor of a valid text.

    Args:
        text: the text of a tenant's file.
        source: the file, as errors name it.
    """

    def __init__(self, text: str, source: str) -> None:
        self._text, self._source = text, source
        self._eol = "\r\n" if "\r\n" in text else "\n"
        self._edits: list[tuple[int, int, str]] = []
        self._appended = False
        # The nodes themselves take a kilobyte for each member, so only their positions are kept.
        self._key: int | None = None
        self._braces: tuple[int, int] | None = None
        self.blocks: list[Block] = []
        for key, value in _entries(compose(text)):
            if key.value == "policies":
                self._key = key.start_mark.index
                self._braces = self._bounds(value) if cast("MappingNode", value).flow_style else None
                self.blocks = [self._block(policy, members) for policy, members in _entries(value)]

    def replace(self, line: Line, scalar: str) -> None:
        """Replace a reference; a comment behind it stays."""
        self._edits.append((line.start, line.end, scalar))

    def remove(self, block: Block, line: Line) -> str:
        """Remove a member, and return the rest of its line."""
        self._require(line)
        del block.members[line]
        start, end = self._line(line.start)
        rest = self._text[line.end : end]
        # The last line may lack its end.
        after = len(self._text) if end == len(self._text) else end + len(self._eol)
        self._edits.append((start, after, ""))
        return rest

    def add(self, block: Block, after: Line | None, entry: str) -> None:
        """Add a member with its comment behind another member, or as the first one."""
        self._require(after or block.key)
        if block.value and block.members:
            raise self._unusual(block.key.number)
        block.added = True
        sample = after or next(iter(block.members), None)
        indent = self._prefix(sample) if sample else f"{self._prefix(block.key)}  - "
        self._insert((after or block.key).start, indent + entry)

    def add_block(self, after: Block | None, key: str, entries: list[str]) -> None:
        """Add a policy with members behind another policy, or as the first one."""
        sample = next(iter(self.blocks), None)
        indent = self._prefix(sample.key) if sample else "  "
        lines = [f"{indent}{key}", *(f"{indent}  - {entry}" for entry in entries)]
        if after:
            last = next(reversed(after.members), after.key)
            self._require(last)
            self._insert(last.start, *lines)
        elif self._key is None:
            head = [] if self._appended else ["policies:"]
            self._appended = True
            self._edits.append(
                (len(self._text), len(self._text), "".join(f"{line}{self._eol}" for line in head + lines))
            )
        else:
            if self._braces:
                if self.blocks:
                    raise self._unusual(self.blocks[0].key.number)
                self._edits.append((*self._braces, ""))
            self._insert(self._key, *lines)

    def result(self) -> str:
        """Return the edited text."""
        for block in self.blocks:
            if block.value and block.added:
                self._edits.append((*block.value, ""))
            elif not block.value and not block.members and not block.added:
                colon = self._text.index(":", block.key.end) + 1
                self._edits.append((colon, colon, " []"))
        parts: list[str] = []
        position = 0
        # An edit can be at the end of a line: new lines come behind it.
        for start, end, replacement in sorted(self._edits, key=lambda edit: (edit[0], edit[2].startswith(self._eol))):
            parts += [self._text[position:start], replacement]
            position = max(position, end)
        return "".join([*parts, self._text[position:]])

    def _block(self, key: ScalarNode, value: Node) -> Block:
        members = cast("list[ScalarNode]", value.value)
        lines = dict.fromkeys(self._place(member, r"\s*-\s+") for member in members)
        bounds = self._bounds(value) if cast("SequenceNode", value).flow_style else None
        return Block(self._place(key, r"\s*"), bounds, lines)

    def _bounds(self, node: Node) -> tuple[int, int]:
        return len(self._text[: node.start_mark.index].rstrip(" ")), node.end_mark.index

    def _place(self, node: ScalarNode, before: str) -> Line:
        start, end = node.start_mark.index, node.end_mark.index
        one_line = node.start_mark.line == node.end_mark.line
        alone = one_line and re.fullmatch(before, self._text[self._line(start)[0] : start]) is not None
        return Line(node.value, start, end, node.start_mark.line + 1, alone)

    def _require(self, line: Line) -> None:
        if not line.alone:
            raise self._unusual(line.number)

    def _unusual(self, number: int) -> DataFileError:
        place = f"{printable(self._source)}, line {number}"
        return DataFileError(
            f"Cannot update {place}: it is not a list with one member per line. Write it as such a list."
        )

    def _line(self, position: int) -> tuple[int, int]:
        end = self._text.find(self._eol, position)
        return self._text.rfind("\n", 0, position) + 1, len(self._text) if end < 0 else end

    def _prefix(self, line: Line) -> str:
        return self._text[self._line(line.start)[0] : line.start]

    def _insert(self, position: int, *lines: str) -> None:
        end = self._line(position)[1]
        self._edits.append((end, end, "".join(self._eol + line for line in lines)))


def _entries(node: Node | None) -> Iterator[tuple[ScalarNode, Node]]:
    yield from cast("list[tuple[ScalarNode, Node]]", node.value) if isinstance(node, MappingNode) else []
