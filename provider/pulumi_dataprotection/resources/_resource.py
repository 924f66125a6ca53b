"""The base of all resource classes, which sends arguments to the engine in types that a Pulumi state can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from inspect import isawaitable
from pathlib import PurePath
from typing import ClassVar, Self, cast
from uuid import UUID

import pulumi
from pulumi.dynamic import Resource

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.resources._provider import Provider
from pulumi_dataprotection.resources._sdk import SECRET_INPUTS

__all__ = ["DeclaredResource", "sendable"]

_EXACT_AS_TEXT = (Decimal, UUID, PurePath, date, time)
_BYTES: tuple[type, ...] = (bytes, bytearray, memoryview)
_SDK = (pulumi.Resource, pulumi.Asset, pulumi.Archive, type(pulumi.UNKNOWN))


class DeclaredResource(Resource):
    """A resource of this package.

    Attributes:
        provider_class: carries out its operations.
        outputs: the names of all its properties; what is not among them does not exist in a program.
        secret_outputs: those that the service makes and nobody may see.
    """

    provider_class: ClassVar[type[Provider]]
    outputs: ClassVar[tuple[str, ...]]
    secret_outputs: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        resource_name: str,
        inputs: dict[str, object],
        opts: pulumi.ResourceOptions | None,
        *,
        id: pulumi.Input[str] | None = None,
    ) -> None:
        # A resource that was deleted first would leave an item without a policy, or lose what is known only once.
        ours = pulumi.ResourceOptions(
            id=id, additional_secret_outputs=list(self.secret_outputs), delete_before_replace=False
        )
        arguments = {
            argument: sendable(value, f'{argument} of {type(self).__name__} "{printable(resource_name)}"')
            for argument, value in inputs.items()
        }
        outputs = {
            name: cast("pulumi.Output[object]", value)
            for name, value in arguments.items()
            if isinstance(value, pulumi.Output)
        }
        properties: dict[str, object] = {**dict.fromkeys(self.outputs), **arguments}
        if outputs:
            properties[SECRET_INPUTS] = pulumi.Output.from_input(cast("object", _secret_among(outputs)))
        super().__init__(self.provider_class(), resource_name, properties, pulumi.ResourceOptions.merge(opts, ours))

    @classmethod
    def get(
        cls,
        resource_name: str,
        id: pulumi.Input[str],
        *,
        profile: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> Self:
        """Read a resource that this program does not manage; it has to exist.

        Args:
            resource_name: the name in the program.
            id: the id, as the resource's own `id` has it.
            profile: the profile of the config whose key is used.
            opts: the usual options of a resource.
        """
        found = cls.__new__(cls)
        DeclaredResource.__init__(found, resource_name, {"profile": profile}, opts, id=id)
        return found


async def _secret_among(arguments: Mapping[str, pulumi.Output[object]]) -> list[str]:
    return [name for name, value in arguments.items() if await value.is_secret()]


def sendable(value: object, subject: str) -> object:
    """Convert an argument to what arrives in the provider exactly, also inside outputs, lists and dictionaries.

    Args:
        value: the argument.
        subject: the argument's name and that of its resource, for the error.

    Raises:
        pulumi.RunError: Pulumi cannot send a part of it without a change.
    """
    if type(value) is str:
        # The usual case of a set with thousands of members.
        return _text(value, subject)
    if isinstance(value, pulumi.Output):
        return cast("pulumi.Output[object]", value).apply(lambda known: sendable(known, subject))
    if isawaitable(value):
        return pulumi.Output.from_input(cast("object", value)).apply(lambda known: sendable(known, subject))
    try:
        return _converted(value, subject)
    except RecursionError:
        raise _refusal(subject, "a value in it contains itself", "Give a value that does not") from None


def _converted(value: object, subject: str) -> object:  # noqa: PLR0911 - one for each kind of value
    if value is None or isinstance(value, (bool, *_SDK)):
        return value
    if isinstance(value, Enum):
        return sendable(value.value, subject)
    if isinstance(value, (str, int, float)):
        return _scalar(value, subject)
    if isinstance(value, datetime) and value.tzinfo:
        return client.records.rfc3339(value)
    if isinstance(value, _EXACT_AS_TEXT):
        return value.isoformat() if isinstance(value, (date, time)) else str(value)
    if isinstance(value, Mapping):
        return {
            _key(name, subject): sendable(part, subject)
            for name, part in cast("Mapping[object, object]", value).items()
        }
    if names := _fields(value):
        return {name: sendable(getattr(value, name), subject) for name in names}
    kind = type(value).__name__
    if isinstance(value, Sequence) and not isinstance(value, _BYTES):
        return [sendable(part, subject) for part in cast("Sequence[object]", value)]
    raise _refusal(
        subject, f"a value of the type {kind} cannot be sent", "Give text, numbers, lists, or dictionaries of those"
    )


def _fields(value: object) -> list[str]:
    """Return the names of the fields of a dataclass."""
    return [field.name for field in fields(value)] if is_dataclass(value) and not isinstance(value, type) else []


def _scalar(value: str | float, subject: str) -> object:
    if isinstance(value, str):
        return _text(value, subject)
    if isinstance(value, int):
        # Numbers travel as doubles.
        return int(value) if abs(value) <= client.records.MAX_EXACT else str(int(value))
    if not math.isfinite(value):
        raise _refusal(subject, f"{value} is not a number that can be sent", "Give text or a finite number")
    return value


def _text(value: str, subject: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _refusal(subject, "a text in it is not Unicode", "Decode the text with the right encoding") from None
    # The text of a subclass may differ from its content.
    return str.__str__(value)


def _key(name: object, subject: str) -> str:
    if not isinstance(name, str):
        raise _refusal(subject, f"the key {name!r} of a dictionary is not text", "Give dictionaries with text as keys")
    return _text(name, subject)


def _refusal(subject: str, cause: str, fix: str) -> pulumi.RunError:
    return pulumi.RunError(f"Cannot send {subject}: {cause}. {fix}.")
