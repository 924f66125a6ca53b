"""A Pulumi program of the tests on the real engine, and its outcome."""

import json
import os
import signal
import subprocess
import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pulumi_dataprotection.testing import Emulator, Outcome
from pulumi_dataprotection.testing import Stack as PublicStack
from support import HANG, TESTS
from support.forking import with_forking
from support.vault import PROVIDER, vault_variables

__all__ = ["SECRET", "Outcome", "Stack", "traceback_in"]

SECRET = "4dabf18193072939515e22adb298388d"  # noqa: S105 - the engine's mark of a secret


class Stack(PublicStack):
    """One stack in a folder of its own, against an emulator. No preview and no refresh may write: both are watched.

    Args:
        folder: holds the project and the state; stacks of one folder are of one project and can see each other.
        emulator: the service.
        name: the stack's name.
        driven: whether waits are over at once, and the emulator's clock goes on by as much.

    Attributes:
        calls: the file in which a command that was started notes its gRPC calls.
    """

    def __init__(self, folder: Path, emulator: Emulator, name: str = "dev", *, driven: bool = False) -> None:
        super().__init__("", emulator, folder, name=name, real_time=not driven)
        self.calls = folder / "calls.json"
        self._real_path = self.environment["PATH"]
        self.set_environment(PATH=with_forking(self._real_path), DATAPROTECTION_REQUEST_TIMEOUT=str(HANG), GOGC="400")
        self.write("")

    def write(self, program: str) -> None:
        """Replace the program, which has the imports of the package."""
        super().write("import pulumi\nfrom pulumi_dataprotection import *\n" + textwrap.dedent(program))

    def deploy(self, program: str, *options: str) -> Outcome:
        """Run `up` on a program; it must succeed, and its requests are forgotten."""
        self.write(program)
        up = self.up(*options)
        assert not up.failed, up.text
        self._emulator.clear_requests()
        return up

    def set_environment(self, **variables: str | None) -> None:
        """Set variables for the next commands; None removes a variable."""
        for name, value in variables.items():
            self.environment.pop(name, None)
            if value is not None:
                self.environment[name] = value

    def use_profile(self, name: str) -> None:
        """Set a profile with the key and the address of the service, for the next commands."""
        profile = {"apiKey": self._emulator.api_key, "baseUrl": self._emulator.url}
        self.set_environment(DATAPROTECTION_PROFILES=json.dumps({name: profile}))

    def hurry(self) -> None:
        """Let the waits of the next commands end at once."""
        path = os.pathsep.join([str(TESTS), self.environment.get("PYTHONPATH", "")])
        self.set_environment(DATAPROTECTION_DRIVEN_CLOCK="support.scripted:DrivenClock", PYTHONPATH=path)

    def configure(self, key: str, value: str, *, secret: bool = False) -> None:
        """Set a key of the stack's config."""
        self._ask("config", "set", "--secret" if secret else "--plaintext", f"dataprotection:{key}", value)

    def preview(self, *options: str) -> Outcome:
        """Run `pulumi preview`, which never writes."""
        return _checked(super().preview(*options), "preview")

    def preview_and_up(self) -> Outcome:
        """Run `pulumi up` with its preview."""
        return self._run("up", "--yes")

    def preview_json(self) -> str:
        """Run `pulumi preview --json`, and return what it prints."""
        return self._ask("preview", "--json")

    def refresh(self, *options: str) -> Outcome:
        """Run `pulumi refresh`, which never writes to the service."""
        return _checked(super().refresh(*options), "refresh")

    def cancel(self) -> None:
        """Remove the lock that a killed command left behind."""
        self._ask("cancel", "--yes")

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start a command in its own process group; the caller ends it."""
        self.calls.unlink(missing_ok=True)
        return subprocess.Popen(
            self._command(*arguments),
            cwd=self._folder,
            env={**self.environment, "PATH": self._real_path, "PULUMI_DEBUG_GRPC": str(self.calls)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    @staticmethod
    def finish(process: subprocess.Popen[str]) -> str:
        """Wait for a started command, and return its output; kill it after a time limit."""
        try:
            return process.communicate(timeout=HANG)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise

    def outputs(self) -> dict[str, object]:
        """Return the stack's outputs, secrets in plain text."""
        (root,) = (resource for resource in self._state() if resource["type"] == "pulumi:pulumi:Stack")
        outputs: dict[str, object] = root.get("outputs", {})
        if SECRET in str(outputs):
            outputs = json.loads(self._ask("stack", "output", "--json", "--show-secrets"))
        return outputs

    def resources(self) -> dict[str, dict[str, Any]]:
        """Return the state of each resource of the package by name, without the parts of sets."""
        ours = [one for one in self._state() if "dataprotection" in one["type"]]
        return {_name(one["urn"]): one for one in ours if not one["type"].endswith(":MemberRemoval")}

    def export(self) -> dict[str, Any]:
        """Return the whole state, secrets in plain text."""
        state: dict[str, Any] = json.loads(self._ask("stack", "export", "--show-secrets"))
        return state

    def load(self, state: dict[str, Any]) -> None:
        """Replace the state by another state with secrets in plain text."""
        ours = {"secrets_providers": self._checkpoint()["secrets_providers"]}
        file = self._folder / "state.json"
        file.write_text(json.dumps({**state, "deployment": {**state["deployment"], **ours}}))
        self._ask("stack", "import", "--file", str(file))

    def adopt(self, resources: Sequence[Mapping[str, object]]) -> Outcome:
        """Import existing resources with `pulumi import --file`."""
        file = self._folder / "resources.json"
        file.write_text(json.dumps({"resources": resources}))
        return self._run("import", "--yes", "--file", str(file), "--protect=false", "--generate-code=false")

    def rename(self, urn: str, name: str) -> None:
        """Give a resource another name in the state."""
        self._ask("state", "rename", "--yes", urn, name)

    def taint(self, urn: str) -> None:
        """Mark a resource so that the next `up` replaces it."""
        self._ask("state", "taint", "--yes", urn)

    def files(self) -> list[Path]:
        """Return all files of the stack: state, backups and history."""
        return [path for path in self._folder.rglob("*") if path.is_file()]

    def _state(self) -> list[dict[str, Any]]:
        resources: list[dict[str, Any]] = self._checkpoint().get("resources", [])
        return resources

    def _checkpoint(self) -> dict[str, Any]:
        """Read the state from its own file, which takes no process."""
        file = self._folder / f".pulumi/stacks/test/{self._name}.json"
        checkpoint: dict[str, Any] = json.loads(file.read_text())["checkpoint"]["latest"]
        return checkpoint

    def _create(self) -> None:
        """Write the files that `pulumi stack init` wrote in another folder."""
        self.environment.update(vault_variables())
        for path, content in _new_stack(self._name).items():
            file = self._folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


class _Template(PublicStack):
    def _create(self) -> None:
        self.environment.update(vault_variables())
        self._ask("stack", "init", "--secrets-provider", PROVIDER)


@cache
def _new_stack(name: str) -> Mapping[Path, bytes]:
    """Return the files of a new stack: the command that makes one takes as long as a whole small test."""
    with TemporaryDirectory() as folder, Emulator("empty") as emulator:
        _Template("", emulator, Path(folder), name=name)
        written = [Path(folder, f"Pulumi.{name}.yaml"), *Path(folder, ".pulumi").rglob("*")]
        return {file.relative_to(folder): file.read_bytes() for file in written if file.is_file()}


def traceback_in(*outcomes: Outcome) -> bool:
    """Whether any error or warning shows a traceback.

    The program may still print a traceback of the SDK while the engine ends it: its registrations have no answer then.
    """
    return any("Traceback" in message for outcome in outcomes for message in outcome.messages.values())


def _checked(outcome: Outcome, command: str) -> Outcome:
    assert outcome.writes == [], f"`pulumi {command}` wrote"
    return outcome


def _name(urn: str) -> str:
    return urn.rsplit("::", 1)[1]
