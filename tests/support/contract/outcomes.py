"""Calls that a service may refuse, or not, as it reads the interface."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pulumi_dataprotection.client import Call
from pulumi_dataprotection.client.errors import ConflictError, InvalidArgumentError, NotFoundError, StatusError
from support.contract.service import Service

__all__ = ["attempt"]

T = TypeVar("T")

_REFUSALS: Mapping[Any, type[StatusError]] = {
    "invalid_argument": InvalidArgumentError,
    "conflict": ConflictError,
    "not_found": NotFoundError,
}


def attempt(service: Service, call: Call[T], switch: str, otherwise: T) -> T:
    """Send a call that may be refused; the refusal must have the class that the dialect names.

    Args:
        service: the service.
        call: the call.
        switch: the field of the dialect that decides about it.
        otherwise: what to return in the place of a refusal.

    Raises:
        StatusError: It was refused otherwise.
    """
    variant = service.variants.get(switch)
    possible = tuple(_REFUSALS.values()) if variant is None else _REFUSALS.get(variant, ())
    try:
        result = service.send(call)
    except possible:
        return otherwise
    assert variant not in _REFUSALS, f"it was not refused, although {switch} is {variant}"
    return result
