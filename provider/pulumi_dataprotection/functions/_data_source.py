"""The common parts of the functions: the account of the program, the check of arguments, and readable errors."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, ParamSpec, TypeVar, cast

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable_lines
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.session import Session
from pulumi_dataprotection.resources._sdk import at_end_of_program, of_program, program_handover

__all__ = [
    "ListResult",
    "as_output",
    "close_session",
    "data_source",
    "open_program_account",
    "open_session",
    "program_checks_online",
]

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)  # Without slots: a stack's output is made from the attributes' dictionary.
class ListResult(Generic[R]):
    """A complete list.

    Attributes:
        items: the records of all pages.
    """

    items: list[R]


def open_program_account(profile: str | None) -> client.Account:
    """Open the account of the program's settings, which are read as the resources read them.

    Args:
        profile: the profile in the settings whose key is used.

    Returns:
        The account that all functions of this program share.

    Raises:
        ConfigurationError: A setting is missing or invalid.
    """
    settings = client.load_settings(pulumi.Config("dataprotection").get, os.environ, profile)
    if handover := program_handover():
        handover.add_service(profile, settings)
    return of_program(open_session).account(settings)


def open_session() -> Session:
    """Open the session of the running program."""
    session = Session(show=_show)
    at_end_of_program(session.close)
    return session


def close_session() -> None:
    """Close the session of the running program: what its functions read is read again."""
    of_program(open_session).close()


def program_checks_online() -> bool:
    """Return the program's setting `previewChecks`."""
    return client.load_preview_checks(pulumi.Config("dataprotection").get, os.environ)


def data_source(function: Callable[P, R]) -> Callable[P, R]:
    """Check the arguments of a function before its calls, show its waits, and end the program with an error's text."""
    signature = inspect.signature(function)
    name = cast("str", getattr(function, "__name__", "get"))

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        for argument, value in signature.bind(*args, **kwargs).arguments.items():
            if isinstance(value, pulumi.Output):
                raise TypeError(
                    f"{name}: {argument} is an Output, whose value is not known yet. Call {name}_output instead"
                )
            if isinstance(value, str) and not value.strip():
                raise pulumi.RunError(f"{name}: {argument} must not be empty. Leave it out if you do not need it")
            if isinstance(value, str) and client.has_control_characters(value):
                raise pulumi.RunError(
                    f"{name}: {argument} must not hold control characters; text made of an Output holds them. "
                    f"Make it with pulumi.Output.format, and call {name}_output"
                )
        try:
            return function(*args, **kwargs)
        except errors.DataProtectionError as error:
            raise pulumi.RunError(f"{name}: {printable_lines(str(error))}") from error

    return wrapper


def _show(text: str) -> None:
    """Show a text in the status column of the stack; on stderr without an engine."""
    pulumi.log.info(text, ephemeral=True)


def as_output(function: Callable[..., R], arguments: Mapping[str, object]) -> pulumi.Output[R]:
    """Call a function as soon as its arguments are known. In a preview they may stay unknown.

    Args:
        function: the function.
        arguments: the arguments by name, as `locals()` has them.
    """
    return pulumi.Output.all(**arguments).apply(lambda known: function(**known))
