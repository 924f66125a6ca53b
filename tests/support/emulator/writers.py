"""Clients that write and note each acknowledgement, and the comparison of their notes with the state."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

from support import HANG

__all__ = ["Chance", "Ledger", "Writer", "archive_of", "client_of", "differences"]

TENANT = "tenants/tenant-0001"
POLICY = {"policy_id": "policy-gold"}


@dataclass
class Ledger:
    """The acknowledged writes of all clients.

    Attributes:
        external_ids: of the organizations that were created.
        tasks: the tasks that were triggered.
        deletions: the archives that were scheduled for deletion.
        jobs: by resource, the jobs of protections whose removal was not requested.
        removed: the resources whose protection was removed and not requested again.
        answers: the number of answers.
        refusals: the answers with another status than 200.
    """

    external_ids: set[str] = field(default_factory=set[str])
    tasks: set[object] = field(default_factory=set[object])
    deletions: set[str] = field(default_factory=set[str])
    jobs: dict[str, object] = field(default_factory=dict[str, object])
    removed: set[str] = field(default_factory=set[str])
    answers: list[int] = field(default_factory=list[int])
    refusals: list[str] = field(default_factory=list[str])


def client_of(url: str, key: str) -> httpx.Client:
    """Make a client without certificates, which take long to load."""
    return httpx.Client(
        base_url=f"{url}/api/v1/",
        headers={"Authorization": key},
        timeout=HANG,
        verify=False,  # noqa: S501 - plain HTTP
    )


def archive_of(number: int) -> dict[str, str]:
    """Make the archive of a resource of the seed "large", by the number of the resource."""
    return {"tenant_id": "tenant-0001", "id": f"archive-{number:07}", "resource_id": f"res-{number:07}"}


class Writer:
    """A client that notes what it writes.

    Args:
        client: the connection.
        ledger: the notes.
    """

    def __init__(self, client: httpx.Client, ledger: Ledger) -> None:
        self._client = client
        self.ledger = ledger

    def create_org(self, external_id: str) -> None:
        """Create an organization."""
        self.send("POST", "orgs", params={"external_id": external_id})
        self.ledger.external_ids.add(external_id)

    def delete_archive(self, resource_id: str) -> None:
        """Schedule the archive of a resource for deletion."""
        archive_id = resource_id.replace("res", "archive")
        self.send("DELETE", f"{TENANT}/archives/{archive_id}", params={"reason": "a test"})
        self.ledger.deletions.add(archive_id)

    def run_job(self, resource_id: str) -> None:
        """Trigger the job of a protected resource."""
        answer = self.send("PUT", f"{TENANT}/jobs/{self.ledger.jobs[resource_id]}/trigger")
        self.ledger.tasks.add(answer.get("task_id"))

    def protect(self, resource_id: str) -> None:
        """Protect a resource."""
        self.ledger.removed.discard(resource_id)
        answer = self.send("POST", f"{TENANT}/resources/{resource_id}/protect", params=POLICY, json={})
        self.ledger.jobs[resource_id] = answer.get("job_id")

    def unprotect(self, resource_id: str) -> None:
        """Remove the protection of a resource; until the answer, it is neither there nor removed for sure."""
        del self.ledger.jobs[resource_id]
        self.send("DELETE", f"{TENANT}/resources/{resource_id}/protect", params=POLICY)
        self.ledger.removed.add(resource_id)

    def send(self, method: str, path: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - httpx knows which
        """Send a request and note a refusal."""
        response = self._client.request(method, path, **arguments)
        self.ledger.answers.append(response.status_code)
        if response.status_code != 200:
            self.ledger.refusals.append(f"{method} {path}: {response.status_code} {response.text}")
        answer: dict[str, Any] = response.json()
        return answer


class Chance:
    """The choices of one of several clients: at random, resources of its own, and organizations of all clients.

    Args:
        number: counts the clients from 0 on.
        clients: the number of clients.
        resources: the number of resources of the seed "large".
        ledger: the notes.
    """

    def __init__(self, number: int, clients: int, resources: int, ledger: Ledger) -> None:
        self._random = Random(number)  # noqa: S311 - the same choices each time
        self.resources = [f"res-{place:07}" for place in range(1, resources + 1) if place % clients == number]
        self._ledger = ledger

    def write(self, writer: Writer) -> None:
        """Write something."""
        resource_id = self._random.choice(self.resources)
        protected = self._ledger.jobs.get(resource_id)
        match self._random.choice(("org", "archive", "job", "protection", "protection")):
            case "org":
                writer.create_org(f"crm-{self._random.randrange(100)}")
            case "archive":
                writer.delete_archive(resource_id)
            case "job" if protected:
                writer.run_job(resource_id)
            case _ if protected:
                writer.unprotect(resource_id)
            case _:
                writer.protect(resource_id)


def differences(state: Mapping[str, Sequence[Mapping[str, Any]]], ledger: Ledger) -> dict[str, set[object]]:
    """Compare the state with a ledger.

    Returns:
        By kind: "lost" are acknowledged writes that are not in the state, "unknown" are objects in the state that
        nobody acknowledged, "halves" are writes without audit event or the other way round, and "doubles" are the
        external ids of several organizations.
    """
    orgs = Counter(org["external_id"] for org in state["orgs"] if org["external_id"])
    jobs = {row["resource_id"]: row["job_id"] for row in state["protections"]}
    tasks = {task["id"] for task in state["tasks"]}
    deletions = {archive["id"] for archive in state["archives"] if archive["delete_at"]}
    found: set[object] = {*orgs, *tasks, *deletions, *jobs.items()}
    acknowledged: set[object] = {*ledger.external_ids, *ledger.tasks, *ledger.deletions, *ledger.jobs.items()}
    balance: Counter[object] = Counter()
    halves: set[object] = {*tasks, *deletions}
    for event in state["audit_events"]:
        details = json.loads(event["details"])
        match event["action"]:
            case "job.trigger":
                halves ^= {details["task_id"]}
            case "archive.delete":
                halves ^= {event["subject"]}
            case action:
                balance[details["resource_id"]] += 1 if action == "resource.protect" else -1
    return {
        "lost": (acknowledged - found) | (ledger.removed & jobs.keys()),
        "unknown": found - acknowledged,
        "halves": halves | {id for id in balance.keys() | jobs.keys() if balance[id] != (id in jobs)},
        "doubles": {external_id for external_id, count in orgs.items() if count > 1},
    }
