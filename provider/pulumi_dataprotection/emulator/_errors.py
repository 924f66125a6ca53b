"""The errors of the emulator: refusals of the service, and reasons not to start.

EmulatorError             the emulator cannot start or take a document
└── StoreError            its database file cannot be used
ServiceError              the service refuses a request (section 7 of the interface)
├── InvalidArgument       400
├── Unauthenticated       401
├── Forbidden             403
├── NotFound              404
└── MethodNotAllowed      405
"""

from typing import ClassVar


class EmulatorError(Exception):
    """The emulator cannot do what it was told to; the text says why and what to do."""


class StoreError(EmulatorError):
    """The database file cannot be used."""


class ServiceError(Exception):
    """The service refuses a request; the text goes into the answer's body."""

    status: ClassVar[int]


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
