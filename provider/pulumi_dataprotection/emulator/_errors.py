"""The errors of the emulator: refusals of the service, and reasons not to start.

EmulatorError             the emulator cannot start or take a document
└── StoreError            its database file cannot be used
ServiceError              the service refuses a request (section 7 of the interface)
├── InvalidArgument       400
├── Unauthenticated       401
├── Forbidden             403
├── NotFound              404
├── MethodNotAllowed      405
├── Conflict              409
├── TooManyRequests       429
└── ServerFault               any status, as a fault has it
"""

import re
from collections.abc import Mapping
from typing import ClassVar


class EmulatorError(Exception):
    """The emulator cannot start or take a document; the text names the cause and the fix."""


class StoreError(EmulatorError):
    """The database file cannot be used."""


class ServiceError(Exception):
    """The service refuses a request.

    Args:
        text: why; it goes into the answer's body.
        headers: what the answer's head says about it.
    """

    status: int
    code: ClassVar[str]
    """The status in a word, as some dialects say it."""

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, text: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.headers = headers or {}


class InvalidArgument(ServiceError):  # noqa: N818 - named as the interface names it
    """A required argument is missing or a value is invalid."""

    status = 400


class Unauthenticated(ServiceError):  # noqa: N818
    """The API key is invalid, expired or missing."""

    status = 401


class Forbidden(ServiceError):  # noqa: N818
    """The application lacks permission to access the entity."""

    status = 403


class NotFound(ServiceError):  # noqa: N818
    """The requested entity, or the path itself, does not exist."""

    status = 404


class MethodNotAllowed(ServiceError):  # noqa: N818
    """The path exists, but not with this method."""

    status = 405


class Conflict(ServiceError):  # noqa: N818
    """The request conflicts with an existing object; the interface has no such status, but real services do."""

    status = 409


class TooManyRequests(ServiceError):  # noqa: N818
    """The application exceeds its call limit."""

    status = 429


class Unimplemented(ServiceError):  # noqa: N818
    """The interface has the operation, and the emulator has no handler for it."""

    status = 501


class ServerFault(ServiceError):  # noqa: N818
    """The service fails, because a fault says so."""

    def __init__(self, status: int) -> None:
        super().__init__(f"a fault answers this request with {status}")
        self.status = status


_REFUSALS = {error.code: error for error in (InvalidArgument, Forbidden, NotFound, Conflict)}


def refuse_as(variant: str, text: str) -> None:
    """Refuse as a variant of the dialect says; a variant that is not a refusal does nothing.

    Raises:
        ServiceError: The variant names a refusal.
    """
    if variant in _REFUSALS:
        raise _REFUSALS[variant](text)
