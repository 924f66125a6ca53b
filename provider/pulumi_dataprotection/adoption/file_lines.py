"""The policies and members of a tenant's file, with their positions in its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from pulumi_dataprotection.adoption.yaml_content import compose

__all__ = ["Block", "FileLines", "Line"]


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


class FileLines:
    """The lines of a valid text.

    Args:
        text: the text of a tenant's file.

    Attributes:
        text: the text.
        eol: the end of its lines.
        policies: the position of the key `policies`; None without it.
        braces: the positions of the policies in braces; None for policies with a line for each.
        blocks: the policies.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.eol = "\r\n" if "\r\n" in text else "\n"
        # The nodes themselves take a kilobyte for each member, so only their positions are kept.
        self.policies: int | None = None
        self.braces: tuple[int, int] | None = None
        self.blocks: list[Block] = []
        for key, value in _entries(compose(text)):
            if key.value == "policies":
                self.policies = key.start_mark.index
                self.braces = self._brackets(value)
                self.blocks = [self._block(policy, members) for policy, members in _entries(value)]

    def bounds(self, position: int) -> tuple[int, int]:
        """Return the start and the end of the line at a position, without its line end."""
        end = self.text.find(self.eol, position)
        return self.text.rfind("\n", 0, position) + 1, len(self.text) if end < 0 else end

    def prefix(self, line: Line) -> str:
        """Return the text before a scalar in its line."""
        return self.text[self.bounds(line.start)[0] : line.start]

    def _block(self, key: ScalarNode, value: Node) -> Block:
        members = cast("list[ScalarNode]", value.value)
        lines = dict.fromkeys(self._place(member, r"\s*-\s+") for member in members)
        return Block(self._place(key, r"\s*"), self._brackets(value), lines)

    def _brackets(self, node: Node) -> tuple[int, int] | None:
        if not cast("MappingNode | SequenceNode", node).flow_style:
            return None
        return len(self.text[: node.start_mark.index].rstrip(" ")), node.end_mark.index

    def _place(self, node: ScalarNode, before: str) -> Line:
        start, end = node.start_mark.index, node.end_mark.index
        one_line = node.start_mark.line == node.end_mark.line
        alone = one_line and re.fullmatch(before, self.text[self.bounds(start)[0] : start]) is not None
        return Line(node.value, start, end, node.start_mark.line + 1, alone)


def _entries(node: Node | None) -> Iterator[tuple[ScalarNode, Node]]:
    yield from cast("list[tuple[ScalarNode, Node]]", node.value) if isinstance(node, MappingNode) else []
