"""The settings in the config of a stack, for commands that run outside of any."""

import json
import os
import subprocess

import click

__all__ = ["read_stack_config"]

_SECONDS = 60
"""The seconds that the `pulumi` command may take: the state may be remote."""

_NAMESPACE = "dataprotection:"


def read_stack_config(stack: str) -> dict[str, str]:
    """Read our settings of a stack of the project in the current folder, secrets in plain text.

    Args:
        stack: the stack's name.

    Returns:
        The values of the namespace `dataprotection` by their keys, without the namespace.

    Raises:
        click.ClickException: they cannot be read; the text says why, and holds nothing of the config.
    """
    if not stack.strip():
        raise _failure(stack, "the name is empty")
    command = ["pulumi", "config", f"--stack={stack}", "--show-secrets", "--json"]
    try:
        ended = subprocess.run(  # noqa: S603 - a list of arguments, without a shell
            [*command, "--non-interactive", "--color=never"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PULUMI_SKIP_UPDATE_CHECK": "true"},
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise _failure(stack, "the command `pulumi` is not on PATH") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _failure(stack, str(error)) from None
    if ended.returncode:
        # Only the first line, because the next lines may quote the file.
        reasons = [line for line in ended.stderr.splitlines() if line.startswith("error: ")]
        reason = reasons[0].removeprefix("error: ") if reasons else f"pulumi ended with status {ended.returncode}"
        raise _failure(stack, reason)
    try:
        config: dict[str, dict[str, str]] = json.loads(ended.stdout)
    except ValueError:
        # No cause: it holds the secrets.
        raise _failure(stack, "`pulumi config --json` did not answer with JSON") from None
    return {key.removeprefix(_NAMESPACE): entry["value"] for key, entry in config.items() if key.startswith(_NAMESPACE)}


def _failure(stack: str, reason: str) -> click.ClickException:
    return click.ClickException(f"the config of the stack {stack!r} cannot be read: {reason}")
