"""The control plane under /_emulator/."""

from datetime import datetime, timedelta

import httpx
import pytest

from support import Emulator
from support.wire import message

PROTECTED = "tenants/tenant-contoso/resources/res-contoso-user-01"


def test_health_needs_no_key(control: httpx.Client) -> None:
    assert control.get("health").json()["status"] == "ok"


def test_an_unknown_control_path_lists_the_known_ones(control: httpx.Client) -> None:
    names = ["clock", "dialect", "faults", "health", "limits", "openapi.json", "requests", "reset", "seed", "state"]
    known = ", ".join(f"/_emulator/{name}" for name in names)
    assert f"the control plane has no /_emulator/nothing; it has {known}" == message(control.get("nothing"), 404)


def test_the_refusal_of_a_control_method_lists_the_methods(control: httpx.Client) -> None:
    response = control.put("state")
    expected = {"message": "/_emulator/state takes GET, PATCH, not PUT"}
    assert (405, "GET, PATCH", expected) == (response.status_code, response.headers["Allow"], response.json())


@pytest.mark.parametrize("name", ["clock", "seed"])
def test_a_control_body_must_be_json(control: httpx.Client, name: str) -> None:
    assert "the body is not JSON: Expecting value" in message(control.post(name, content="nonsense"))


def test_a_patched_field_changes_and_the_others_stay(service: httpx.Client, emulator: Emulator) -> None:
    before = service.get(PROTECTED).json()
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": before["id"], "name": "New name"}]})
    assert {**before, "name": "New name"} == service.get(PROTECTED).json()


def test_a_patched_resource_keeps_its_protection(service: httpx.Client, emulator: Emulator) -> None:
    before = service.get("tenants/tenant-contoso/protections").json()
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "res-contoso-user-01", "archived": True}]})
    assert before == service.get("tenants/tenant-contoso/protections").json()


def test_a_patched_record_with_a_new_key_is_new(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"policies": [{"tenant_id": "tenant-contoso", "id": "policy-new", "name": "Platinum"}]})
    items = service.get("tenants/tenant-contoso/policies?name=Platinum").json()["items"]
    assert [policy["id"] for policy in items] == ["policy-new"]


def test_a_deleted_tenant_takes_all_it_holds_with_it(emulator: Emulator) -> None:
    emulator.patch({"tenants": [{"id": "tenant-contoso", "deleted": True}]})
    left = [record for records in emulator.state().values() for record in records if "contoso" in str(record)]
    assert [record["id"] for record in left] == ["org-contoso"]


def test_a_deleted_resource_takes_its_protection_with_it(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "res-contoso-user-01", "deleted": True}]})
    parameters = {"resource_id": "res-contoso-user-01"}
    assert service.get("tenants/tenant-contoso/protections", params=parameters).json()["items"] == []


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ([], "a state document must be a JSON object"),
        ({"people": []}, 'unknown section "people"; there are orgs, tenants, '),
        ({"orgs": {}}, "orgs must be a list of records"),
        ({"orgs": ["org-1"]}, "orgs must be a list of records"),
        ({"orgs": [{"id": "org-1", "colour": "red"}]}, "orgs[0] has no field colour"),
        ({"orgs": [{"name": "No id"}]}, "orgs[0].id must be a text, not None"),
        ({"orgs": [{"id": "org-1", "name": 7}]}, "orgs[0].name must be a text, not 7"),
        ({"orgs": [{"id": "org-1", "parent_org_id": "org-nowhere"}]}, "orgs: a record names one of orgs that is not"),
        ({"orgs": [{"id": "org-1", "deleted": True}]}, "orgs[0]: the record to delete does not exist"),
        ({"resources": [{"tenant_id": "tenant-contoso", "id": "x", "archived": 1}]}, "must be true or false, not 1"),
        ({"tasks": [{"tenant_id": "tenant-contoso", "id": "x", "progress": True}]}, "must be an integer, not True"),
        ({"tasks": [{"tenant_id": "tenant-contoso", "id": "x", "progress": 2**63}]}, "must be an integer, not"),
        ({"tasks": [{"tenant_id": "tenant-contoso", "id": "x", "created_at": "now"}]}, "must be an RFC 3339 time"),
        ({"archives": [{"tenant_id": "tenant-contoso", "id": "x", "size": str(2**64)}]}, "must be a whole number"),
        ({"archives": [{"tenant_id": "tenant-contoso", "id": "x", "size": "-1"}]}, "must be a whole number"),
        ({"keys": [{"name": "New", "key": "new", "permissions": "read"}]}, "must be a list of texts, not 'read'"),
        ({"keys": [{"name": "New", "key": "emulator-read-only-key-8e2f7a"}]}, "keys: UNIQUE constraint failed"),
        ({"installations": [{"id": "new", "key_name": "Read-only"}]}, "installations: CHECK constraint failed"),
    ],
)
def test_a_document_that_is_not_valid_is_refused(control: httpx.Client, document: object, reason: str) -> None:
    assert reason in message(control.patch("state", json=document))


