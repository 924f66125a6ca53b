"""Changes in the service that a program does not know, and the reaction of each command."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pulumi_dataprotection.client import Account, Client, Settings
from pulumi_dataprotection.core.drift import Status
from pulumi_dataprotection.fleet.drift import find_drift
from pulumi_dataprotection.fleet.drift_records import Finding
from pulumi_dataprotection.inventory import StateSelection, read_states
from support import Emulator
from support.engine.programs import program
from support.engine.stack import Outcome, Stack

TENANT = "tenant-contoso"
_SILVER = "policy-contoso-silver"
TAIL = '\npulumi.export("invitation", fabrikam.invitation_url)\n'

Document = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Change:
    """A change in the service.

    Attributes:
        declared: the line of the program with the resource.
        happen: returns the changed records, given all records of the service.
        about: the number of the user, or a part of the paths of the writes about this resource.
        then: the line that fixes the program, if the next `up` fails.
    """

    declared: str
    happen: Callable[[Document], Document]
    about: int | str
    then: str | None = None

    @property
    def path(self) -> str:
        """The part of the paths of the writes about this resource."""
        return f"/res-contoso-user-{self.about}/" if isinstance(self.about, int) else self.about

    @property
    def name(self) -> str:
        """The resource's name in the program."""
        return self.declared.split('"')[1]


class Seen(NamedTuple):
    """The outcome of a command, and its writes."""

    outcome: Outcome
    writes: list[dict[str, Any]]


def _user(number: int, **fields: object) -> Document:
    return {"resources": [{"tenant_id": TENANT, "id": f"res-contoso-user-{number}", **fields}]}


def _policy(kind: str, **fields: object) -> Document:
    return {"policies": [{"tenant_id": TENANT, "id": f"policy-contoso-{kind}", **fields}]}


def _archive(number: int, **fields: object) -> Document:
    return {"archives": [{"tenant_id": TENANT, "id": f"archive-contoso-{number:02}", **fields}]}


def _key(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in ("tenant_id", "id")}


def _protection(number: int, **fields: object) -> Callable[[Document], Document]:
    def happen(state: Document) -> Document:
        (key,) = (_key(one) for one in state["protections"] if one["resource_id"] == f"res-contoso-user-{number}")
        return {"protections": [{**key, **fields}]}

    return happen


def _org(external_id: str, **fields: object) -> Callable[[Document], Document]:
    def happen(state: Document) -> Document:
        (id,) = (one["id"] for one in state["orgs"] if one["external_id"] == external_id)
        return {"orgs": [{"id": id, **fields}]}

    return happen


CHANGES: Mapping[str, Change] = {
    "the policy was removed": Change('protect("bare", 12)', _protection(12, deleted=True), 12),
    "another policy was put on": Change('protect("swapped", 13)', _protection(13, policy_id=_SILVER), 13),
    "the mailbox or drive was archived": Change('protect("archived", 14)', lambda _: _user(14, archived=True), 14),
    "it was renamed": Change(
        'protect("renamed", "omar.farouk@contoso.example")', lambda _: _user(15, name="o.f@contoso.example"), 15
    ),
    "it was deleted": Change(
        'protect("deleted", "grace.okafor@contoso.example")', lambda _: _user(16, deleted=True), 16, then=""
    ),
    "the policy was renamed": Change(
        'protect("silver", 17, "Silver")', lambda _: _policy("silver", name="Platinum"), 17
    ),
    "the policy was deleted": Change(
        'protect("bronze", 18, "Bronze")', lambda _: _policy("bronze", deleted=True), 18, then='protect("bronze", 18)'
    ),
    "the tenant was deleted": Change(
        'protect("adatum", 12, tenant="adatum")',
        lambda _: {"tenants": [{"id": "tenant-adatum", "deleted": True}]},
        "/tenant-adatum/",
        then="",
    ),
    "a member of a set lost its policy": Change('protect_all("bare-set", [19, 20])', _protection(19, deleted=True), 19),
    "another policy was put on a member": Change(
        'protect_all("swapped-set", [21, 22])', _protection(21, policy_id=_SILVER), 21
    ),
    "a member was archived": Change('protect_all("archived-set", [23, 24])', lambda _: _user(23, archived=True), 23),
    "a member was renamed": Change(
        'protect_all("renamed-set", ["samuel.mensah@contoso.example", 26])',
        lambda _: _user(25, name="s.m@contoso.example"),
        25,
    ),
    "a member was deleted": Change(
        'protect_all("deleted-set", ["maria.papadopoulou@contoso.example", 28])', lambda _: _user(27, deleted=True), 27
    ),
    "the deletion of an archive was canceled": Change(
        'ArchiveDeletion("canceled", tenant_id="tenant-contoso", archive_id="archive-contoso-01", reason="left")',
        lambda _: _archive(1, delete_at=None),
        "/archives/archive-contoso-01",
    ),
    "an archive was deleted": Change(
        'ArchiveDeletion("done", tenant_id="tenant-contoso", archive_id="archive-contoso-02", reason="left")',
        lambda _: _archive(2, deleted=True),
        "/archives/archive-contoso-02",
    ),
    "the task of a run was forgotten": Change(
        'BackupRun("run", tenant_id="tenant-contoso", job_id="job-contoso-03", wait=False)',
        lambda state: {"tasks": [{**_key(task), "deleted": True} for task in state["tasks"]]},
        "/jobs/job-contoso-03",
    ),
    "the organization was renamed": Change(
        'fabrikam = org("fabrikam", "crm-1", "Fabrikam")',
        _org("crm-1", name="Fabrikam Holding"),
        "/orgs",
        then='fabrikam = org("fabrikam", "crm-1", "Fabrikam Holding")',
    ),
    "the organization was deleted": Change(
        'org("litware", "crm-2", "Litware", admin_email=None)', _org("crm-2", deleted=True), "/orgs"
    ),
}


