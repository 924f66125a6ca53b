"""Keys, permissions and the reach of an installation, for each operation."""

from operator import attrgetter
from typing import Any

import httpx
import pytest

from pulumi_dataprotection.spec import BY_ID, OPERATIONS, Operation
from support import Emulator

OF_ORGS = [operation for operation in OPERATIONS if "/orgs/{" in operation.path]
OF_TENANTS = [operation for operation in OPERATIONS if "/tenants/{" in operation.path]
READS = [operation for operation in OPERATIONS if not operation.writes]
REQUIRED = {
    "delete_archive": {"reason": "left the company"},
    "protect_resource": {"policy_id": "policy-contoso-gold"},
    "unprotect_resource": {"policy_id": "policy-contoso-silver"},
    "get_task_stats": {"start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-02T00:00:00Z"},
}


def call(
    client: httpx.Client, operation: Operation, entity: str, headers: dict[str, str] | None = None
) -> httpx.Response:
    """Send an operation with all that it requires, addressed to an organization or tenant."""
    names = operation.path_parameters
    path = operation.path.format(**{name: entity if name == names[0] else f"some-{name}" for name in names})
    return client.request(
        operation.method,
        path.removeprefix("/api/v1/"),
        params=REQUIRED.get(operation.id),
        json={} if operation.body else None,
        headers=headers,
    )


def permission(operation: Operation) -> str:
    if operation.writes:
        return "write"
    return "billing" if operation.number in {6, 7} else "read"


def set_permissions(emulator: Emulator, permissions: list[str]) -> None:
    emulator.patch({"keys": [{"name": "Full access", "permissions": permissions}]})


def foreign_estate() -> dict[str, list[dict[str, Any]]]:
    return {
        "orgs": [{"id": "org-foreign", "name": "Foreign"}],
        "tenants": [{"id": "tenant-foreign", "org_id": "org-foreign", "name": "Foreign"}],
    }


@pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))
def test_a_request_without_a_key_is_unauthenticated(stranger: httpx.Client, operation: Operation) -> None:
    response = call(stranger, operation, "anything")
    expected = {"message": "the request has no API key in its Authorization header"}
    assert (401, expected) == (response.status_code, response.json())


@pytest.mark.parametrize(
    "key",
    ["wrong", "Bearer emulator-full-access-key-4b1d9c", "EMULATOR-FULL-ACCESS-KEY-4B1D9C"],
    ids=["unknown", "with a scheme", "other case"],
)
def test_a_key_that_is_not_exactly_known_is_unauthenticated(stranger: httpx.Client, key: str) -> None:
    response = call(stranger, BY_ID["get_org"], "org-contoso", {"Authorization": key})
    assert (response.status_code, response.json()) == (401, {"message": "the API key is not valid"})


def test_an_expired_key_is_unauthenticated(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"keys": [{"name": "Full access", "expires_at": "2026-01-31T08:00:00Z"}]})
    response = service.get("orgs/org-contoso")
    expected = {"message": "the API key expired at 2026-01-31T08:00:00.000Z"}
    assert (401, expected) == (response.status_code, response.json())


def test_a_key_is_good_until_it_expires(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"keys": [{"name": "Full access", "expires_at": "2999-01-31T08:00:00Z"}]})
    assert service.get("orgs/org-contoso").status_code == 200


@pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))
def test_a_key_needs_the_operations_permission(service: httpx.Client, emulator: Emulator, operation: Operation) -> None:
    needed = permission(operation)
    set_permissions(emulator, sorted({"read", "write", "billing"} - {needed}))
    response = call(service, operation, "anything")
    expected = {"message": f'the application "Full access" lacks the permission "{needed}"'}
    assert (403, expected) == (response.status_code, response.json())


@pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))
def test_a_key_needs_no_other_permission(service: httpx.Client, emulator: Emulator, operation: Operation) -> None:
    set_permissions(emulator, [permission(operation)])
    assert call(service, operation, "org-contoso").status_code not in {401, 403}


@pytest.mark.parametrize("operation", READS, ids=attrgetter("id"))
def test_the_read_only_key_may_read_everything(reader: httpx.Client, operation: Operation) -> None:
    assert call(reader, operation, "org-contoso").status_code not in {401, 403}


@pytest.mark.parametrize("operation", OF_ORGS, ids=attrgetter("id"))
def test_an_organization_outside_the_keys_subtree_is_forbidden(
    service: httpx.Client, emulator: Emulator, operation: Operation
) -> None:
    emulator.patch(foreign_estate())
    response = call(service, operation, "org-foreign")
    expected = {"message": 'the application "Full access" has no access to the organization "org-foreign"'}
    assert (403, expected) == (response.status_code, response.json())


@pytest.mark.parametrize("operation", OF_TENANTS, ids=attrgetter("id"))
def test_a_tenant_outside_the_keys_subtree_is_forbidden(
    service: httpx.Client, emulator: Emulator, operation: Operation
) -> None:
    emulator.patch(foreign_estate())
    response = call(service, operation, "tenant-foreign")
    expected = {"message": 'the application "Full access" has no access to the tenant "tenant-foreign"'}
    assert (403, expected) == (response.status_code, response.json())


def test_a_parent_outside_the_keys_subtree_is_forbidden(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch(foreign_estate())
    assert service.post("orgs", params={"parent_org_id": "org-foreign"}).status_code == 403


def test_the_parent_of_the_keys_organization_is_outside_its_subtree(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "org_id": "org-alpine"}]})
    assert service.get("orgs/org-meridian").status_code == 403


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("orgs/org-alpine", 200),
        ("orgs/org-contoso", 200),
        ("tenants/tenant-contoso", 200),
        ("orgs/org-harbor", 403),
        ("orgs/org-adatum", 403),
        ("tenants/tenant-adatum", 403),
    ],
)
def test_an_installation_reaches_the_whole_subtree_and_no_more(
    service: httpx.Client, emulator: Emulator, path: str, status: int
) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "org_id": "org-alpine"}]})
    assert status == service.get(path).status_code


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("tenants/tenant-contoso", 200),
        ("tenants/tenant-contoso/policies", 200),
        ("tenants/tenant-adatum", 403),
        ("orgs/org-contoso", 403),
        ("orgs/org-contoso/tenants", 403),
    ],
)
def test_an_installation_for_one_tenant_reaches_that_tenant_alone(
    service: httpx.Client, emulator: Emulator, path: str, status: int
) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "org_id": None, "tenant_id": "tenant-contoso"}]})
    assert status == service.get(path).status_code


def test_several_installations_add_up(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch(
        {
            "installations": [
                {"id": "installation-1", "org_id": "org-alpine"},
                {"id": "installation-9", "key_name": "Full access", "tenant_id": "tenant-adatum"},
            ]
        }
    )
    statuses = [service.get(f"tenants/{tenant}").status_code for tenant in ("tenant-contoso", "tenant-adatum")]
    assert statuses == [200, 200]


def test_organizations_in_a_circle_are_no_endless_loop(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch(
        {
            "orgs": [
                {"id": "org-one", "parent_org_id": "org-two"},
                {"id": "org-two", "parent_org_id": "org-one"},
            ]
        }
    )
    assert service.get("orgs/org-one").status_code == 403
