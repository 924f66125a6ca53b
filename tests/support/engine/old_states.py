"""States as versions of this package wrote them.

Each is a file of `engine/states/`, named by the version of the outputs' shape. The file of a released version never
changes. `cd tests && python -m support.engine.old_states` writes the file of this version.
"""

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pulumi_dataprotection.resources._provider import SCHEMA
from support import TESTS, Emulator
from support.engine.stack import Stack

__all__ = ["OldState", "old_states", "profiles"]

_FOLDER = TESTS / "engine/states"
# The time, the place and the engine of the state: no later version may depend on them.
_NOT_KEPT = ("created", "modified", "sourcePosition", "stackTrace")
_TABLES = ("orgs", "tenants", "resources", "policies", "protections", "archives")

_PEOPLE = [
    "created",
    "adopted",
    "kept",
    "accepted",
    "profile",
    "created-member",
    "adopted-member",
    "kept-member",
    "archived-member",
]
_PROGRAM = """\
import pulumi
from pulumi_dataprotection import ArchiveDeletion, BackupRun, Org, Protection, ProtectionSet

org = Org("created-org", external_id="crm-1", name="Fabrikam", admin_email="it@fabrikam.example")
Org("adopted-org", external_id="crm-2", name="Litware", parent_org_id="org-root")
Protection("created", tenant_id="tenant", resource="ext$created", policy="Gold")
Protection("adopted", tenant_id="tenant", resource="adopted@litware.example", policy="Gold")
Protection("kept", tenant_id="tenant", resource="res-kept", policy="Silver", on_destroy="keep")
Protection("accepted", tenant_id="tenant", resource="res-accepted", policy="Gold", on_conflict="accept")
Protection("profile", tenant_id="tenant", resource="res-profile", policy="policy-silver", profile="msp")
members = {"ext$created-member": "Gold", "res-adopted-member": "Gold", "archived-member@litware.example": "Gold"}
ProtectionSet("set", tenant_id="tenant", assignments=members, on_missing="warn", max_removals="10%", profile="msp")
ProtectionSet("kept-set", tenant_id="tenant", resources=["res-kept-member"], policy="Silver", on_destroy="keep")
ArchiveDeletion("deletion", tenant_id="tenant", archive_id="archive-1", reason="left", profile="msp")
BackupRun("run", tenant_id="tenant", job_id="1", triggers=["monday", 7])
BackupRun("left-run", tenant_id="tenant", job_id="2", wait=False, profile="msp")
pulumi.export("invitation", org.invitation_url)
"""
_STAYS_PROTECTED = ("accepted", "adopted", "adopted-member", "kept", "kept-member")
_SERVICE: dict[str, list[dict[str, Any]]] = {
    "orgs": [{"id": "org-litware", "external_id": "crm-2", "name": "Litware", "parent_org_id": "org-root"}],
    "tenants": [{"id": "tenant", "org_id": "org-litware", "kind": "office_suite_a", "name": "Litware Workspace"}],
    "resources": [
        {
            "tenant_id": "tenant",
            "id": f"res-{name}",
            "external_id": name,
            "name": f"{name}@litware.example",
            "kind": "office_user",
            "archived": name.startswith("archived"),
        }
        for name in _PEOPLE
    ],
    "policies": [{"tenant_id": "tenant", "id": f"policy-{name.lower()}", "name": name} for name in ("Gold", "Silver")],
    "protections": [
        {"tenant_id": "tenant", "id": f"prot-{job}", "resource_id": id, "policy_id": policy, "job_id": f"{job}"}
        for job, id, policy in (
            (1, "res-adopted", "policy-gold"),
            (2, "res-accepted", "policy-silver"),
            (3, "res-adopted-member", "policy-gold"),
        )
    ],
    "archives": [{"tenant_id": "tenant", "id": "archive-1", "resource_id": "res-adopted", "size": "1"}],
}


@dataclass(frozen=True, slots=True)
class OldState:
    """The state and the service after an `up` of a version.

    Attributes:
        schema: the version of the outputs' shape.
        program: the program.
        stays_protected: the resources, by their external ids, that destroying it leaves protected.
        service: the service's content after `up`.
        state: the stack as `pulumi stack export` shows it.
    """

    schema: int
    program: Sequence[str]
    stays_protected: Sequence[str]
    service: dict[str, list[dict[str, Any]]]
    state: dict[str, Any]


def old_states() -> list[OldState]:
    """Read the states of all versions."""
    return [
        OldState(**json.loads(path.read_text()))
        for path in sorted(_FOLDER.glob("*.json"), key=lambda path: int(path.stem))
    ]


def profiles(emulator: Emulator) -> str:
    """The setting for the profile that the programs name."""
    return json.dumps({"msp": {"apiKey": emulator.api_key, "baseUrl": emulator.url}})


def _write() -> None:
    path = _FOLDER / f"{SCHEMA}.json"
    if path.exists():
        sys.exit(f"{path} exists: a new shape needs a new SCHEMA; remove the file only if no release wrote such states")
    with Emulator("empty") as emulator, tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        emulator.patch(_SERVICE)
        stack = Stack(Path(folder), emulator, driven=True)
        stack.use_profile("msp")
        stack.write(_PROGRAM)
        up = stack.up()
        if up.failed:
            raise RuntimeError(up.text)
        written = OldState(
            schema=SCHEMA,
            program=_PROGRAM.splitlines(),
            stays_protected=_STAYS_PROTECTED,
            service={table: emulator.state()[table] for table in _TABLES},
            state=_lasting(stack.export()),
        )
    path.write_text(json.dumps(asdict(written), indent=1, ensure_ascii=False) + "\n")


def _lasting(exported: dict[str, Any]) -> dict[str, Any]:
    resources = [
        {name: value for name, value in resource.items() if name not in _NOT_KEPT}
        for resource in exported["deployment"]["resources"]
    ]
    # Without the salt of the secrets, which are in plain text: the stack that they are imported into encrypts them.
    return {"version": exported["version"], "deployment": {"manifest": {}, "resources": resources}}


if __name__ == "__main__":
    _write()
