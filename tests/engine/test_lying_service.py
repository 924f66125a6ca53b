"""A service whose successes are not the answer, on the real engine: nobody loses a policy, and the run says why."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from support import Emulator
from support.engine.stack import Stack

GOLD = "policy-contoso-gold"

PROGRAM = """
people = get_resources("tenant-contoso", kind="office_user", archived=False).items
for person in people[:6]:
    Protection(person.name, tenant_id="tenant-contoso", resource=person.id, policy="Gold", on_conflict="accept")
drives = [drive.id for drive in get_resources("tenant-contoso", kind="office_teamdrive", archived=False).items]
rest = [person.id for person in people[6:]]
ProtectionSet(
    "rest",
    tenant_id="tenant-contoso",
    resources=rest,
    policy="Gold",
    on_conflict="accept",
    max_removals="100%",
)
ProtectionSet(
    "drives",
    tenant_id="tenant-contoso",
    assignments=dict.fromkeys(drives, "Gold"),
    on_conflict="accept",
    max_removals="100%",
)
"""

UNAVAILABLE: dict[str, Any] = {"status": 200, "body": {"message": "temporarily unavailable", "status": 503}}
FORBIDDEN: dict[str, Any] = {"status": 200, "body": {"error": {"code": 403, "message": "forbidden"}}}

Fault = str | dict[str, Any]


@contextmanager
def lying(emulator: Emulator, operation: str, fault: Fault, times: int = 200) -> Generator[None]:
    """Let an operation lie as often as it is asked, at least once."""
    with emulator.possible_faults({"operation": operation, "do": [fault] * times}):
        yield
        left = [len([*rule["do"]]) for rule in emulator.remaining_faults()]  # type: ignore[misc]
    assert left != [times], f"{operation} was never asked"


def protections(emulator: Emulator) -> dict[str, str]:
    return {one["resource_id"]: one["policy_id"] for one in emulator.state()["protections"]}


@pytest.fixture(scope="module")
def protected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stack, Emulator]]:
    """A stack whose program protects everybody whom it lists."""
    with Emulator() as emulator:
        stack = Stack(tmp_path_factory.mktemp("lying"), emulator)
        stack.configure("pageSize", "5")
        stack.write(PROGRAM)
        assert not stack.up().failed
        yield stack, emulator


LISTS: Mapping[str, Fault] = {
    "an error": UNAVAILABLE,
    "an error in an envelope": FORBIDDEN,
    "another success": "success:202",
    "an empty object": "no_items",
    "an empty list": "short_list:0",
    "three items": "short_list:3",
}


@pytest.mark.parametrize("lie", LISTS)
@pytest.mark.parametrize("operation", ["list_resources", "list_protections"])
def test_a_list_that_lies_takes_nobody_off(protected: tuple[Stack, Emulator], operation: str, lie: str) -> None:
    stack, emulator = protected
    before, kept = protections(emulator), stack.resources()
    with lying(emulator, operation, LISTS[lie]):
        up = stack.up("--skip-preview")
    # Where the service says everywhere that there are none, they are assigned again, which changes nothing.
    assert set() == {write["operation"] for write in up.writes} - {"protect_resource"}
    assert before == protections(emulator)
    assert up.failed or kept.keys() == stack.resources().keys()
    assert {} == stack.preview().steps


@pytest.mark.parametrize("lie", LISTS)
@pytest.mark.parametrize("operation", ["list_resources", "list_protections"])
def test_a_list_that_lies_once_is_read_again_or_is_an_error(
    protected: tuple[Stack, Emulator], operation: str, lie: str
) -> None:
    stack, emulator = protected
    before = protections(emulator)
    with lying(emulator, operation, LISTS[lie], times=1):
        up = stack.up("--skip-preview")
    assert ([], before) == (up.writes, protections(emulator))
    # Where the answer itself does not show it, a second witness does, and then all is as it was.
    assert ({}, not isinstance(LISTS[lie], str) or lie == "another success") == (up.steps, up.failed)


@pytest.mark.parametrize("lie", ["an error", "an error in an envelope", "another success", "an empty object"])
def test_a_refresh_of_protections_that_lie_drops_nothing(protected: tuple[Stack, Emulator], lie: str) -> None:
    stack, emulator = protected
    kept = stack.resources()
    with lying(emulator, "list_protections", LISTS[lie]):
        refresh = stack.refresh()
    assert refresh.failed
    assert {name: one["outputs"] for name, one in kept.items()} == {
        name: one["outputs"] for name, one in stack.resources().items()
    }
    assert {} == stack.preview().steps


@pytest.mark.parametrize("lie", ["an empty list", "three items"])
def test_a_refresh_asks_again_for_the_protections_that_a_list_lacks(
    protected: tuple[Stack, Emulator], lie: str
) -> None:
    stack, emulator = protected
    with lying(emulator, "list_protections", LISTS[lie], times=1):
        refresh = stack.refresh()
    assert (False, {}) == (refresh.failed, refresh.refreshed)


@pytest.mark.parametrize("lie", ["an empty list", "three items"])
def test_an_incomplete_list_is_named_in_the_error(protected: tuple[Stack, Emulator], lie: str) -> None:
    stack, emulator = protected
    with lying(emulator, "list_resources", LISTS[lie]):
        preview = stack.preview()
    assert preview.failed
    assert "the list is incomplete. The service does not list " in preview.text


def test_a_mailbox_that_is_deleted_between_two_pages_hides_nobody(protected: tuple[Stack, Emulator]) -> None:
    stack, emulator = protected
    emulator.set_dialect(page_tokens="offset")
    spare = {"tenant_id": "tenant-contoso", "id": "res-contoso-aaa", "external_id": "aaa", "name": "a@contoso.example"}
    emulator.patch({"resources": [{**spare, "kind": "office_group"}]})
    before = protections(emulator)
    with emulator.faults({"operation": "list_resources", "do": ["shrink"]}):
        up = stack.up("--skip-preview")
    emulator.set_dialect("default")
    assert "res-contoso-aaa" not in {one["id"] for one in emulator.state()["resources"]}
    assert (False, {}, [], before) == (up.failed, up.steps, up.writes, protections(emulator))


def test_the_checks_can_be_turned_off_in_the_program(protected: tuple[Stack, Emulator]) -> None:
    stack, _ = protected
    stack.configure("previewChecks", "false")
    asked = [request["operation"] for request in stack.preview().requests]
    stack.configure("previewChecks", "true")
    assert {"list_resources"} == {*asked}


# From here on something changes: each test has a stack of its own.

ONE = {
    "a protection": 'Protection("jo", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")',
    "a set": 'ProtectionSet("jo", tenant_id="tenant-contoso", resources=["res-contoso-user-12"], policy="Gold")',
}


@pytest.mark.parametrize("declared", ["a protection", "a set"])
@pytest.mark.parametrize("answer", [{}, {"job_id": ""}, {"result": "accepted"}], ids=str)
def test_an_answer_without_a_job_that_no_read_confirms_has_assigned_nothing(
    stack: Stack, emulator: Emulator, declared: str, answer: dict[str, object]
) -> None:
    stack.write(ONE[declared])
    with lying(emulator, "protect_resource", {"status": 200, "body": answer}):
        up = stack.up("--skip-preview")
    assert (True, {}) == (up.failed, stack.resources())
    # Where the policy shows, the same answer does no harm.
    with lying(emulator, "protect_resource", {"status": 200, "body": answer, "after": True}, times=1):
        assert {"jo": "create"} == stack.up("--skip-preview").steps
    assert GOLD == protections(emulator)["res-contoso-user-12"]


@pytest.mark.parametrize("declared", ["a protection", "a set"])
def test_a_policy_that_was_not_assigned_is_not_in_the_state(stack: Stack, emulator: Emulator, declared: str) -> None:
    stack.write(ONE[declared])
    with lying(emulator, "protect_resource", FORBIDDEN):
        up = stack.up()
    assert up.failed
    assert "it describes an error (200, application/json): forbidden" in up.messages["jo"]
    assert {} == stack.resources()
    assert {"jo": "create"} == stack.up().steps
    assert GOLD == protections(emulator)["res-contoso-user-12"]
    with lying(emulator, "unprotect_resource", FORBIDDEN):
        destroy = stack.destroy()
    assert destroy.failed
    assert {"jo"} == {*stack.resources()}
    assert GOLD == protections(emulator)["res-contoso-user-12"]
    assert not stack.destroy().failed
    assert "res-contoso-user-12" not in protections(emulator)


def test_a_deletion_of_an_archive_that_was_not_scheduled_is_not_in_the_state(stack: Stack, emulator: Emulator) -> None:
    stack.write(
        'ArchiveDeletion("left", tenant_id="tenant-contoso", archive_id="archive-contoso-01", reason="left in May")'
    )
    with lying(emulator, "delete_archive", FORBIDDEN):
        up = stack.up()
    assert (True, {}) == (up.failed, stack.resources())
    with lying(emulator, "delete_archive", FORBIDDEN, times=1), lying(emulator, "list_archives", "no_items"):
        assert stack.up("--skip-preview").failed
    assert {"left": "create"} == stack.up().steps


def test_another_organization_does_not_enter_the_state(stack: Stack, emulator: Emulator) -> None:
    stack.write(
        'shop = Org("shop", external_id="crm-1042", name="Fabrikam", admin_email="it@fabrikam.example")\n'
        'pulumi.export("tenant", get_tenant("tenant-contoso").name)'
    )
    stack.up()
    with lying(emulator, "get_org", "other_record"):
        refresh = stack.refresh()
    assert refresh.failed
    assert "its id is " in refresh.messages["shop"]
    outputs = stack.resources()["shop"]["outputs"]
    assert ("crm-1042", "Fabrikam") == (outputs["external_id"], outputs["name"])
    with lying(emulator, "get_tenant", "other_record"):
        preview = stack.preview()
    assert preview.failed
    assert "its id is " in preview.text


def test_a_service_that_ignores_a_filter_does_not_show_the_policy_of_somebody_else(
    stack: Stack, emulator: Emulator
) -> None:
    stack.configure("pageSize", "2")
    stack.write('Protection("wei", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")')
    stack.up()
    kept = stack.resources()["wei"]["outputs"]
    # The first page is not the last one, so that the protection is read by itself.
    with emulator.faults({"operation": "list_protections", "nth": 2, "do": ["unfiltered"]}):
        refresh = stack.refresh()
    assert refresh.failed
    assert "its resource_id is " in refresh.messages["wei"]
    assert kept == stack.resources()["wei"]["outputs"]
