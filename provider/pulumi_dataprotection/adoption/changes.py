"""The changes of an update: what was merged, and what somebody has to decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.merge import Change, Merge

__all__ = ["Changes"]

_ByPath = dict[str, list[Change]]


@dataclass(slots=True)
class Changes:
    """The changes of an update.

    Attributes:
        merged: the changes of the service that the files got, by the path of the file.
        kept: the edits by hand that the service does not have, by the path of the file.
        contradictions: the members that both changed, by the path of the file.
        unknown: the references without a meaning, by the path of the file.
        not_merged: the files that differ from the service, and were edited by hand in a form that has no merge.
        not_found: the files of tenants that were not found.
    """

    merged: _ByPath = field(default_factory=_ByPath)
    kept: _ByPath = field(default_factory=_ByPath)
    contradictions: _ByPath = field(default_factory=_ByPath)
    unknown: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    not_merged: list[str] = field(default_factory=list[str])
    not_found: list[str] = field(default_factory=list[str])

    def note(self, path: str, merged: Merge) -> None:
        """Add the changes of one file."""
        self.merged[path] = merged.merged
        self.kept[path] = merged.kept
        self.contradictions[path] = merged.contradictions
        self.unknown[path] = merged.unknown

    @property
    def is_open(self) -> bool:
        """Whether somebody has to decide something."""
        return next(self.problems(), None) is not None

    def lines(self) -> Iterator[str]:
        """Yield the changes of the files, and their counts."""
        for path, change in _each(self.merged):
            yield f"{path}: {_member(change)}: {_shown(change.file)} -> {_shown(change.service)}"
        counts = [len([*_each(changes)]) for changes in (self.merged, self.kept, self.contradictions)]
        yield "{:,} merged, {:,} edits by hand kept, {:,} to decide".format(*counts)

    def problems(self) -> Iterator[str]:
        """Yield what somebody has to decide."""
        for path, change in _each(self.contradictions):
            both = f"the file has {_shown(change.file)}, and the service now has {_shown(change.service)}"
            yield f"{path}: {_member(change)}: {both}. Change the file or the service"
        for path, texts in self.unknown.items():
            for text in texts:
                yield f'{path}: "{printable(text)}" means no item, or an item that is there twice. Remove the line'
        for path in self.not_merged:
            yield f"{path} differs from the service, and was edited by hand. Change it by hand, or use --force"
        for path in self.not_found:
            yield f"{path}: the tenant was not found. Remove the file if the customer left"

    def fields(self) -> dict[str, object]:
        """Return the changes for programs."""
        by_kind = {"merged": self.merged, "kept": self.kept, "contradictions": self.contradictions}
        listed = {
            kind: [
                {"path": path, "id": one.id, "member": one.reference, "file": one.file, "service": one.service}
                for path, one in _each(changes)
            ]
            for kind, changes in by_kind.items()
        }
        unknown = [{"path": path, "member": text} for path, texts in self.unknown.items() for text in texts]
        return {**listed, "unknown": unknown, "not_merged": self.not_merged, "not_found": self.not_found}


def _each(changes: Mapping[str, list[Change]]) -> Iterator[tuple[str, Change]]:
    for path, found in changes.items():
        for change in found:
            yield path, change


def _member(change: Change) -> str:
    return f'"{printable(change.reference)}"'


def _shown(policy: str | None) -> str:
    return f'"{printable(policy)}"' if policy else "no policy"
