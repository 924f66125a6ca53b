"""A Pulumi program of our own tests on the real engine, and what came of it."""

import json
import os
import signal
import subprocess
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pulumi_dataprotection.testing import Emulator, Outcome
from pulumi_dataprotection.testing import Stack as PublicStack

__all__ = ["Outcome", "Stack"]


class Stack(PublicStack):
    """One stack in a folder of its own, against an emulator. No preview and no refresh may write: both are watched.

    Args:
        folder: holds the project and the state; stacks of one folder are of one project and can see each other.
        emulator: the service.
        name: the stack's name.
        driven: whether waits are over at once, and the emulator's clock goes on by as much.
    """

    def __init__(self, folder: Path, emulator: Emulator, name: str = "dev", *, driven: bool = False) -> None:
        super().__init__("", emulator, folder, name=name, real_time=not driven)
        self.write("")

    def write(self, program: str) -> None:
        """Replace the program; everything of the package is imported already."""
        super().write("import pulumi\nfrom pulumi_dataprotection import *\n" + textwrap.dedent(program))

    def set_environment(self, **variables: str | None) -> None:
        """Set variables for the commands to come; None takes one away."""
        for name, value in variables.items():
            self.environment.pop(name, None)
            if value is not None:
                self.environment[name] = value

    def configure(self, key: str, value: str, *, secret: bool = False) -> None:
        """Set a key of the stack's config."""
        self._ask("config", "set", "--secret" if secret else "--plaintext", f"dataprotection:{key}", value)

    def preview(self, *options: str) -> Outcome:
        """Run `pulumi preview`, which never writes."""
        return _checked(super().preview(*options), "preview")

    def refresh(self, *options: str) -> Outcome:
        """Run `pulumi refresh`, which never writes to the service."""
        return _checked(super().refresh(*options), "refresh")

    def cancel(self) -> None:
        """Remove the lock that a killed command left behind."""
        self._ask("cancel", "--yes")

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start a command in a process group of its own, to be interrupted; the caller ends it."""
        return subprocess.Popen(
            self._command(*arguments),
            cwd=self._folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    @staticmethod
    def finish(process: subprocess.Popen[str]) -> str:
        """Wait for a command that was started, and return what it printed; one that never ends is killed."""
        try:
            return process.communicate(timeout=120)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise

    def outputs(self) -> dict[str, object]:
        """Return the stack's outputs, secrets in plain text."""
        outputs: dict[str, object] = json.loads(self._ask("stack", "output", "--json", "--show-secrets"))
        return outputs

    def resources(self) -> dict[str, dict[str, Any]]:
        """Return what the state holds of each of our resources, by name."""
        resources = json.loads(self._ask("stack", "export"))["deployment"].get("resources", [])
        return {_name(resource["urn"]): resource for resource in resources if "dataprotection" in resource["type"]}

    def export(self) -> dict[str, Any]:
        """Return the whole state, secrets in plain text."""
        state: dict[str, Any] = json.loads(self._ask("stack", "export", "--show-secrets"))
        return state

    def load(self, state: dict[str, Any]) -> None:
        """Let a state, secrets in plain text, take the place of the one that is there."""
        config = (self._folder / f"Pulumi.{self._name}.yaml").read_text()
        salt = config.partition("encryptionsalt: ")[2].splitlines()[0]
        ours = {"secrets_providers": {"type": "passphrase", "state": {"salt": salt}}}
        file = self._folder / "state.json"
        file.write_text(json.dumps({**state, "deployment": {**state["deployment"], **ours}}))
        self._ask("stack", "import", "--file", str(file))

    def adopt(self, resources: Sequence[Mapping[str, object]]) -> Outcome:
        """Let the stack have resources that exist, as `pulumi import --file` takes them."""
        file = self._folder / "resources.json"
        file.write_text(json.dumps({"resources": resources}))
        return self._run("import", "--yes", "--file", str(file), "--protect=false", "--generate-code=false")

    def rename(self, urn: str, name: str) -> None:
        """Give a resource another name in the state."""
        self._ask("state", "rename", "--yes", urn, name)

    def files(self) -> list[Path]:
        """Return all files of the stack: state, backups and history."""
        return [path for path in self._folder.rglob("*") if path.is_file()]


def _checked(outcome: Outcome, command: str) -> Outcome:
    assert outcome.writes == [], f"`pulumi {command}` wrote"
    return outcome


def _name(urn: str) -> str:
    return urn.rsplit("::", 1)[1]
