"""The outcomes of writes: failures that only a read can settle, and failures that leave work behind."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TypeVar

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors

__all__ = [
    "REFUSED",
    "SETTLED_BY_READING",
    "UNCLEAR",
    "PurposeError",
    "Severity",
    "UnfinishedSwapError",
    "UnprotectedError",
    "cause_of",
    "detail_of",
    "severity_of",
]

E = TypeVar("E", bound=BaseException)

REFUSED = (errors.InvalidArgumentError, errors.ConflictError, errors.UnexpectedStatusError)
"""The service says that it did nothing."""

UNCLEAR = (errors.OutcomeUnclearError, errors.ServiceError, errors.BusyError)
"""The service may have done the work, or can do it later."""

SETTLED_BY_READING = (*REFUSED, *UNCLEAR, errors.AnswerError)
"""The work may be done now, or may have been done before: only a read can settle it."""


class Severity(IntEnum):
    """The severity of a failure; the gravest failures come first in a message."""

    UNPROTECTED = 0
    FAILED = 1


class UnprotectedError(errors.DataProtectionError):
    """An item lost its policy, and did not get it back."""


class PurposeError(errors.DataProtectionError):
    """An error whose text begins with the purpose of the work: "cannot protect jane@contoso.example …: 403 …".

    Attributes:
        detail: the text without the purpose.
    """

    def __init__(self, purpose: str, cause: errors.DataProtectionError) -> None:
        self.detail = detail_of(cause)
        super().__init__(f"{purpose}: {self.detail}")


class UnfinishedSwapError(errors.DataProtectionError):
    """A swap that assigned the new policy, and failed before it removed the displaced policies.

    Attributes:
        protection: the new policy on the item.
        made: whether this run assigned it.
        displaced: ids of the policies that may still be on the item.
    """

    def __init__(
        self,
        cause: errors.DataProtectionError,
        protection: client.records.Protection,
        *,
        made: bool,
        displaced: Sequence[str],
    ) -> None:
        detail = detail_of(cause)
        policies = ", ".join(map(printable, displaced))
        super().__init__(f"{detail}. The next `pulumi up` finishes the swap and removes the policy {policies}")
        self.protection = protection
        self.made = made
        self.displaced = [*displaced]


def detail_of(error: errors.DataProtectionError) -> str:
    """Return the text of an error, without the purpose of the call that failed."""
    return error.detail if isinstance(error, errors.CallError) else str(error)


def cause_of(error: BaseException | None, *kinds: type[E]) -> E | None:
    """Return the first error of these classes among an error and its causes, or None."""
    while error is not None and not isinstance(error, kinds):
        error = error.__cause__
    return error


def severity_of(error: BaseException) -> Severity:
    """Return the severity of a failure."""
    return Severity.UNPROTECTED if cause_of(error, UnprotectedError) else Severity.FAILED
