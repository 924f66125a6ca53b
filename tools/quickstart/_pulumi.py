"""The pulumi command, with its state and settings under .local."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.quickstart._local import LOCAL, ROOT, QuickstartError

from pulumi_dataprotection.testing._project import pulumi_variables

__all__ = ["ENVIRONMENT_FILE", "Pulumi"]

INSTALL = ROOT / "tools" / "pulumi-cli" / "install.py"
ENVIRONMENT_FILE = LOCAL / "env.sh"
STATE = LOCAL / "pulumi-state"
STACK = "dev"
ASK_LIMIT = 900.0  # seconds; ends only what hangs, however slow the machine is


class Pulumi:
    """The stack `dev` of the project at the root, in a backend of files."""

    def __init__(self) -> None:
        """Get the command, and select the stack, which is created the first time."""
        STATE.mkdir(parents=True, exist_ok=True)
        code, folder = patiently([sys.executable, str(INSTALL)], os.environ)
        if code:
            raise QuickstartError("there is no pulumi command, see above")
        # The language host runs the first `python` on PATH, and it must be ours.
        first_on_path = os.pathsep.join([str(Path(sys.executable).parent), folder.strip()])
        settings = pulumi_variables(STATE, LOCAL / "pulumi-home")
        if os.environ.keys() & {"PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"}:
            del settings["PULUMI_CONFIG_PASSPHRASE"]
        self._environment = {**os.environ, **settings, "PATH": f"{first_on_path}{os.pathsep}{os.environ['PATH']}"}
        lines = [f"export {name}={shlex.quote(value)}\n" for name, value in settings.items()]
        lines.append(f'export PATH={shlex.quote(first_on_path)}:"$PATH"\n')
        ENVIRONMENT_FILE.write_text("".join(lines), encoding="utf-8")
        self._ask("stack", "select", "--create", STACK)
        if any(not is_running(pid) for pid in locking_pids()):
            self._ask("cancel", "--yes", "--stack", STACK)

    def run(self, *arguments: str) -> int:
        """Run a command that the person watches; return its exit code."""
        code, _ = patiently(["pulumi", *arguments, "--stack", STACK], self._environment, watched=True)
        return code

    def unprotect(self) -> None:
        """Let resources with `protect=True` be destroyed."""
        self._ask("state", "unprotect", "--all", "--yes", "--stack", STACK)

    def configure(self, *, base_url: str, api_key: str) -> None:
        """Set the stack's config where it differs."""
        answer = self._ask("config", "--stack", STACK, "--show-secrets", "--json")
        config: dict[str, dict[str, str]] = json.loads(answer)
        if config.get("dataprotection:baseUrl", {}).get("value") != base_url:
            self._ask("config", "set", "--stack", STACK, "dataprotection:baseUrl", base_url)
        if config.get("dataprotection:apiKey", {}).get("value") != api_key:
            self._ask("config", "set", "--stack", STACK, "--secret", "dataprotection:apiKey", stdin=api_key)

    def _ask(self, *arguments: str, stdin: str = "") -> str:
        """Run a command for its answer."""
        answer = subprocess.run(
            ["pulumi", "--non-interactive", *arguments],
            cwd=ROOT,
            env=self._environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=ASK_LIMIT,
            check=False,
        )
        if answer.returncode:
            raise QuickstartError(f"pulumi {' '.join(arguments[:2])} failed:\n{answer.stderr.strip()}")
        return answer.stdout


def locking_pids() -> list[int]:
    """Return the processes that hold the stack's lock; one that was killed holds it until it is canceled."""
    return [json.loads(lock.read_text(encoding="utf-8"))["pid"] for lock in STATE.glob(".pulumi/locks/**/*.json")]


def is_running(pid: int) -> bool:
    """Tell whether there is a process of that number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # It is another user's.
    return True


def patiently(argv: Sequence[str], environment: Mapping[str, str], *, watched: bool = False) -> tuple[int, str]:
    """Run a command to its own end, also after Ctrl-C; return its exit code and, unless it is watched, its stdout.

    The terminal sends Ctrl-C to the command too, which then finishes what is in flight and saves what it has done.
    """
    interrupted = signal.signal(signal.SIGINT, leave_it_to_the_command)
    try:
        stdout = None if watched else subprocess.PIPE
        with subprocess.Popen(argv, cwd=ROOT, env=environment, stdout=stdout, text=True) as process:
            output, _ = process.communicate()
    finally:
        signal.signal(signal.SIGINT, interrupted)
    return process.returncode, output or ""


def leave_it_to_the_command(*_: object) -> None:
    """Do nothing at Ctrl-C; unlike SIG_IGN, a handler is not inherited by the command."""
