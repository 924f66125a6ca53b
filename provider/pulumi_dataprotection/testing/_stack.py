"""A Pulumi program on the real engine, against an emulator."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pulumi_dataprotection.testing._control import HANG
from pulumi_dataprotection.testing._driven_clock import driven_clock_variables
from pulumi_dataprotection.testing._emulator import Emulator
from pulumi_dataprotection.testing._outcome import MASK, Outcome, read_events
from pulumi_dataprotection.testing._project import configure, pulumi_variables, write_program, write_project

__all__ = ["Stack"]

# Settings of whoever runs the tests. A program is not measured, either: it runs in the engine's processes. Modules are
# compiled once for all stacks, even if Python is set up not to keep them: that saves a third of the time.
_LEFT_OUT = ("DATAPROTECTION_", "PULUMI_", "COVERAGE_", "PYTHONDONTWRITEBYTECODE")


class Stack:
    """One stack, whose state, config and caches are in a folder of its own, against an emulator.

    Args:
        program: the folder of a project, which stays unchanged, or the text of a program.
        emulator: the service.
        folder: the folder of the project and its config.
        config: values of the stack's config by key. Keys without a namespace are the project's own.
        name: the stack's name.
        key: which of the emulator's keys is used.
        home: holds state and caches; stacks of one home can see each other. The folder itself without it.
        real_time: let the provider really wait, instead of advancing the emulator's clock.

    Attributes:
        environment: the variables of each command, which may be changed.

    Raises:
        ValueError: The program is neither a project nor the text of a program.
        RuntimeError: Pulumi cannot make the stack.
    """

    def __init__(
        self,
        program: Path | str,
        emulator: Emulator,
        folder: Path,
        *,
        config: Mapping[str, object] | None = None,
        name: str = "dev",
        key: Literal["full", "read_only"] = "full",
        home: Path | None = None,
        real_time: bool = False,
    ) -> None:
        self._folder = folder
        self._emulator = emulator
        self._name = name
        home = home or folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
        self.environment = {
            **kept,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPYCACHEPREFIX": os.environ.get("PYTHONPYCACHEPREFIX") or f"{home.parent}/bytecode",
            "XDG_CACHE_HOME": f"{home}/cache",
            **pulumi_variables(home, home / "home"),
            "PULUMI_DEBUG_COMMANDS": "true",  # makes --event-log known
            "DATAPROTECTION_BASE_URL": emulator.url,
            "DATAPROTECTION_API_KEY": emulator.api_key if key == "full" else emulator.read_only_key,
            "DATAPROTECTION_CALLS_PER_SECOND": "0",
            "DATAPROTECTION_READ_LAG": "0",
        }
        if not real_time:
            self.environment |= driven_clock_variables(emulator.url)
        project = write_project(program, folder)
        self._create()
        if config:
            configure(folder, name, project, config)

    def write(self, program: str) -> None:
        """Replace the text of the program."""
        write_program(program, self._folder)

    def preview(self, *options: str) -> Outcome:
        """Run `pulumi preview`.

        Args:
            options: options of the command, such as "--refresh".
        """
        return self._run("preview", *options)

    def up(self, *options: str) -> Outcome:
        """Run `pulumi up`.

        Args:
            options: options of the command, such as "--refresh".
        """
        return self._run("up", "--yes", "--skip-preview", *options)

    def refresh(self, *options: str) -> Outcome:
        """Run `pulumi refresh`.

        Args:
            options: options of the command, such as "--expect-no-changes".
        """
        return self._run("refresh", "--yes", "--skip-preview", *options)

    def destroy(self, *options: str) -> Outcome:
        """Run `pulumi destroy`.

        Args:
            options: options of the command, such as "--target=URN".
        """
        return self._run("destroy", "--yes", "--skip-preview", *options)

    def unprotect_state(self) -> None:
        """Let the stack's resources be destroyed that the program declares with `protect=True`.

        Raises:
            RuntimeError: Pulumi cannot do it.
        """
        self._ask("state", "unprotect", "--all", "--yes")

    def _create(self) -> None:
        self._ask("stack", "init")

    def _run(self, *arguments: str) -> Outcome:
        log = self._folder / "events.log"
        log.unlink(missing_ok=True)
        seen = max((request["number"] for request in self._emulator.requests()), default=0)
        ended = self._pulumi(*arguments, "--event-log", str(log))
        outcome = Outcome(text=ended.stdout + ended.stderr, failed=ended.returncode != 0)
        outcome.requests = [request for request in self._emulator.requests() if request["number"] > seen]
        if log.exists():
            read_events(log.read_text(encoding="utf-8").splitlines(), outcome)
        if arguments[0] != "preview" and MASK in json.dumps(outcome.outputs):
            outcome.outputs = json.loads(self._ask("stack", "output", "--json", "--show-secrets"))
        return outcome

    def _ask(self, *arguments: str) -> str:
        ended = self._pulumi(*arguments)
        if ended.returncode:
            raise RuntimeError(f"pulumi {' '.join(arguments)}: {ended.stderr}")
        return ended.stdout

    def _pulumi(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - arguments of the test's own
            self._command(*arguments),
            cwd=self._folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=HANG,
            check=False,
        )

    def _command(self, *arguments: str) -> list[str]:
        return ["pulumi", *arguments, "--stack", self._name, "--non-interactive", "--color", "never"]
