"""The report of an update: what was merged, and what somebody has to decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.merge import Change
from pulumi_dataprotection.adoption.update import Changes

__all__ = ["fields", "is_open", "lines", "problems"]


def is_open(changes: Changes) -> bool:
    """Return whether somebody has to decide something."""
    return next(problems(changes), None) is not None


def lines(changes: Changes) -> Iterator[str]:
    """Yield the changes of the files, and their counts."""
    for path, found in changes.merged.items():
        for change in found:
            yield f"{path}: {_member(change)}: {_shown(change.file)} -> {_shown(change.service)}"
    counts = [_count(changes.merged), _count(changes.kept), _count(changes.contradictions)]
    yield "{} merged, {} edits by hand kept, {} to decide".format(*(f"{count:,}" for count in counts))


def problems(changes: Changes) -> Iterator[str]:
    """Yield what somebody has to decide."""
    for path, found in changes.contradictions.items():
        for change in found:
            both = f"the file has {_shown(change.file)}, and the service now has {_shown(change.service)}"
            yield f"{path}: {_member(change)}: {both}. Change the file or the service"
    for path, texts in changes.unknown.items():
        for text in texts:
            yield f'{path}: "{printable(text)}" means no item, or an item that is there twice. Remove the line'
    for path in changes.not_merged:
        yield f"{path} differs from the service, and was edited by hand. Change it by hand, or use --force"
    for path in changes.not_found:
        yield f"{path}: the tenant was not found. Remove the file if the customer left"


def fields(changes: Changes) -> dict[str, object]:
    """Return the report for programs."""
    return {
        **{
            name: [
                {"path": path, "id": one.id, "member": one.reference, "file": one.file, "service": one.service}
                for path, found in kind.items()
                for one in found
            ]
            for name, kind in (
                ("merged", changes.merged),
                ("kept", changes.kept),
                ("contradictions", changes.contradictions),
            )
        },
        "unknown": [{"path": path, "member": text} for path, texts in changes.unknown.items() for text in texts],
        "not_merged": changes.not_merged,
        "not_found": changes.not_found,
    }


def _count(changes: Mapping[str, list[Change]]) -> int:
    return sum(map(len, changes.values()))


def _member(change: Change) -> str:
    return f'"{printable(change.reference)}"'


def _shown(policy: str | None) -> str:
    return f'"{printable(policy)}"' if policy else "no policy"
