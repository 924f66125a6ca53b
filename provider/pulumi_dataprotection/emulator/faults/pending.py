"""The pending faults, and the choice of the next fault."""

from collections import deque
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from pulumi_dataprotection.emulator.answers.answer import Answer
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.faults.fault import Fault
from pulumi_dataprotection.emulator.faults.rules import Rule, read_rules
from pulumi_dataprotection.spec import Operation


@dataclass(slots=True, eq=False)
class _Pending:
    """A rule, with what remains of it."""

    rule: Rule
    left: deque[Fault]
    to_skip: int

    def fits(self, operation: Operation, path: str, key: str) -> bool:
        """Return whether the rule is about a request."""
        return (
            self.rule.operation in {None, operation.id}
            and (self.rule.path is None or fnmatchcase(path, self.rule.path))
            and self.rule.key in {None, key}
            and (operation.answers == "page" or not self.left[0].of_listings)
            and (operation.answers == "record" or not self.left[0].of_records)
        )

    def document(self) -> dict[str, Any]:
        """Return what remains, as a rule that could be posted."""
        scope = self.rule.model_dump(include={"operation", "path", "key"})
        return {**scope, "nth": self.to_skip + 1, "do": [fault.document for fault in self.left]}


@dataclass(slots=True)
class Turn:
    """A fault that is due for one request; it stays in its rule unless it is used."""

    fault: Fault
    _pending: _Pending
    _all: list[_Pending] = field(repr=False)
    used: bool = False

    def use(self) -> None:
        """Take it from its rule; a rule that is used up vanishes."""
        self.used = True
        self._pending.left.popleft()
        if not self._pending.left:
            self._all.remove(self._pending)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An answer on its way, and the fault that it carries or meets there."""

    answer: Answer
    fault: Fault | None = None

    @property
    def status(self) -> int | None:
        """The status that the client gets; None if the connection is reset."""
        return None if self.fault is not None and self.fault.name == "reset" else self.answer.status


def apply_fault(answer: Answer, turn: Turn | None, dialect: Dialect) -> Outgoing:
    """Change the service's answer as the fault of its request says, and use up the fault."""
    if turn is None:
        return Outgoing(answer)
    if not turn.used:
        changed = turn.fault.change(answer, dialect)
        if changed is not None:
            answer = changed
            turn.use()
    return Outgoing(answer, turn.fault if turn.used else None)


class Faults:
    """The rules in the order in which they were posted."""

    def __init__(self) -> None:
        self._pending: list[_Pending] = []

    def add(self, content: object) -> None:
        """Add a rule, or a list of them.

        Raises:
            EmulatorError: The document is not valid; nothing is added.
        """
        self._pending += [_Pending(rule, deque(rule.faults()), rule.nth - 1) for rule in read_rules(content)]

    def clear(self) -> None:
        """Forget all rules."""
        self._pending.clear()

    def document(self) -> list[dict[str, Any]]:
        """Return what is left, as the control plane shows it."""
        return [pending.document() for pending in self._pending]

    def turn(self, operation: Operation, path: str, key: str) -> Turn | None:
        """Find the fault of a request: that of the first rule that fits and has skipped what it is to skip.

        Every rule counts each request that it fits, whichever rule's fault hits it.

        Args:
            operation: the operation that is asked for.
            path: the path as it was sent.
            key: the name of the calling key.
        """
        due: list[_Pending] = []
        for pending in self._pending:
            if not pending.fits(operation, path, key):
                continue
            if pending.to_skip:
                pending.to_skip -= 1
            else:
                due.append(pending)
        return Turn(due[0].left[0], due[0], self._pending) if due else None
