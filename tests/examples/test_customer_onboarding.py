"""The example of a new customer, on the real engine."""

import pytest

from pulumi_dataprotection.testing import Emulator, Stack, StackFactory
from support import ROOT

EXAMPLE = ROOT / "examples/customer-onboarding"
CONFIG = {"externalId": "crm-1042", "customer": "Fabrikam", "adminEmail": "it@fabrikam.example"}
TENANT = "tenant-fabrikam"


@pytest.fixture
def onboarding(dataprotection_stack: StackFactory) -> Stack:
    """A stack of the example."""
    return dataprotection_stack(EXAMPLE, config=CONFIG)


def connect_workspace(emulator: Emulator) -> None:
    """Let the customer follow the invitation, and connect a workspace."""
    (org_id,) = (org["id"] for org in emulator.state()["orgs"] if org["external_id"] == "crm-1042")
    workspace = {"id": TENANT, "org_id": org_id, "name": "Workspace", "created_at": "2026-01-01T00:00:00Z"}
    of_somebody_else = {**workspace, "id": "tenant-alpine", "org_id": "org-alpine"}
    policies = [{"tenant_id": TENANT, "id": name.lower(), "name": name} for name in ("Gold", "Silver")]
    emulator.patch({"tenants": [workspace, of_somebody_else], "policies": policies})


def fill_workspace(emulator: Emulator) -> None:
    """Fill the workspace, and let the customer assign a policy to a person."""
    content = {"ann": "office_user", "bob": "office_user", "test-1": "office_user", "Plans": "office_teamdrive"}
    by_hand = {"tenant_id": TENANT, "id": "prot-1", "resource_id": "ann", "policy_id": "silver", "job_id": "job-1"}
    emulator.patch(
        {
            "resources": [{"tenant_id": TENANT, "id": id, "name": id, "kind": kind} for id, kind in content.items()],
            "protections": [by_hand],
        }
    )


def policies(emulator: Emulator) -> dict[object, object]:
    """The policy on each resource of the new workspace."""
    return {
        one["resource_id"]: one["policy_id"] for one in emulator.state()["protections"] if one["tenant_id"] == TENANT
    }


def test_the_customer_is_invited_once_and_protected_when_the_workspace_is_connected(
    onboarding: Stack, dataprotection_emulator: Emulator
) -> None:
    emulator = dataprotection_emulator
    first = onboarding.up()
    assert {"customer": "create"} == first.steps, first.text
    assert ["create_org"] == [write["operation"] for write in first.writes]
    waits = ["no workspace is connected yet: the customer follows the invitation to the portal"]
    assert (waits, 0) == (first.outputs["missing"], first.outputs["protected"])
    invitation = first.outputs["invitation"]
    assert isinstance(invitation, str)
    assert invitation.startswith("https://")

    connect_workspace(emulator)
    empty = onboarding.up()
    assert ({TENANT: "create"}, []) == (empty.steps, empty.writes), empty.text
    assert ["nothing to protect in Workspace yet"] == empty.outputs["missing"]

    fill_workspace(emulator)
    preview = onboarding.preview()
    assert ({TENANT: "update"}, []) == (preview.steps, preview.writes)
    assert "protected" not in preview.outputs, "a preview counts nothing"

    connected = onboarding.up()
    assert {TENANT: "update"} == connected.steps, connected.text
    assert {"ann": "silver", "bob": "gold", "Plans": "silver"} == policies(emulator)
    assert {"invitation": invitation, "missing": [], "protected": 3} == connected.outputs
    assert invitation not in first.text + connected.text, "the invitation is a secret"

    again = onboarding.up()
    assert ({}, []) == (again.steps, again.writes)

    kept = onboarding.destroy()
    assert (True, []) == (kept.failed, kept.writes)
    onboarding.unprotect_state()
    destroyed = onboarding.destroy()
    assert (False, {TENANT: "delete", "customer": "delete"}) == (destroyed.failed, destroyed.steps), destroyed.text
    assert {"ann": "silver"} == policies(emulator)
    assert "crm-1042" in [org["external_id"] for org in emulator.state()["orgs"]]