class Story:
    """All changes, in as few commands as possible.

    Attributes:
        stack: the stack.
        nights: the outcomes of the nightly previews.
        drifts: the findings of `dataprotection drift` about the changed resource before its refresh, by change.
    """

    def __init__(self, folder: Path, emulator: Emulator) -> None:
        self.stack = Stack(folder, emulator)
        self.nights: list[Outcome] = []
        self.drifts: dict[str, list[Finding]] = {}
        self._folder = folder
        # Long enough for a second read, with the same result: the emulator shows its changes without a lag.
        self.stack.set_environment(DATAPROTECTION_READ_LAG="0.2")
        self._emulator = emulator
        self._lines = {label: change.declared for label, change in CHANGES.items()}
        self._write()

    def happen(self, *labels: str) -> None:
        """Let changes happen."""
        for label in labels:
            self._emulator.patch(CHANGES[label].happen(self._emulator.state()))

    def see(self, command: Callable[..., Outcome], *options: str) -> Seen:
        """Run a command, and return it with its writes."""
        self._emulator.clear_requests()
        return Seen(command(*options), self._emulator.writes())

    def see_with_a_read_only_key(self, command: Callable[..., Outcome], *options: str) -> Seen:
        """Run a command with a read-only key."""
        self.stack.set_environment(DATAPROTECTION_API_KEY=self._emulator.read_only_key)
        seen = self.see(command, *options)
        self.stack.set_environment(DATAPROTECTION_API_KEY=self._emulator.api_key)
        return seen

    def preview_at_night(self) -> Seen:
        """Run the nightly command of a pipeline."""
        seen = self.see_with_a_read_only_key(self.stack.preview, "--refresh", "--expect-no-changes")
        self.nights.append(seen.outcome)
        return seen

    def compare(self) -> dict[str, list[Finding]]:
        """Compare the state with the service as `dataprotection drift` does; return the findings by resource."""
        settings = Settings(self._emulator.read_only_key, self._emulator.url, calls_per_second=0, read_lag=0.2)
        findings: dict[str, list[Finding]] = {}
        with closing(Client(settings)) as client:
            (stack,) = find_drift(
                read_states(StateSelection(files=[str(self._folder)])), lambda _: Account(client)
            ).stacks
        for finding in stack.findings:
            findings.setdefault(finding.urn.rpartition("::")[2], []).append(finding)
        return findings

    def run(self) -> Iterator[tuple[str, dict[str, Seen]]]:
        """Let all changes happen, and yield for each change the result of each command except `destroy`.

        Changes that an `up` survives happen together; the others happen one after the other, since the engine ends
        with the first failure.
        """
        alone = [label for label, change in CHANGES.items() if change.then is not None]
        together = [label for label in CHANGES if label not in alone]
        for labels in (together, *([label] for label in alone)):
            self.happen(*labels)
            up = self.see(self.stack.up)
            # This `up` has fixed some changes: they happen again.
            self.happen(*(label for label in labels if wrote(CHANGES[label], up)))
            night, drifts = self.preview_at_night(), self.compare()
            self.drifts |= {label: drifts.get(CHANGES[label].name, []) for label in labels}
            seen = {
                "up, no refresh before": up,
                "preview --refresh": night,
                "refresh": self.see_with_a_read_only_key(self.stack.refresh),
                "up after a refresh": self.see(self.stack.up),
            }
            yield from ((label, seen) for label in labels)
            self._lines |= {label: line for label in labels if (line := CHANGES[label].then) is not None}
            self._write()

    def _write(self) -> None:
        self.stack.write(program(*self._lines.values()) + TAIL)


def wrote(change: Change, seen: Seen) -> list[str]:
    """Return the operations with which a command wrote to the resource of a change."""
    return [*dict.fromkeys(write["operation"] for write in seen.writes if change.path in write["path"])]


def cell(column: str, change: Change, seen: Seen, excerpt: str) -> str:
    """Return the cell of the document for a change and a command.

    Args:
        column: the command.
        change: what happened.
        seen: what the command did.
        excerpt: words that stand for the whole message, if the message holds them.
    """
    outcome = seen.outcome
    message = outcome.messages.get(change.name, "")
    said = excerpt if excerpt and excerpt in message else message.strip()
    if said and outcome.failed and change.then is not None:
        return f"fails: `{said}`"
    steps = outcome.refreshed if column == "refresh" else outcome.steps
    text = _DONE[steps.get(change.name, "same")]
    # The engine names an entry of a mapping beside the mapping: `assignments["jane@contoso.example"]`.
    names = [f"`{name}`" for name in sorted(outcome.differing.get(change.name, ())) if "[" not in name]
    text += f" {', '.join(names)}" if names else ""
    writes = [f"`{operation}`" for operation in wrote(change, seen)]
    text += f" by {', '.join(writes)}" if writes else ""
    return f"{text}; warns: `{said}`" if said else text


def drift_cell(findings: Sequence[Finding]) -> str:
    """Return the cell of the document for the findings of `dataprotection drift` about a changed resource."""
    statuses = ", ".join(sorted({finding.status for finding in findings})) or Status.IN_STEP
    return statuses if any(finding.is_drift for finding in findings) or not findings else f"{statuses}, no drift"


_DONE = {"same": "unchanged", "create": "created", "update": "updated", "delete": "deleted", "replace": "replaced"}
