"""Each example, if a list of the service changes between two runs: no policy is lost."""

import shutil
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pulumi_dataprotection.testing import Emulator, Outcome, Stack, StackFactory
from support import ROOT

EXAMPLES = ROOT / "examples"
PROGRAMS = {
    str(path.parent.relative_to(EXAMPLES))
    for path in EXAMPLES.rglob("__main__.py")
    if path.parent.name != "policy-pack"
}
CONTOSO, FABRIKAM = "tenant-contoso", "tenant-fabrikam"
CONTOSO_NEW, FABRIKAM_NEW = "tenant-a-new", "tenant-b-new"
EVERY_REQUEST = 50
POLICIES = ("Gold", "Silver", "Bronze")


@dataclass(frozen=True)
class Example:
    """An example, and the stack that runs it.

    Attributes:
        config: the stack's config.
        new: the new workspaces that the program has to protect.
        files: files of the program that differ from the source.
    """

    config: Mapping[str, object] = field(default_factory=dict[str, object])
    new: Collection[str] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])


RUN = {
    "archive-cleanup": Example({"tenantId": CONTOSO, "olderThanDays": 90, "reason": "DP-17: left"}),
    "customer-onboarding": Example(
        {"externalId": "crm-1042", "customer": "Fabrikam", "adminEmail": "it@fabrikam.example"}, new=[FABRIKAM_NEW]
    ),
    "leaver": Example({"tenantId": CONTOSO}, files={"leavers.txt": "res-contoso-user-01\n"}),
    "pipeline": Example({"tenantId": CONTOSO}),
    "protect-by-rule": Example(),
    "quickstart": Example(),
    "stack-per-customer/customer": Example({"parentOrgId": "org-alpine", "externalId": "crm-1002"}, new=[CONTOSO_NEW]),
    "stack-per-customer/msp": Example({"parentOrgId": "org-alpine"}),
}


def workspace(tenant_id: str, org_id: str, name: str) -> dict[str, list[dict[str, object]]]:
    """Return a workspace with all policies, two people and a drive."""
    people = {f"{tenant_id}-{number}": "office_user" for number in (1, 2)}
    return {
        "tenants": [{"id": tenant_id, "org_id": org_id, "name": name, "created_at": "2026-01-01T00:00:00Z"}],
        "policies": [{"tenant_id": tenant_id, "id": f"{tenant_id}-{name}", "name": name} for name in POLICIES],
        "resources": [
            {"tenant_id": tenant_id, "id": id, "name": f"{id}@new.example", "kind": kind}
            for id, kind in {**people, f"{tenant_id}-drive": "office_teamdrive"}.items()
        ],
    }


def prepare(emulator: Emulator) -> None:
    """Give the new customer a workspace, and let a person with an old archive leave the other customer."""
    org = {"id": "org-fabrikam", "external_id": "crm-1042", "name": "Fabrikam", "parent_org_id": "org-meridian"}
    left = {"tenant_id": CONTOSO, "id": "res-contoso-user-02", "archived": True}
    emulator.patch({"orgs": [org], **workspace(FABRIKAM, "org-fabrikam", "Fabrikam")})
    emulator.patch({"resources": [left]})


@contextmanager
def newcomers(emulator: Emulator) -> Generator[None]:
    """Put an organization and a workspace of each customer first in their lists, with known names."""
    twin = {"id": "org-a", "external_id": "crm-0", "name": "Contoso", "parent_org_id": "org-alpine"}
    emulator.patch({"orgs": [twin], **workspace("tenant-a-twin", "org-a", "Contoso Workspace")})
    emulator.patch(workspace(CONTOSO_NEW, "org-contoso", "Contoso Workspace"))
    emulator.patch(workspace(FABRIKAM_NEW, "org-fabrikam", "Fabrikam"))
    person = {"tenant_id": CONTOSO, "id": "res-a", "name": "new.hire@contoso.example", "kind": "office_user"}
    emulator.patch({"resources": [person]})
    yield


@contextmanager
def renamed(emulator: Emulator) -> Generator[None]:
    """Rename everything except the organizations that a program declares by name."""
    state = emulator.state()
    named = {
        table: [{**row, "name": f"new.{row['name']}"} for row in state[table]] for table in ("tenants", "resources")
    }
    emulator.patch(named)
    yield


@contextmanager
def reordered(emulator: Emulator) -> Generator[None]:
    """Reverse each list."""
    emulator.set_dialect(page_order="descending")
    yield
    emulator.set_dialect()


@contextmanager
def empty(emulator: Emulator, *operations: str) -> Generator[None]:
    """Let each call of some lists return an empty list."""
    with emulator.faults(
        *({"operation": operation, "do": ["short_list:0"] * EVERY_REQUEST} for operation in operations)
    ):
        yield
        emulator.clear_faults()


HARMLESS = {"newcomers come first": newcomers, "names change": renamed, "lists are reordered": reordered}
EMPTY_LISTS = (
    ("list_orgs",),
    ("list_tenants",),
    ("list_resources",),
    ("list_protections",),
    ("list_resources", "list_protections"),
    ("list_policies",),
    ("list_archives",),
)


def policies(emulator: Emulator) -> set[tuple[object, ...]]:
    """Return each policy with its resource."""
    return {(one["tenant_id"], one["resource_id"], one["policy_id"]) for one in emulator.state()["protections"]}


def rest(emulator: Emulator) -> tuple[object, ...]:
    """Return the organizations and the archives with a deletion, which no list may change."""
    state = emulator.state()
    archives = {one["id"]: one.get("delete_at") for one in state["archives"]}
    return {one["external_id"] for one in state["orgs"] if one["id"] != "org-a"}, archives


def fails_clearly(outcome: Outcome) -> bool:
    """Return whether a command failed with a message and without a traceback."""
    # The program may print a traceback of the SDK while the engine ends it: its registrations have no answer then.
    texts = [text for name, text in outcome.messages.items() if name] or [*outcome.messages.values()]
    return any(texts) and not any("Traceback" in text for text in texts)


def test_each_program_has_a_row() -> None:
    assert PROGRAMS == RUN.keys()


@pytest.fixture
def stack(name: str, dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, tmp_path: Path) -> Stack:
    """Return an empty stack of the example."""
    prepare(dataprotection_emulator)
    folder = shutil.copytree(EXAMPLES / name, tmp_path / "program")
    for file, text in RUN[name].files.items():
        (folder / file).write_text(text)
    return dataprotection_stack(folder, config=RUN[name].config)


@pytest.mark.parametrize("name", RUN)
def test_no_policy_is_lost_if_a_list_changes(name: str, stack: Stack, dataprotection_emulator: Emulator) -> None:
    emulator = dataprotection_emulator
    first = stack.up()
    assert not first.failed, first.text
    asked = {request["operation"] for request in first.requests}
    before, others = policies(emulator), rest(emulator)

    for what, change in HARMLESS.items():
        with change(emulator):
            outcome = stack.up()
        assert not outcome.failed, (what, outcome.text)
        assert (set(), others) == (before - policies(emulator), rest(emulator)), (what, outcome.text)
    assert {*RUN[name].new} <= {tenant_id for tenant_id, *_ in policies(emulator)}
    before = policies(emulator)

    for operations in EMPTY_LISTS:
        if not asked.issuperset(operations):
            continue
        with empty(emulator, *operations):
            outcome = stack.up()
        assert (set(), others) == (before - policies(emulator), rest(emulator)), (operations, outcome.text)
        assert not outcome.failed or fails_clearly(outcome), (operations, outcome.text)

    healed = stack.up()
    assert (False, []) == (healed.failed, healed.writes), healed.text
