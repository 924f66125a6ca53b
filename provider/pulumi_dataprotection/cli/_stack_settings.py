"""The settings that a stack's config holds."""

import json
import os
import subprocess

import click

__all__ = ["read_stack_config"]

_LIMIT = 60.0
"""Seconds for the `pulumi` command, which may have to ask a backend far away."""

_NAMESPACE = "dataprotection:"


def read_stack_config(stack: str) -> dict[str, str]:
    """Read the config of a stack of the project in the current folder, secrets included.

    Args:
        stack: the stack's name.

    Returns:
        The values of the namespace `dataprotection` by their keys, without the namespace.

    Raises:
        click.ClickException: it cannot be read.
    """
    if not stack.strip():
        raise _failure(stack, "the name is empty")
    command = ["pulumi", "config", f"--stack={stack}", "--show-secrets", "--json", "--non-interactive"]
    try:
        answer = subprocess.run(  # noqa: S603 - the user's own `pulumi`
            command,
            env={**os.environ, "PULUMI_SKIP_UPDATE_CHECK": "true"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            encoding="utf-8",
            errors="replace",
            timeout=_LIMIT,
        )
        values: dict[str, dict[str, object]] = json.loads(answer.stdout)
    except subprocess.CalledProcessError as error:
        # The first line alone: those after it may quote the file, and stdout may hold secrets.
        reason = str(error.stderr).strip().partition("\n")[0]
        raise _failure(stack, reason.removeprefix("error: ") or f"pulumi ended with {error.returncode}") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _failure(stack, str(error)) from None
    except ValueError:
        raise _failure(stack, "`pulumi config --json` did not answer with JSON") from None
    return {
        key.removeprefix(_NAMESPACE): text
        for key, value in values.items()
        if key.startswith(_NAMESPACE) and isinstance(text := value.get("value"), str)
    }


def _failure(stack: str, reason: str) -> click.ClickException:
    return click.ClickException(f"the config of the stack {stack!r} cannot be read: {reason}")
