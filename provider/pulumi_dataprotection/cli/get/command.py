"""The command group `dataprotection get`: each function of a program, from the shell."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import click

from pulumi_dataprotection.cli.ctrl_c import ending_at_ctrl_c

__all__ = ["get"]

_OPTIONS = {
    "archived": "archived/--not-archived",
    "external_id": "external-id",
    "parent_org_id": "parent",
    "protected": "protected/--unprotected",
}
"""Options that are not called as their argument without `_id`."""

_REPLACED = {
    "org_id": "by default the organization that the key is installed for",
    "tenant_id": "one of --tenant, --all-tenants and --org is required",
}
"""The required arguments that other options or the key can replace."""

_CHOICES = {"no": False, "yes": True, "all": None}
"""The words for the values of an argument whose default is False, and whose None means both."""


_OF_TENANTS = (
    click.Option(["--all-tenants"], is_flag=True, help="All tenants that the key reaches, except deleted tenants."),
    click.Option(["--org", "tenants_of"], help="All tenants of this organization, except deleted tenants."),
    click.Option(
        ["--recursive", "tenants_below"], is_flag=True, help="Include the tenants of all organizations below --org."
    ),
)
"""The options that replace the tenant."""

_COMMON = (
    click.Option(
        ["--format", "output_format"],
        type=click.Choice(["table", "json", "csv", "md"]),
        default="table",
        show_default=True,
        help="A table for people, JSON or CSV for programs, Markdown for a pull request.",
    ),
    click.Option(
        ["--stack"], help="The stack of the current folder's project whose settings count; the selected stack."
    ),
)
"""The options of each command."""


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
        params=[*options, *(_OF_TENANTS if "tenant_id" in hints else ()), *_COMMON],
        callback=functools.partial(_print_result, function),
        help=" ".join(summary.split()),
    )


def _option(parameter: inspect.Parameter, hint: object, meaning: str) -> click.Option:
    word = _OPTIONS.get(parameter.name, parameter.name.removesuffix("_id").replace("_", "-"))
    text = " ".join(meaning.split()).replace(", or a datetime with a time zone", "")
    is_required = parameter.default is parameter.empty
    kind: dict[str, Any] = {"required": is_required and parameter.name not in _REPLACED}
    if is_required and parameter.name in _REPLACED:
        text = f"{text.removesuffix('.')}; {_REPLACED[parameter.name]}."
    if bool in {hint, *get_args(hint)}:
        kind = {"is_flag": True, "default": parameter.default}
    if bool in get_args(hint) and parameter.default is False:
        text = text.replace("None for", "all for")
        choice = click.Choice([*_CHOICES])
        kind = {"type": choice, "default": "no", "show_default": True, "callback": _chosen}
    return click.Option([f"--{word}", parameter.name], help=text[:1].upper() + text[1:], **kind)


def _chosen(_context: click.Context, _option: click.Parameter, word: str) -> bool | None:
    return _CHOICES[word]


@click.group(cls=_Functions)
def get() -> None:
    """Read something from the service, as the get_x functions of a program do.

    The settings are those of a program: environment variables first, then the config of the stack.
    """


def _print_result(function: Callable[..., object], /, **given: Any) -> None:  # noqa: ANN401 - values of options
    # Imported here for the same reason as the functions.
    from pulumi_dataprotection.cli.get.run import run  # noqa: PLC0415 - see above
    from pulumi_dataprotection.inventory import Scope  # noqa: PLC0415 - see above

    output_format, stack = given.pop("output_format"), given.pop("stack")
    scope = None
    if "tenant_id" in given:
        every, org_id, recursive = (given.pop(name) for name in ("all_tenants", "tenants_of", "tenants_below"))
        _check_scope(given["tenant_id"], org_id, every=every, recursive=recursive)
        scope = Scope(org_id, recursive) if every or org_id else None
    with ending_at_ctrl_c():
        run(function, output_format, stack, scope, given)


def _check_scope(tenant_id: str | None, org_id: str | None, *, every: bool, recursive: bool) -> None:
    chosen = [tenant_id is not None, every, org_id is not None].count(True)
    if not chosen:
        raise click.UsageError("Missing option '--tenant', or for several tenants '--all-tenants' or '--org'.")
    if chosen > 1:
        raise click.UsageError("Use only one of '--tenant', '--all-tenants' and '--org'.")
    if recursive and org_id is None:
        raise click.UsageError("Option '--recursive' needs '--org'.")
    if org_id is not None and not org_id.strip():
        raise click.UsageError("Option '--org' must not be empty.")
