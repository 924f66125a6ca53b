"""What all look-ups share: the service of the program's settings, refusal of outputs, and readable errors."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, ParamSpec, TypeVar, cast

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors

__all__ = ["ListResult", "later", "lookup", "open_program_estate"]

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)  # Without slots: a stack's output is made from the attributes' dictionary.
class ListResult(Generic[R]):
    """A complete list.

    Attributes:
        items: its members, over all pages.
    """

    items: list[R]


def open_program_estate(profile: str | None) -> client.Estate:
    """Open what the key of the program's settings can see, by the rules that the resources follow."""
    config = pulumi.Config("dataprotection")
    return client.open_estate(client.load_settings(config.get, os.environ, profile))


def lookup(function: Callable[P, R]) -> Callable[P, R]:
    """Make a look-up refuse outputs by name, and end the program with an error's text alone."""
    signature = inspect.signature(function)
    name = cast("str", getattr(function, "__name__", "get"))

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        for argument, value in signature.bind(*args, **kwargs).arguments.items():
            if isinstance(value, pulumi.Output):
                raise TypeError(f"{name}: {argument} is an Output, not known yet: call {name}_output instead")
            if isinstance(value, str) and not value.strip():
                raise pulumi.RunError(f"{name}: {argument} must not be empty; leave it out where it is not wanted")
            if isinstance(value, str) and client.has_control_characters(value):
                raise pulumi.RunError(
                    f"{name}: {argument} must not hold control characters; text made of an Output does: "
                    f"make it with pulumi.Output.format, and call {name}_output"
                )
        try:
            return function(*args, **kwargs)
        except errors.DataProtectionError as error:
            raise pulumi.RunError(f"{name}: {error}") from error

    return wrapper


def later(function: Callable[..., R], **arguments: object) -> pulumi.Output[R]:
    """Call a look-up as soon as its arguments are known; in a preview, not before they are."""
    given = {name: value for name, value in arguments.items() if value is not None}
    # Without any argument the SDK gives an empty list in place of an empty dictionary.
    return pulumi.Output.all(**given).apply(lambda known: function(**dict(known)))
