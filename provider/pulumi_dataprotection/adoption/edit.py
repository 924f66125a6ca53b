"""Edits of a tenant's file that leave each other line as it is."""

from __future__ import annotations

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.file_lines import Block, FileLines, Line
from pulumi_dataprotection.adoption.yaml_content import DataFileError

__all__ = ["Editor"]


class Editor:
    """An editor of a valid text.

    Args:
        text: the text of a tenant's file.
        source: the file, as errors name it.

    Attributes:
        blocks: the policies of the text, with the members that stay.
    """

    def __init__(self, text: str, source: str) -> None:
        self._lines, self._source = FileLines(text), source
        self._edits: list[tuple[int, int, str]] = []
        self._appended: list[str] = []
        self.blocks = self._lines.blocks

    def replace(self, line: Line, scalar: str) -> None:
        """Replace a reference; a comment behind it stays."""
        self._edits.append((line.start, line.end, scalar))

    def remove(self, block: Block, line: Line) -> str:
        """Remove a member, and return the rest of its line."""
        self._require(line)
        del block.members[line]
        text = self._lines.text
        start, end = self._lines.bounds(line.start)
        # The last line may lack its end.
        self._edits.append((start, min(end + len(self._lines.eol), len(text)), ""))
        return text[line.end : end]

    def add(self, block: Block, after: Line | None, entry: str) -> None:
        """Add a member with its comment behind another member, or as the first one."""
        self._require(after or block.key)
        if block.value and block.members:
            raise self._unusual(block.key.number)
        block.added = True
        sample = after or next(iter(block.members), None)
        indent = self._lines.prefix(sample) if sample else f"{self._lines.prefix(block.key)}  - "
        self._insert((after or block.key).start, indent + entry)

    def add_block(self, after: Block | None, key: str, entries: list[str]) -> None:
        """Add a policy with members behind another policy, or as the first one."""
        sample = next(iter(self.blocks), None)
        indent = self._lines.prefix(sample.key) if sample else "  "
        lines = [f"{indent}{key}", *(f"{indent}  - {entry}" for entry in entries)]
        if after:
            last = next(reversed(after.members), after.key)
            self._require(last)
            self._insert(last.start, *lines)
        elif self._lines.policies is not None:
            if self._lines.braces:
                if self.blocks:
                    raise self._unusual(self.blocks[0].key.number)
                self._edits.append((*self._lines.braces, ""))
            self._insert(self._lines.policies, *lines)
        else:
            self._appended += lines

    def result(self) -> str:
        """Return the edited text."""
        text, eol = self._lines.text, self._lines.eol
        for block in self.blocks:
            if block.value and block.added:
                self._edits.append((*block.value, ""))
            elif not block.value and not block.members and not block.added:
                colon = text.index(":", block.key.end) + 1
                self._edits.append((colon, colon, " []"))
        if self._appended:
            # The last line may lack its end.
            before = "" if text.endswith("\n") else eol
            appended = "".join(f"{line}{eol}" for line in ("policies:", *self._appended))
            self._edits.append((len(text), len(text), before + appended))
        parts: list[str] = []
        position = 0
        # An edit can be at the end of a line: new lines come behind it.
        for start, end, replacement in sorted(self._edits, key=lambda edit: (edit[0], edit[2].startswith(eol))):
            parts += [text[position:start], replacement]
            position = max(position, end)
        return "".join([*parts, text[position:]])

    def _insert(self, position: int, *lines: str) -> None:
        end = self._lines.bounds(position)[1]
        self._edits.append((end, end, "".join(self._lines.eol + line for line in lines)))

    def _require(self, line: Line) -> None:
        if not line.alone:
            raise self._unusual(line.number)

    def _unusual(self, number: int) -> DataFileError:
        place = f"{printable(self._source)}, line {number}"
        return DataFileError(
            f"Cannot update {place}: it is not a list with one member per line. Write it as such a list."
        )
