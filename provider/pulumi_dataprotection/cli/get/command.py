"""The command group `dataprotection get`: each function of a program, from the shell."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import os
import re
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, cast, get_args, get_type_hints

import click

if TYPE_CHECKING:
    from pulumi_dataprotection.client.records import Record
    from pulumi_dataprotection.functions._data_source import ListResult

__all__ = ["get"]

_INTERRUPTED = 130
"""The exit status of a command that Ctrl-C ended."""

_OPTIONS = {
    "archived": "archived/--not-archived",
    "external_id": "external-id",
    "parent_org_id": "parent",
    "protected": "protected/--unprotected",
}
"""Options that are not called as their argument without `_id`."""

_CHOICES = {"no": False, "yes": True, "all": None}
"""The words for the values of an argument whose default is False, and whose None means both."""


class _Functions(click.Group):
    """A group with a command for each function, made from its signature and its docstring."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        self._add_functions()
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name."""
        self._add_functions()
        return super().get_command(ctx, cmd_name)

    def _add_functions(self) -> None:
        if not self.commands:
            # Imported here, because it takes half a second, which other commands need not wait for.
            from pulumi_dataprotection import functions  # noqa: PLC0415 - see above

            for name in vars(functions)["__all__"]:
                if name.startswith("get_") and not name.endswith("_output"):
                    self.add_command(_command(name, getattr(functions, name)))


def _command(function_name: str, function: Callable[..., object]) -> click.Command:
    name = function_name.removeprefix("get_").replace("_", "-")
    docstring = inspect.getdoc(function) or ""
    summary = re.sub(r" \(operations? [^)]*\)", "", docstring.partition("\n\n")[0])
    meanings = dict(re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", docstring.partition("Args:")[2], re.MULTILINE))
    hints = get_type_hints(function)
    options = [
        _option(parameter, hints[argument], meanings.get(argument, ""))
        for argument, parameter in inspect.signature(function).parameters.items()
    ]
    return click.Command(
        name,
        params=[*options, *_common()],
        callback=functools.partial(_print_result, name, function),
        help=" ".join(summary.split()),
    )


def _option(parameter: inspect.Parameter, hint: object, meaning: str) -> click.Option:
    word = _OPTIONS.get(parameter.name, parameter.name.removesuffix("_id").replace("_", "-"))
    text = " ".join(meaning.split()).replace(", or a datetime with a time zone", "")
    kind: dict[str, Any] = {"required": parameter.default is parameter.empty}
    if bool in {hint, *get_args(hint)}:
        kind = {"is_flag": True, "default": parameter.default}
    if bool in get_args(hint) and parameter.default is False:
        text = text.replace("None for", "all for")
        choice = click.Choice([*_CHOICES])
        kind = {"type": choice, "default": "no", "show_default": True, "callback": _chosen}
    return click.Option([f"--{word}", parameter.name], help=text[:1].upper() + text[1:], **kind)


def _chosen(_context: click.Context, _option: click.Parameter, word: str) -> bool | None:
    return _CHOICES[word]


def _common() -> list[click.Option]:
    return [
        click.Option(
            ["--format", "output_format"],
            type=click.Choice(["table", "json", "csv"]),
            default="table",
            show_default=True,
            help="A table for people, JSON or CSV for programs.",
        ),
        click.Option(
            ["--stack"], help="The stack of the current folder's project whose settings count; the selected stack."
        ),
    ]


@click.group(cls=_Functions)
def get() -> None:
    """Read something from the service, as the get_x functions of a program do.

    The settings are those of a program: environment variables first, then the config of the stack.
    """


def _print_result(
    name: str, function: Callable[..., object], /, output_format: str, stack: str | None, **arguments: object
) -> None:
    with _ending_at_ctrl_c():
        click.echo(_result(name, function, output_format, stack, arguments), nl=False)


@contextmanager
def _ending_at_ctrl_c() -> Generator[None]:
    """End at once, although other threads may wait: they only read. If Ctrl-C is ignored, it stays ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    os._exit(_INTERRUPTED)


def _result(
    name: str, function: Callable[..., object], output_format: str, stack: str | None, arguments: dict[str, object]
) -> str:
    # Imported here for the same reason as the functions.
    import pulumi  # noqa: PLC0415 - see above

    from pulumi_dataprotection.cli.get.formats import encodable, render  # noqa: PLC0415 - see above
    from pulumi_dataprotection.cli.stack_settings import read_stack_config  # noqa: PLC0415 - see above
    from pulumi_dataprotection.client import errors, records  # noqa: PLC0415 - see above

    config: dict[str, str] | None = None
    try:
        config = read_stack_config(stack)
    except click.ClickException as error:
        if stack is not None:
            raise
        # The environment may have all settings.
        click.echo(f"Warning: {error.message}", err=True)
    if config:
        pulumi.runtime.set_all_config({f"dataprotection:{key}": value for key, value in config.items()})
    try:
        found = function(**arguments)
    except (pulumi.RunError, TypeError) as error:
        unread = isinstance(error.__cause__, errors.ConfigurationError) and config is None
        note = (
            " (no config of a stack was read: select a stack in the project's folder, or use --stack)" if unread else ""
        )
        raise click.ClickException(encodable(f"{error}{note}")) from None
    result = cast("Record | ListResult[Record]", found)
    if isinstance(result, records.Record):
        return render(result, _names(function), output_format)
    if not result.items and output_format == "table":
        click.echo(f"no {name}".replace("-", " "), err=True)
    return render(result.items, _names(function), output_format)


def _names(function: Callable[..., object]) -> list[str]:
    """Return the fields of the records that a function returns; `fields`, which holds everything, comes last."""
    returned = get_type_hints(function)["return"]
    names = [field.name for field in dataclasses.fields(next(iter(get_args(returned)), returned))]
    return sorted(names, key="fields".__eq__)
