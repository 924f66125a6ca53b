"""A Pulumi program on the real engine, and what came of it."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support import Emulator

# The engine tells a replacement three times: as a whole, and as its two halves.
_NO_STEPS = {"same", "refresh", "create-replacement", "delete-replaced"}


@dataclass
class Outcome:
    """What one command of the engine did.

    Attributes:
        steps: for each resource by its name in the program what was done to it; unchanged ones are left out.
        refreshed: for each resource whose state a refresh changed how it did.
        differing: the properties that a preview, an update or a refresh named, by resource.
        messages: errors and warnings as the user reads them, by resource ("" for the whole stack).
        notes: what a resource told without being asked to warn, by resource.
        progress: what it showed while it worked, by resource.
        text: everything that was printed.
        failed: whether the command ended with an error.
    """

    steps: dict[str, str] = field(default_factory=dict[str, str])
    refreshed: dict[str, str] = field(default_factory=dict[str, str])
    differing: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    messages: dict[str, str] = field(default_factory=dict[str, str])
    notes: dict[str, str] = field(default_factory=dict[str, str])
    progress: dict[str, str] = field(default_factory=dict[str, str])
    text: str = ""
    failed: bool = False


class Stack:
    """One stack in a folder of its own, against an emulator. No preview and no refresh may write: both are watched.

    Args:
        folder: holds the project and the state; stacks of one folder are of one project and can see each other.
        emulator: the service.
        name: the stack's name.

    Attributes:
        environment: the variables of each command.
    """

    def __init__(self, folder: Path, emulator: Emulator, name: str = "dev") -> None:
        self._folder = folder
        self._emulator = emulator
        self._name = name
        # Without the settings of whoever runs the tests, and unmeasured: the providers' own tests reach each branch.
        # Modules are compiled once for all stacks, also where Python is told not to keep that: a third of the time.
        left_out = ("DATAPROTECTION_", "COVERAGE_", "PYTHONDONTWRITEBYTECODE")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
        self.environment = {
            **kept,
            "PYTHONPYCACHEPREFIX": f"{folder.parent}/bytecode",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PULUMI_BACKEND_URL": f"file://{folder}",
            "PULUMI_CONFIG_PASSPHRASE": "",
            "PULUMI_HOME": f"{folder}/home",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "PULUMI_DEBUG_COMMANDS": "true",  # makes --event-log known
            "DATAPROTECTION_BASE_URL": emulator.url,
            "DATAPROTECTION_API_KEY": emulator.api_key,
            "DATAPROTECTION_CALLS_PER_SECOND": "0",
            "DATAPROTECTION_READ_LAG": "0",
        }
        (folder / "Pulumi.yaml").write_text("name: test\nruntime: python\n")
        self.write("")
        self._ask("stack", "init")

    def write(self, program: str) -> None:
        """Replace the program; everything of the package is imported already."""
        head = "import pulumi\nfrom pulumi_dataprotection import *\n"
        (self._folder / "__main__.py").write_text(head + textwrap.dedent(program))

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
        return self._read_only("preview", *options)

    def up(self, *options: str) -> Outcome:
        """Run `pulumi up`."""
        return self._run("up", "--yes", "--skip-preview", *options)

    def refresh(self, *options: str) -> Outcome:
        """Run `pulumi refresh`, which never writes to the service."""
        return self._read_only("refresh", "--yes", "--skip-preview", *options)

    def destroy(self, *options: str) -> Outcome:
        """Run `pulumi destroy`."""
        return self._run("destroy", "--yes", "--skip-preview", *options)

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

    def _read_only(self, *arguments: str) -> Outcome:
        before = len(self._emulator.writes())
        outcome = self._run(*arguments)
        wrote = self._emulator.writes()[before:]
        assert wrote == [], f"`pulumi {arguments[0]}` wrote"
        return outcome

    def _run(self, *arguments: str) -> Outcome:
        log = self._folder / "events.log"
        log.unlink(missing_ok=True)
        ended = self._pulumi(*arguments, "--event-log", str(log))
        outcome = Outcome(text=ended.stdout + ended.stderr, failed=ended.returncode != 0)
        for line in log.read_text().splitlines() if log.exists() else ():
            _note(json.loads(line), outcome)
        return outcome

    def _ask(self, *arguments: str) -> str:
        ended = self._pulumi(*arguments)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def _pulumi(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self._command(*arguments),
            cwd=self._folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def _command(self, *arguments: str) -> list[str]:
        return ["pulumi", *arguments, "--stack", self._name, "--non-interactive", "--color", "never"]


def _note(event: dict[str, Any], outcome: Outcome) -> None:
    if step := event.get("resourcePreEvent", {}).get("metadata"):
        if step["op"] not in _NO_STEPS and "dataprotection" in step["type"]:
            outcome.steps[_name(step["urn"])] = step["op"]
            _note_properties(step, outcome)
    elif step := event.get("resOutputsEvent", {}).get("metadata"):
        if step["op"] not in _NO_STEPS and "dataprotection" in step["type"]:
            outcome.refreshed[_name(step["urn"])] = step["op"]
            _note_properties(step, outcome)
    elif diagnostic := event.get("diagnosticEvent"):
        name = _name(diagnostic["urn"]) if "dataprotection" in diagnostic.get("urn", "") else ""
        told = outcome.messages if diagnostic["severity"] in {"error", "warning"} else outcome.notes
        told = outcome.progress if diagnostic.get("ephemeral") else told
        told[name] = told.get(name, "") + diagnostic["message"]


def _note_properties(step: dict[str, Any], outcome: Outcome) -> None:
    named = (step.get(names) or () for names in ("diffs", "keys", "detailedDiff"))
    outcome.differing.setdefault(_name(step["urn"]), set()).update(*named)


def _name(urn: str) -> str:
    return urn.rsplit("::", 1)[1]
