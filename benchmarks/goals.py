"""Goals, and whether they are met."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.printing import Columns

__all__ = ["Goal", "goals_table"]


@dataclass
class Goal:
    """A number that must not be larger than another one.

    Attributes:
        what: what was measured.
        measured: the number; None where there is none.
        most: the largest that it may be; None where that could not be measured.
        unit: of both.
        basis: how the goal comes about.
    """

    what: str
    measured: float | None
    most: float | None
    unit: str
    basis: str

    @property
    def verdict(self) -> str:
        """Whether it is met, or by how much it is missed."""
        if self.measured is None or self.most is None:
            return "not measured"
        if self.measured <= self.most:
            return "met"
        return f"missed by {self.measured - self.most:,.1f} {self.unit}"


def goals_table(goals: Iterable[Goal], title: str, caption: str) -> Columns:
    """Return a table of goals."""
    rows: list[list[str]] = []
    for goal in goals:
        measured, most = (
            "" if number is None else f"{number:,.1f} {goal.unit}" for number in (goal.measured, goal.most)
        )
        rows.append([goal.what, measured, most, goal.basis, goal.verdict])
    headings = ("what", "measured", "goal: at most", "which is", "verdict")
    return Columns(title, headings, rows, ("which is",), caption)
