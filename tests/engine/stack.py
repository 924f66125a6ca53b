"""A Pulumi program on the real engine, and what came of it."""

import os
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

from pulumi import automation

from support import Emulator

# The engine tells a replacement three times: as a whole, and as its two halves.
_NO_STEPS = {"same", "refresh", "create-replacement", "delete-replaced"}


@dataclass
class Outcome:
    """What one command of the engine did.

    Attributes:
        steps: for each resource by its name in the program what was done to it; unchanged ones are left out.
        refreshed: for each resource whose state a refresh changed how it did.
        differing: the properties that a preview or an update named, by resource.
        messages: errors and warnings as the user reads them, by resource ("" for the whole stack).
        text: everything that was printed.
        failed: whether the command ended with an error.
    """

    steps: dict[str, str] = field(default_factory=dict[str, str])
    refreshed: dict[str, str] = field(default_factory=dict[str, str])
    differing: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    messages: dict[str, str] = field(default_factory=dict[str, str])
    text: str = ""
    failed: bool = False


class _Command(Protocol):
    def __call__(
        self, *, on_event: Callable[[automation.EngineEvent], object], on_output: Callable[[str], object]
    ) -> object: ...


class Stack:
    """One stack in a folder of its own, against an emulator."""

    def __init__(self, folder: Path, emulator: Emulator, pulumi: automation.PulumiCommand) -> None:
        self.folder = folder
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PULUMI_BACKEND_URL": f"file://{folder}",
            "PULUMI_CONFIG_PASSPHRASE": "",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "DATAPROTECTION_BASE_URL": emulator.url,
            "DATAPROTECTION_API_KEY": emulator.api_key,
            "DATAPROTECTION_CALLS_PER_SECOND": "0",
        }
        (folder / "Pulumi.yaml").write_text("name: test\nruntime: python\n")
        self.write("")
        self._stack = automation.create_stack(
            "dev",
            work_dir=str(folder),
            opts=automation.LocalWorkspaceOptions(pulumi_command=pulumi, env_vars=self.environment),
        )

    def write(self, program: str) -> None:
        """Replace the program; everything of the package is imported already."""
        head = "import pulumi\nfrom pulumi_dataprotection import *\n"
        (self.folder / "__main__.py").write_text(head + textwrap.dedent(program))

    def set_environment(self, **variables: str | None) -> None:
        """Set variables for the commands to come; None takes one away."""
        environment = cast("dict[str, str]", self._stack.workspace.env_vars)
        for name, value in variables.items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = value

    def configure(self, key: str, value: str, *, secret: bool = False) -> None:
        """Set a key of the stack's config."""
        self._stack.set_config(f"dataprotection:{key}", automation.ConfigValue(value, secret=secret))

    def preview(self) -> Outcome:
        """Run `pulumi preview`."""
        return self._run(self._stack.preview)

    def up(self) -> Outcome:
        """Run `pulumi up`."""
        return self._run(self._stack.up)

    def refresh(self) -> Outcome:
        """Run `pulumi refresh`."""
        return self._run(self._stack.refresh)

    def destroy(self) -> Outcome:
        """Run `pulumi destroy`."""
        return self._run(self._stack.destroy)

    def outputs(self) -> dict[str, object]:
        """Return the stack's outputs, secrets in plain text."""
        return {name: output.value for name, output in self._stack.outputs().items()}

    def resources(self) -> dict[str, dict[str, Any]]:
        """Return what the state holds of each of our resources, by name."""
        resources = cast("dict[str, list[dict[str, Any]]]", self._stack.export_stack().deployment)["resources"]
        return {_name(resource["urn"]): resource for resource in resources if "dataprotection" in resource["type"]}

    def files(self) -> list[Path]:
        """Return all files of the stack: state, backups and history."""
        return [path for path in self.folder.rglob("*") if path.is_file()]

    def _run(self, command: _Command) -> Outcome:
        outcome = Outcome()

        def note(event: automation.EngineEvent) -> None:
            if event.resource_pre_event:
                step = event.resource_pre_event.metadata
                if step.op.value not in _NO_STEPS and "dataprotection" in step.type:
                    outcome.steps[_name(step.urn)] = step.op.value
                    outcome.differing[_name(step.urn)] = set(step.diffs or []) | set(step.detailed_diff or {})
            if event.res_outputs_event:
                step = event.res_outputs_event.metadata
                if step.op.value not in _NO_STEPS and "dataprotection" in step.type:
                    outcome.refreshed[_name(step.urn)] = step.op.value
            if event.diagnostic_event and event.diagnostic_event.severity in {"error", "warning"}:
                diagnostic = event.diagnostic_event
                name = _name(diagnostic.urn) if diagnostic.urn and "dataprotection" in diagnostic.urn else ""
                outcome.messages[name] = outcome.messages.get(name, "") + diagnostic.message

        lines: list[str] = []
        try:
            command(on_event=note, on_output=lines.append)
        except automation.CommandError as error:
            outcome.failed = True
            lines.append(str(error))
        outcome.text = "\n".join(lines)
        return outcome


def _name(urn: str) -> str:
    return urn.rsplit("::", 1)[1]
