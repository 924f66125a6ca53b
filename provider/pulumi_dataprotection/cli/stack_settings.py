"""The settings in the config of a stack, for commands that run outside of a Pulumi program."""

import json
from pathlib import Path

import click
import pulumi

from pulumi_dataprotection.inventory.pulumi_command import PulumiError, run_pulumi

__all__ = ["NO_CONFIG", "load_stack_config", "read_stack_config"]

NO_CONFIG = " (no config of a stack was read: select a stack in the project's folder, or use --stack)"
"""The end of an error about a missing setting, if no config was read."""

_NAMESPACE = "dataprotection:"

_NO_STACK = "no stack selected"
"""The start of Pulumi's reason for not reading the config of a project without a selected stack."""


def read_stack_config(stack: str | None) -> dict[str, str] | None:
    """Read our settings of a stack of the project in the current folder, secrets in plain text.

    Args:
        stack: the stack's name; None for the selected stack, as `pulumi` has it.

    Returns:
        The values of the namespace `dataprotection` by their keys, without the namespace. None if no stack is named,
        and the folder belongs to no project, or its project has no selected stack.

    Raises:
        click.ClickException: they cannot be read; the text says why, and holds nothing of the config.
    """
    if stack is None and not _in_project(Path.cwd()):
        return None
    if stack is not None and not stack.strip():
        raise _failure(stack, "the name is empty")
    named = [] if stack is None else [f"--stack={stack}"]
    try:
        answer = run_pulumi(Path.cwd(), "config", *named, "--show-secrets", "--json")
    except PulumiError as error:
        if stack is None and str(error).startswith(_NO_STACK):
            return None
        raise _failure(stack, str(error)) from None
    try:
        config: dict[str, dict[str, str]] = json.loads(answer)
    except ValueError:
        # No cause: it holds the secrets.
        raise _failure(stack, "`pulumi config --json` did not answer with JSON") from None
    return {key.removeprefix(_NAMESPACE): entry["value"] for key, entry in config.items() if key.startswith(_NAMESPACE)}


def load_stack_config(stack: str | None) -> bool:
    """Load our settings of a stack as the config of this process; without a stack, only warn.

    Args:
        stack: the stack's name; None for the selected stack, as `pulumi` has it.

    Returns:
        Whether there is a config.

    Raises:
        click.ClickException: the config of a named stack cannot be read.
    """
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
    return config is not None


def _in_project(folder: Path) -> bool:
    names = ("Pulumi.yaml", "Pulumi.yml")
    return any((above / name).is_file() for above in (folder, *folder.parents) for name in names)


def _failure(stack: str | None, reason: str) -> click.ClickException:
    name = "selected stack" if stack is None else f"stack {stack!r}"
    return click.ClickException(f"the config of the {name} cannot be read: {reason}")