def test_a_text_that_is_no_unicode_is_refused(control: httpx.Client) -> None:
    document = r'{"orgs": [{"id": "org-1", "name": "\ud800"}]}'
    assert "orgs: 'utf-8' codec can't encode" in message(control.patch("state", content=document))


@pytest.mark.parametrize(("method", "name"), [("PATCH", "state"), ("POST", "faults")])
def test_a_name_that_is_no_unicode_is_refused(control: httpx.Client, method: str, name: str) -> None:
    assert control.request(method, name, content=r'{"\ud800": []}').status_code == 400


def test_a_body_that_is_nested_too_deeply_is_refused(control: httpx.Client) -> None:
    assert "the body is not JSON: maximum recursion depth" in message(control.post("seed", content="[" * 100_000))


LOOSE_END = {"orgs": [{"id": "org-1"}], "tenants": [{"id": "tenant-1", "org_id": "org-2"}]}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [("PATCH", "state", LOOSE_END), ("POST", "seed", {"document": LOOSE_END}), ("POST", "clock", {"advance": 1e12})],
)
def test_a_refused_change_changes_nothing(
    control: httpx.Client, emulator: Emulator, method: str, path: str, body: object
) -> None:
    emulator.advance(1_000_000)
    before = emulator.state()
    assert control.request(method, path, json=body).status_code == 400
    assert before == emulator.state()
    assert timedelta() < emulator.now() - datetime.now().astimezone() - timedelta(days=11) < timedelta(days=1)


def test_a_seed_with_a_record_without_its_key_is_refused(control: httpx.Client) -> None:
    response = control.post("seed", json={"document": {"orgs": [{"name": "No id"}]}})
    assert message(response) == "orgs[0].id must be a text, not None"


def test_a_seed_with_one_record_twice_is_refused(control: httpx.Client) -> None:
    document = {"orgs": [{"id": "org-1"}, {"id": "org-1"}]}
    assert "orgs: UNIQUE constraint failed" in message(control.post("seed", json={"document": document}))


@pytest.mark.parametrize(
    "body",
    [None, [], {}, {"seed": "unknown"}, {"seed": "large:0x1"}, {"seed": 1}, {"seed": "demo", "document": {}}],
)
def test_an_invalid_seed_is_refused(control: httpx.Client, body: object) -> None:
    assert message(control.post("seed", json=body)).startswith('a seed is {"seed": NAME}')


def test_the_state_as_a_seed_is_the_same_state(
    control: httpx.Client, service: httpx.Client, emulator: Emulator
) -> None:
    service.put("tenants/tenant-contoso/jobs/job-contoso-01/trigger").raise_for_status()
    before = emulator.state()
    control.post("seed", json={"document": before}).raise_for_status()
    assert before == emulator.state()


def test_a_reset_goes_back_to_the_seed(control: httpx.Client, emulator: Emulator) -> None:
    control.post("seed", json={"seed": "large:1x3"}).raise_for_status()
    before = [resource["id"] for resource in emulator.state()["resources"]]
    emulator.patch({"resources": [{"tenant_id": "tenant-0001", "id": "res-new"}]})
    control.post("reset").raise_for_status()
    assert before == [resource["id"] for resource in emulator.state()["resources"]]


