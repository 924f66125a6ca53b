"""Keys, permissions and the reach of an installation, for each operation."""

from operator import attrgetter

import httpx
import pytest

from pulumi_dataprotection.spec import OPERATIONS, Operation
from support import Emulator
from support.emulator.cases import case, each_case
from support.wire import call, message

READS = [operation for operation in OPERATIONS if not operation.writes]
FOREIGN = {
    "orgs": [{"id": "org-foreign", "name": "Foreign"}],
    "tenants": [{"id": "tenant-foreign", "org_id": "org-foreign", "name": "Foreign"}],
}
ALPINE = {"installations": [{"id": "installation-1", "org_id": "org-alpine"}]}
CONTOSO = {"installations": [{"id": "installation-1", "org_id": None, "tenant_id": "tenant-contoso"}]}
ADATUM_TOO = {"installations": [{"id": "installation-9", "key_name": "Full access", "tenant_id": "tenant-adatum"}]}
BELOW_ALPINE = ["orgs/org-alpine", "orgs/org-contoso", "tenants/tenant-contoso"]
BESIDE_ALPINE = ["orgs/org-meridian", "orgs/org-harbor", "orgs/org-adatum", "tenants/tenant-adatum"]
IN_CONTOSO = ["tenants/tenant-contoso", "tenants/tenant-contoso/policies"]
OUTSIDE_CONTOSO = ["tenants/tenant-adatum", "orgs/org-contoso", "orgs/org-contoso/tenants"]
CIRCLE = {"orgs": [{"id": "org-one", "parent_org_id": "org-two"}, {"id": "org-two", "parent_org_id": "org-one"}]}

each_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))


def about(client: httpx.Client, operation: Operation, entity: str) -> tuple[int, str]:
    """Send an operation about an organization or tenant; return the status, and the message of a refusal."""
    changed = dict.fromkeys(operation.path_parameters[:1], entity)
    response = call(client, operation, **changed)
    return response.status_code, response.json().get("message", "")


def permission(operation: Operation) -> str:
    if operation.writes:
        return "write"
    return "billing" if operation.number in {6, 7} else "read"


def set_permissions(emulator: Emulator, permissions: list[str]) -> None:
    emulator.patch({"keys": [{"name": "Full access", "permissions": permissions}]})


def expires(time: str) -> dict[str, list[dict[str, object]]]:
    return {"keys": [{"name": "Full access", "expires_at": time}]}


@each_operation
def test_a_request_without_a_key_is_unauthenticated(stranger: httpx.Client, operation: Operation) -> None:
    assert (401, "the request has no API key in its Authorization header") == about(stranger, operation, "anything")


def test_a_key_in_another_case_is_unauthenticated(stranger: httpx.Client, emulator: Emulator) -> None:
    response = stranger.get("orgs/org-contoso", headers={"Authorization": emulator.api_key.upper()})
    assert message(response, 401) == "the API key is not valid"


@each_operation
def test_a_key_needs_the_operations_permission(service: httpx.Client, emulator: Emulator, operation: Operation) -> None:
    needed = permission(operation)
    set_permissions(emulator, sorted({"read", "write", "billing"} - {needed}))
    expected = f'the application "Full access" lacks the permission "{needed}"'
    assert (403, expected) == about(service, operation, "anything")


@each_operation
def test_a_key_needs_no_other_permission(service: httpx.Client, emulator: Emulator, operation: Operation) -> None:
    set_permissions(emulator, [permission(operation)])
    assert about(service, operation, "org-contoso")[0] not in {401, 403}


@pytest.mark.parametrize("operation", READS, ids=attrgetter("id"))
def test_the_read_only_key_may_read_everything(reader: httpx.Client, operation: Operation) -> None:
    assert about(reader, operation, "org-contoso")[0] not in {401, 403}


test_an_answer_about_access = each_case(
    {
        **{f"below org-alpine: {path}": case(ALPINE, f"GET {path}") for path in BELOW_ALPINE},
        **{f"beside org-alpine: {path}": case(ALPINE, f"GET {path}", status=403) for path in BESIDE_ALPINE},
        **{f"in a tenant: {path}": case(CONTOSO, f"GET {path}") for path in IN_CONTOSO},
        **{f"outside a tenant: {path}": case(CONTOSO, f"GET {path}", status=403) for path in OUTSIDE_CONTOSO},
        "an expired key": case(
            expires("2026-01-31T08:00:00Z"),
            "GET orgs/org-contoso",
            status=401,
            answer="the API key expired at 2026-01-31T08:00:00.000Z",
        ),
        "a key that expires later": case(expires("2999-01-31T08:00:00Z"), "GET orgs/org-contoso"),
        "a parent outside the subtree": case(FOREIGN, "POST orgs?parent_org_id=org-foreign", status=403),
        "the first of two installations": case(ALPINE, ADATUM_TOO, "GET tenants/tenant-contoso"),
        "the second of two installations": case(ALPINE, ADATUM_TOO, "GET tenants/tenant-adatum"),
        "organizations in a circle": case(CIRCLE, "GET orgs/org-one", status=403),
    }
)
