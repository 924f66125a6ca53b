"""What a refresh and the next `up` make of changes behind the program's back."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.stack import Stack
from support import Emulator

PROGRAM = """
    org = Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email="it@fabrikam.example")
    wei = Protection("wei", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")
    Protection("yuki", tenant_id="tenant-contoso", resource="yuki.tanaka@contoso.example", policy="Gold")
    pulumi.export("org", org.id)
    pulumi.export("invitation", org.invitation_url)
"""
Document = dict[str, list[dict[str, Any]]]
Change = Callable[[Emulator], Document]


def unprotect(emulator: Emulator) -> Document:
    """Somebody takes the policy off."""
    return {"protections": [{**_protection(emulator), "deleted": True}]}


def swap(emulator: Emulator) -> Document:
    """Somebody puts another policy on."""
    return {"protections": [{**_protection(emulator), "policy_id": "policy-contoso-silver"}]}


def delete_item(_emulator: Emulator) -> Document:
    """The mailbox goes, and its protection with it."""
    return {"resources": [{"tenant_id": "tenant-contoso", "id": "res-contoso-user-12", "deleted": True}]}


def rename_item(_emulator: Emulator) -> Document:
    """The mailbox gets another name."""
    return {"resources": [{"tenant_id": "tenant-contoso", "id": "res-contoso-user-13", "name": "y.t@contoso.example"}]}


def rename_policy(_emulator: Emulator) -> Document:
    """The policy gets another name."""
    return {"policies": [{"tenant_id": "tenant-contoso", "id": "policy-contoso-gold", "name": "Platinum"}]}


def rename_org(emulator: Emulator) -> Document:
    """The organization gets another name in the portal."""
    return {"orgs": [{"id": _org(emulator)["id"], "name": "Fabrikam Holding"}]}


def delete_org(emulator: Emulator) -> Document:
    """The organization is deleted in the portal."""
    return {"orgs": [{"id": _org(emulator)["id"], "deleted": True}]}


def _protection(emulator: Emulator) -> dict[str, Any]:
    return next(item for item in emulator.state()["protections"] if item["resource_id"] == "res-contoso-user-12")


def _org(emulator: Emulator) -> dict[str, Any]:
    return next(item for item in emulator.state()["orgs"] if item["external_id"] == "crm-1042")


@pytest.mark.parametrize(
    ("change", "refreshed", "next_up"),
    [
        (unprotect, {"wei": "delete"}, {"wei": "create"}),
        (swap, {"wei": "update"}, {"wei": "update"}),
        (rename_item, {}, {}),
        (rename_policy, {}, {}),
        (delete_org, {"fabrikam": "delete"}, {"fabrikam": "create"}),
    ],
)
def test_a_refresh_finds_the_drift_and_the_next_up_mends_it(
    stack: Stack, emulator: Emulator, change: Change, refreshed: dict[str, str], next_up: dict[str, str]
) -> None:
    stack.write(PROGRAM)
    stack.up()
    emulator.patch(change(emulator))
    emulator.clear_requests()
    refresh = stack.refresh()
    assert refreshed == refresh.refreshed, refresh.text
    assert emulator.writes() == [], "a refresh wrote"
    assert next_up == stack.up().steps
    assert stack.up().steps == {}
    assert _protection(emulator)["policy_id"] == "policy-contoso-gold"


def test_a_resource_that_is_gone_leaves_the_state_and_cannot_be_protected_again(
    stack: Stack, emulator: Emulator
) -> None:
    stack.write(PROGRAM)
    stack.up()
    emulator.patch(delete_item(emulator))
    assert stack.refresh().refreshed == {"wei": "delete"}
    preview = stack.preview()
    assert 'no resource "res-contoso-user-12" in tenant tenant-contoso' in preview.messages["wei"]


def test_a_renamed_organization_is_shown_and_not_renamed_back(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM)
    stack.up()
    invitation = stack.outputs()["invitation"]
    emulator.patch(rename_org(emulator))
    assert stack.refresh().refreshed == {"fabrikam": "update"}
    preview = stack.preview()
    assert 'it is "Fabrikam Holding"' in preview.messages["fabrikam"]
    stack.write(PROGRAM.replace('name="Fabrikam"', 'name="Fabrikam Holding"'))
    assert stack.up().steps == {}
    assert invitation == stack.outputs()["invitation"], "the refresh lost what is given only once"


@pytest.mark.parametrize("change", [unprotect, delete_item, delete_org])
def test_what_is_gone_already_does_not_stop_a_destroy(stack: Stack, emulator: Emulator, change: Change) -> None:
    stack.write(PROGRAM)
    stack.up()
    emulator.patch(change(emulator))
    destroy = stack.destroy()
    assert destroy.steps == {"wei": "delete", "yuki": "delete", "fabrikam": "delete"}
    assert not destroy.failed


def test_a_policy_that_somebody_else_put_on_survives_a_destroy(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM)
    stack.up()
    emulator.patch(swap(emulator))
    assert "stays protected" in stack.destroy().messages["wei"]
    assert _protection(emulator)["policy_id"] == "policy-contoso-silver"
