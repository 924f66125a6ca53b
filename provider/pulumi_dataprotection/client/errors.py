"""The errors of the client.

DataProtectionError
├── ConfigurationError          a setting is missing or cannot be used
├── CanceledError               the user wants the process to end
├── IncompleteListError         a list lacks what the service shows elsewhere
├── InvalidIdError              an id that no request can carry
├── UnresolvedReferenceError    a name or id that does not mean one thing
│   ├── ReferenceNotFoundError      nothing has it
│   └── AmbiguousReferenceError     several have it
└── CallError                   a call to the service failed
    ├── NotSentError            the service was not reached: nothing happened there
    ├── OutcomeUnclearError     the answer got lost: it may have happened
    ├── AnswerError             the answer is not what the interface describes
    └── StatusError             the service refused
        ├── InvalidArgumentError    400
        ├── UnauthenticatedError    401
        ├── ForbiddenError          403
        ├── NotFoundError           404
        ├── ConflictError           409, which the interface does not name
        ├── BusyError               408, 423, 425, and 400 or 409 with Retry-After
        ├── TooManyRequestsError    429
        ├── ServiceError            5xx
        └── UnexpectedStatusError   any other
"""

from pulumi_dataprotection.spec import Operation

__all__ = [
    "AmbiguousReferenceError",
    "AnswerError",
    "BusyError",
    "CallError",
    "CanceledError",
    "ConfigurationError",
    "ConflictError",
    "DataProtectionError",
    "ForbiddenError",
    "IncompleteListError",
    "InvalidArgumentError",
    "InvalidIdError",
    "NotFoundError",
    "NotSentError",
    "OutcomeUnclearError",
    "ReferenceNotFoundError",
    "ServiceError",
    "StatusError",
    "TooManyRequestsError",
    "UnauthenticatedError",
    "UnexpectedStatusError",
    "UnresolvedReferenceError",
]


class DataProtectionError(Exception):
    """The root of all errors of this package; its text is written for the user."""


class ConfigurationError(DataProtectionError):
    """A setting is missing or cannot be used."""


class CanceledError(DataProtectionError):
    """The user wants the process to end; no new call goes out."""


class IncompleteListError(DataProtectionError):
    """A list lacks items that the service shows elsewhere: it proves nothing."""


class InvalidIdError(DataProtectionError):
    """An id or another argument that no request can carry: nothing was sent."""


class UnresolvedReferenceError(DataProtectionError):
    """A name or id does not mean one thing."""


class ReferenceNotFoundError(UnresolvedReferenceError):
    """Nothing has this name or id."""


class AmbiguousReferenceError(UnresolvedReferenceError):
    """Several things have this name."""


class CallError(DataProtectionError):
    """A call to the service failed.

    Attributes:
        detail: what happened and what to do, without what was tried.
        operation: the row of the operation.
        request: the method and the path of the call, without its query.
        attempts: how often it was sent; 0 if it was not sent.
    """

    def __init__(self, detail: str, *, operation: Operation, request: str, attempts: int) -> None:
        super().__init__(f"cannot {operation.does}: {detail}")
        self.detail = detail
        self.operation = operation
        self.request = request
        self.attempts = attempts


class NotSentError(CallError):
    """The service was not reached, so nothing happened there."""


class OutcomeUnclearError(CallError):
    """The answer got lost: the service may have done the work or not."""


class AnswerError(CallError):
    """The answer is not what the interface describes."""


class StatusError(CallError):
    """The service refused (section 7 of the interface).

    Attributes:
        status: the HTTP status.
        message: the service's own words.
        code: the service's code for the kind of error; empty if the body has no code.
        retry_after: the seconds after which the service allows the call again; None if it does not say so.
    """

    def __init__(
        self,
        detail: str,
        *,
        operation: Operation,
        request: str,
        attempts: int,
        status: int,
        message: str,
        code: str,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail, operation=operation, request=request, attempts=attempts)
        self.status = status
        self.message = message
        self.code = code
        self.retry_after = retry_after


class InvalidArgumentError(StatusError):
    """400: a required argument is missing, or a value is invalid."""


class UnauthenticatedError(StatusError):
    """401: the API key is invalid, expired or missing."""


class ForbiddenError(StatusError):
    """403: the application lacks permission to access the entity."""


class NotFoundError(StatusError):
    """404: the requested entity does not exist."""


class ConflictError(StatusError):
    """409: what is there already stands in the way; the interface answers that with 400, other services so."""


class BusyError(StatusError):
    """408, 423, 425, and 400 or 409 with `Retry-After`: the same call can succeed later."""


class TooManyRequestsError(StatusError):
    """429: the application exceeded its call limit. After a long `Retry-After`, later calls fail without being sent."""


class ServiceError(StatusError):
    """5xx: the service failed, and the outcome of a write is unclear."""


class UnexpectedStatusError(StatusError):
    """A status that the interface does not describe."""
