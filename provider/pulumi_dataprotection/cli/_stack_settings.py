"""The config of a stack, for commands that run outside of any."""

import json
import os
import subprocess

import click

__all__ = ["read_stack_config"]

_SECONDS = 60
"""How long the `pulumi` command may take: a state may be far away."""


def read_stack_config(stack: str) -> dict[str, str]:
    """Read the whole config of a stack of the project in the current folder, secrets in plain text.

    Args:
        stack: the stack's name.

    Returns:
        The values by their full keys.

    Raises:
        click.ClickException: it cannot be read; the text says why, and holds nothing of the config.
    """
    if not stack.strip():
        raise click.BadParameter("the name must not be empty", param_hint="'--stack'")
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
        raise click.ClickException("--stack needs the command `pulumi`, which is not on PATH") from None
    except subprocess.TimeoutExpired:
        raise click.ClickException(f"`pulumi config --stack={stack}` took more than {_SECONDS} seconds") from None
    if ended.returncode:
        reasons = [line for line in ended.stderr.splitlines() if line.startswith("error: ")]
        # The lines after the first may quote the file.
        reason = reasons[0].removeprefix("error: ") if reasons else f"pulumi ended with status {ended.returncode}"
        raise click.ClickException(f"cannot read the config of the stack {stack!r}: {reason}")
    try:
        config: dict[str, dict[str, str]] = json.loads(ended.stdout)
    except ValueError:
        # No cause: it holds the secrets.
        raise click.ClickException(f"`pulumi config --stack={stack}` printed something that is not JSON") from None
    return {key: entry["value"] for key, entry in config.items()}