def test_a_reset_goes_back_to_a_seeded_document(control: httpx.Client, emulator: Emulator) -> None:
    document = {"orgs": [{"id": "org-1", "name": "Only one"}]}
    control.post("seed", json={"document": document}).raise_for_status()
    emulator.patch({"orgs": [{"id": "org-1", "name": "Changed"}]})
    control.post("reset").raise_for_status()
    assert [org["name"] for org in emulator.state()["orgs"]] == ["Only one"]


def test_a_reset_goes_back_to_the_machines_time(control: httpx.Client, emulator: Emulator) -> None:
    emulator.advance(1_000_000)
    control.post("reset").raise_for_status()
    assert emulator.now() - datetime.now().astimezone() < timedelta(minutes=1)


def test_the_clock_advances(emulator: Emulator) -> None:
    before = emulator.now()
    emulator.advance(3600)
    assert timedelta(hours=1) <= emulator.now() - before < timedelta(hours=1, minutes=1)


def test_the_clock_is_set_and_runs_on(control: httpx.Client) -> None:
    answer = control.post("clock", json={"now": "2026-01-31T09:00:00+01:00"}).json()
    assert answer["now"].startswith("2026-01-31T08:00:00")


@pytest.mark.parametrize(
    "body",
    [
        None,
        {},
        {"advance": "1"},
        {"advance": 1e20},
        {"advance": 1e12},
        {"now": "noon"},
        {"now": 5},
        {"now": "0001-01-01T00:00:00Z"},
    ],
)
def test_an_invalid_time_is_refused_by_the_clock(control: httpx.Client, body: object) -> None:
    assert control.post("clock", json=body).status_code == 400


def test_requests_are_logged_in_order_with_all_that_identifies_them(service: httpx.Client, emulator: Emulator) -> None:
    service.get("orgs/org%2Fnowhere")
    service.get("tenants/tenant-contoso/policies", params={"limit": 2, "name": "a b"})
    logged = [{name: value for name, value in request.items() if name != "at"} for request in emulator.requests()]
    common = {"method": "GET", "key": "Full access", "fault": None}
    nothing: dict[str, str] = {}
    first = {"number": 1, "operation": "get_org", "path": "/api/v1/orgs/org%2Fnowhere", "query": nothing, "status": 404}
    path, query = "/api/v1/tenants/tenant-contoso/policies", {"limit": "2", "name": "a b"}
    second = {"number": 2, "operation": "list_policies", "path": path, "query": query, "status": 200}
    assert [{**common, **first}, {**common, **second}] == logged


def test_requests_are_logged_at_the_services_time(service: httpx.Client, emulator: Emulator) -> None:
    emulator.advance(1_000_000)
    service.get("orgs/org-contoso")
    (request,) = emulator.requests()
    assert abs(emulator.now() - datetime.fromisoformat(request["at"])) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [("GET", "nothing", (None, 404)), ("DELETE", "orgs", (None, 405)), ("GET", "orgs/x", ("get_org", 401))],
    ids=["unknown path", "wrong method", "no key"],
)
def test_refused_requests_are_logged_too(
    stranger: httpx.Client, emulator: Emulator, method: str, path: str, expected: tuple[str | None, int]
) -> None:
    stranger.request(method, path)
    (request,) = emulator.requests()
    assert (*expected, None) == (request["operation"], request["status"], request["key"])


def test_a_key_is_never_in_the_log(service: httpx.Client, control: httpx.Client, emulator: Emulator) -> None:
    service.get("orgs/org-contoso")
    assert emulator.api_key not in control.get("requests").text


def test_control_requests_are_not_logged(control: httpx.Client, emulator: Emulator) -> None:
    control.get("health")
    assert emulator.requests() == []


def test_the_log_can_be_emptied(service: httpx.Client, emulator: Emulator) -> None:
    service.get("orgs/org-contoso")
    emulator.clear_requests()
    assert emulator.requests() == []


def test_writes_are_the_requests_that_are_no_variant(service: httpx.Client, emulator: Emulator) -> None:
    service.get("orgs/org-contoso")
    service.post("orgs", params={"name": "Fabrikam"})
    assert [request["operation"] for request in emulator.writes()] == ["create_org"]
