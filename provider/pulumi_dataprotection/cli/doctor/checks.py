"""Checks, their findings, and the loop that runs the checks."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

__all__ = ["Check", "Finding", "depends_on", "failed", "ok", "run_checks", "skipped", "warning"]

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check.

    Attributes:
        result: how it ended.
        found: the facts.
        advice: the fix; empty if all is well.
    """

    result: Literal["ok", "warning", "failed", "skipped"]
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Check(Generic[S]):
    """A check of the set-up.

    Attributes:
        name: the name.
        look: makes the finding, and leaves in the scene the facts that later checks need.
        needs: the checks that must succeed first.
    """

    name: str
    look: Callable[[S], Finding]
    needs: Sequence[str] = ()


ok = functools.partial(Finding, "ok")
warning = functools.partial(Finding, "warning")
failed = functools.partial(Finding, "failed")
skipped = functools.partial(Finding, "skipped")


def run_checks(checks: Iterable[Check[S]], scene: S, findings: dict[str, Finding]) -> None:
    """Run checks in order, also after failures.

    Args:
        checks: the checks.
        scene: the facts that the checks share.
        findings: the findings by the names of the checks; new findings are added.
    """
    for check in checks:
        unmet = next((need for need in check.needs if findings[need].result in {"failed", "skipped"}), None)
        findings[check.name] = _look(check, scene) if unmet is None else depends_on(unmet)


def depends_on(check: str) -> Finding:
    """Return the finding of a check that another check makes impossible."""
    return skipped(f"depends on: {check}", f'See "{check}"')


def _look(check: Check[S], scene: S) -> Finding:
    try:
        return check.look(scene)
    except Exception as error:  # noqa: BLE001 - who looks for what is wrong must not end with a traceback
        return failed(
            f"the check itself failed: {type(error).__name__}: {error}",
            "Report this as a bug of `dataprotection doctor`",
        )
