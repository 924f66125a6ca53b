"""A service that answers with wrong successes, on the real engine: no policy is lost, and the run gives the reason."""

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
    """Let each call of an operation lie; assert that there is a call."""
    with emulator.possible_faults({"operation": operation, "do": [fault] * times}):
        yield
        left = [len([*rule["do"]]) for rule in emulator.remaining_faults()]  # type: ignore[misc]
    assert left != [times], f"{operation} was never asked"


def protections(emulator: Emulator) -> dict[str, str]:
    return {one["resource_id"]: one["policy_id"] for one in emulator.state()["protections"]}


@pytest.fixture(scope="module")
def protected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stack, Emulator]]:
    """Return a stack whose program protects all items of its lists."""
    with Emulator() as emulator:
        stack = Stack(tmp_path_factory.mktemp("lying"), emulator)
        stack.configure("pageSize", "5")
        stack.deploy(PROGRAM)
        yield stack, emulator


LISTS: Mapping[str, Fault] = {
    "an error": UNAVAILABLE,
    "an error in an envelope": FORBIDDEN,
    "another success": "success:202",
    "an empty object": "no_items",
    "an empty list": "short_list:0",
    "three items": "short_list:3",
}


@pytest.mark.parametrize("operation", ["list_resources", "list_protections"])
def test_a_list_that_lies_removes_no_policy(protected: tuple[Stack, Emulator], operation: str) -> None:
    stack, emulator = protected
    before, kept = protections(emulator), stack.resources()
    for lie, fault in LISTS.items():
        with lying(emulator, operation, fault):
            up = stack.up("--skip-preview")
        # If every list of protections is empty, `up` assigns them again, which changes nothing.
        assert set() == {write["operation"] for write in up.writes} - {"protect_resource"}, lie
        assert before == protections(emulator), lie
        assert up.failed or kept.keys() == stack.resources().keys(), lie
        if operation == "list_resources" and lie in {"an empty list", "three items"}:
            assert "incomplete" in up.text, lie
    assert {} == stack.preview().steps


@pytest.mark.parametrize("lie", ["an error", "an empty list"])
@pytest.mark.parametrize("operation", ["list_resources", "list_protections"])
def test_a_list_that_lies_once_is_read_again_or_is_an_error(
    protected: tuple[Stack, Emulator], operation: str, lie: str
) -> None:
    stack, emulator = protected
    before = protections(emulator)
    with lying(emulator, operation, LISTS[lie], times=1):
        up = stack.up("--skip-preview")
    assert ([], before) == (up.writes, protections(emulator))
    # If the answer itself does not show the lie, another list does, and the second read is right.
    assert ({}, lie == "an error") == (up.steps, up.failed)


@pytest.mark.parametrize("lie", ["an error", "an error in an envelope", "another success", "an empty object"])
def test_a_refresh_with_a_lying_list_drops_nothing(protected: tuple[Stack, Emulator], lie: str) -> None:
    stack, emulator = protected
    kept = stack.resources()
    with lying(emulator, "list_protections", LISTS[lie]):
        refresh = stack.refresh()
    assert refresh.failed
    assert {name: one["outputs"] for name, one in kept.items()} == {
        name: one["outputs"] for name, one in stack.resources().items()
    }


@pytest.mark.parametrize("lie", ["an empty list", "three items"])
def test_a_refresh_reads_missing_protections_again(protected: tuple[Stack, Emulator], lie: str) -> None:
    stack, emulator = protected
    with lying(emulator, "list_protections", LISTS[lie], times=1):
        refresh = stack.refresh()
    assert (False, {}) == (refresh.failed, refresh.refreshed)


def test_a_deletion_between_two_pages_hides_no_item(protected: tuple[Stack, Emulator]) -> None:
    stack, emulator = protected
    emulator.set_dialect(page_tokens="offset")
    spare = {"tenant_id": "tenant-contoso", "id": "res-contoso-aaa", "external_id": "aaa", "name": "a@contoso.example"}
    emulator.patch({"resources": [{**spare, "kind": "office_group"}]})
    before = protections(emulator)
    with emulator.faults({"operation": "list_resources", "do": ["shrink"]}):
        up = stack.up("--skip-preview")
    emulator.set_dialect("published")
    assert "res-contoso-aaa" not in {one["id"] for one in emulator.state()["resources"]}
    assert (False, {}, [], before) == (up.failed, up.steps, up.writes, protections(emulator))


# The next test changes something, so that it has its own stack.

BOTH = """
Protection("one", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")
ProtectionSet("many", tenant_id="tenant-contoso", resources=["res-contoso-user-13"], policy="Gold")
"""
PEOPLE = {"res-contoso-user-12", "res-contoso-user-13"}
CREATED = {"one": "create", "many": "create"}


def gold(emulator: Emulator) -> set[str]:
    return {id for id, policy in protections(emulator).items() if id in PEOPLE and policy == GOLD}


def test_a_policy_that_was_not_assigned_is_not_in_the_state(stack: Stack, emulator: Emulator) -> None:
    stack.write(BOTH)
    with lying(emulator, "protect_resource", FORBIDDEN):
        up = stack.up("--continue-on-error")
    assert up.failed
    assert all("(200, application/json): forbidden" in up.messages[name] for name in CREATED)
    assert {} == stack.resources()
    assert CREATED == stack.up().steps
    assert PEOPLE == gold(emulator)
    with lying(emulator, "unprotect_resource", FORBIDDEN):
        destroy = stack.destroy("--continue-on-error")
    assert destroy.failed
    assert CREATED.keys() == stack.resources().keys()
    assert PEOPLE == gold(emulator)
    assert not stack.destroy().failed
    assert set() == gold(emulator)
