"""Calls that a service may refuse, or not, as it reads the interface."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pulumi_dataprotection.client import Call
from pulumi_dataprotection.client.errors import ConflictError, InvalidArgumentError, NotFoundError, StatusError
from support.contract.service import Service

__all__ = ["REFUSALS", "attempt"]

T = TypeVar("T")

REFUSALS: Mapping[Any, type[StatusError]] = {
    "invalid_argument": InvalidArgumentError,
    "conflict": ConflictError,
    "not_found": NotFoundError,
}
"""The errors of the variants that refuse."""


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
    possible = tuple(REFUSALS.values()) if variant is None else REFUSALS.get(variant, ())
    try:
        result = service.send(call)
    except possible:
        return otherwise
    assert variant not in REFUSALS, f"it was not refused, although {switch} is {variant}"
    return result
