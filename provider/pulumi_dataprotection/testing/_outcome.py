"""The outcome of a command of the engine, read from its events."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pulumi_dataprotection.testing._emulator import Request

__all__ = ["MASK", "Outcome", "read_events"]

MASK = "[secret]"

# The engine reports a replacement three times: as a whole, and as its two halves.
_NO_STEPS = {"same", "refresh", "create-replacement", "delete-replaced"}
# How the engine writes what is secret, and what is not known yet.
_SECRET = "4dabf18193072939515e22adb298388d"  # noqa: S105 - the engine's sign for one
_UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"


@dataclass
class Outcome:
    """The outcome of a command of the engine.

    Only resources of this package are reported, by their names in the program. If several resources share a name,
    their steps are joined: "create, delete". The `MemberRemoval` of a set is not a step.

    Attributes:
        steps: what was done to each resource, such as "create", "update", "replace", "delete"; unchanged ones are
            left out.
        outputs: what the program exports, secrets in plain text. Of a preview, what is not known yet is left out, and
            what is secret is "[secret]".
        requests: the requests that this command sent to the emulator.
        refreshed: for each resource whose state a refresh changed how it did.
        differing: the properties that a preview, an update or a refresh named, by resource.
        messages: errors and warnings as the user reads them, by resource ("" for the whole stack).
        notes: other messages, by resource.
        progress: the status messages, by resource.
        text: everything that was printed.
        failed: whether the command ended with an error.
    """

    steps: dict[str, str] = field(default_factory=dict[str, str])
    outputs: dict[str, object] = field(default_factory=dict[str, object])
    requests: list[Request] = field(default_factory=list[Request])
    refreshed: dict[str, str] = field(default_factory=dict[str, str])
    differing: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    messages: dict[str, str] = field(default_factory=dict[str, str])
    notes: dict[str, str] = field(default_factory=dict[str, str])
    progress: dict[str, str] = field(default_factory=dict[str, str])
    text: str = ""
    failed: bool = False

    @property
    def writes(self) -> list[Request]:
        """The requests that write."""
        return [request for request in self.requests if request["method"] != "GET"]


def read_events(lines: Iterable[str], outcome: Outcome) -> None:
    """Read the engine's events.

    Args:
        lines: the event log, an event in each line.
        outcome: the outcome to complete.
    """
    steps: dict[str, str] = {}
    refreshed: dict[str, str] = {}
    for line in lines:
        event: dict[str, Any] = json.loads(line)
        if step := event.get("resourcePreEvent", {}).get("metadata"):
            _note_step(step, steps, outcome)
        elif step := event.get("resOutputsEvent", {}).get("metadata"):
            if step["type"] == "pulumi:pulumi:Stack":
                outcome.outputs = _outputs(step["new"])
            _note_step(step, refreshed, outcome)
        elif diagnostic := event.get("diagnosticEvent"):
            _note_message(diagnostic, outcome)
    outcome.steps, outcome.refreshed = _by_name(steps), _by_name(refreshed)


def _note_step(step: dict[str, Any], steps: dict[str, str], outcome: Outcome) -> None:
    urn = step["urn"]
    if step["op"] not in _NO_STEPS and _is_ours(urn) and not _is_part_of_set(urn):
        steps[urn] = step["op"]
        named = (step.get(names) or () for names in ("diffs", "keys", "detailedDiff"))
        outcome.differing.setdefault(_name(urn), set()).update(*named)


def _note_message(diagnostic: dict[str, Any], outcome: Outcome) -> None:
    urn = diagnostic.get("urn", "")
    name = _name(urn) if _is_ours(urn) else ""
    told = outcome.messages if diagnostic["severity"] in {"error", "warning"} else outcome.notes
    told = outcome.progress if diagnostic.get("ephemeral") else told
    told[name] = told.get(name, "") + diagnostic["message"]


def _by_name(steps: Mapping[str, str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for urn, step in steps.items():
        name = _name(urn)
        names[name] = f"{names[name]}, {step}" if name in names else step
    return names


# A URN is urn:pulumi:STACK::PROJECT::PARENTS$TYPE::NAME.
def _is_ours(urn: str) -> bool:
    return bool(urn) and "dataprotection:" in urn.split("::", 3)[2].rpartition("$")[2]


def _is_part_of_set(urn: str) -> bool:
    return urn.split("::", 3)[2].endswith(":MemberRemoval")


def _name(urn: str) -> str:
    return urn.split("::", 3)[3]


def _outputs(stack: dict[str, dict[str, object]] | None) -> dict[str, object]:
    outputs = stack.get("outputs", {}) if stack else {}
    known = {name: value for name, value in outputs.items() if _UNKNOWN not in json.dumps(value)}
    plain: dict[str, object] = json.loads(
        json.dumps(known), object_hook=lambda found: MASK if _SECRET in found else found
    )
    return plain
