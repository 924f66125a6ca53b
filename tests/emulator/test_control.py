"""The control plane under /_emulator/."""

import json
from datetime import datetime, timedelta

import httpx
import pytest

from pulumi_dataprotection.emulator import READ_ONLY_KEY
from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from support import Emulator
from support.wire import message

OURS = {"tenant_id": "tenant-contoso", "id": "x"}
PROTECTED = "tenants/tenant-contoso/resources/res-contoso-user-01"
LOOSE_END = {"orgs": [{"id": "org-1"}], "tenants": [{"id": "tenant-1", "org_id": "org-2"}]}
QUOTA = {"tenant_id": "t", "kind": "node"}
NO_SEED = 'a seed is {"seed": NAME}'

NOT_SEEDS: list[object] = [
    *(None, [], {}, {"seed": "demo", "document": {}}),
    *({"seed": name} for name in ("unknown", "large:0x1", 1)),
]
NOT_TIMES: list[object] = [
    *(None, {}),
    *({"advance": seconds} for seconds in ("1", 1e20, 1e12)),
    *({"now": time} for time in ("noon", 5, "0001-01-01T00:00:00Z")),
]

# Documents that are refused as a patch, and as a seed, by a part of the message.
PATCHES: dict[str, object] = {
    "a state document": [],
    'unknown section "people"; there are orgs, tenants, ': {"people": []},
    "orgs must be a": {"orgs": {}},
    "orgs[1] must be a JSON object, not 'org-2'": {"orgs": [{"id": "org-1"}, "org-2"]},
    'orgs[0] ("org-1") has no field colour; it has id, ': {"orgs": [{"id": "org-1", "colour": "red"}]},
    "orgs[1]: id must be a text": {"orgs": [{"id": "org-1"}, {"name": "No id"}]},
    'orgs[0] ("org-1"): name must be a text': {"orgs": [{"id": "org-1", "name": 7}]},
    "name must be a text of whole characters, not '\\ud800'": {"orgs": [{"id": "org-1", "name": "\ud800"}]},
    'orgs ("org-1"): parent_org_id "org-9" names one of orgs that does not exist': {
        "orgs": [{"id": "org-1", "parent_org_id": "org-9"}]
    },
    'protections ("tenant-contoso/x"): tenant_id "tenant-contoso", resource_id "res-9" names one of resources': {
        "protections": [{**OURS, "resource_id": "res-9", "policy_id": "policy-contoso-gold"}]
    },
    'orgs[0] ("org-1"): the record to delete': {"orgs": [{"id": "org-1", "deleted": True}]},
    '("tenant-contoso/x"): archived must be true': {"resources": [{**OURS, "archived": 1}]},
    'resources[0] ("t"): id must be': {"resources": [{"tenant_id": "t", "name": "No id"}]},
    "progress must be an integer, not True": {"tasks": [{**OURS, "progress": True}]},
    f"progress must be an integer, not {2**63}": {"tasks": [{**OURS, "progress": 2**63}]},
    "created_at must be an RFC 3339 time": {"tasks": [{**OURS, "created_at": "now"}]},
    "archives[0] ": {"archives": [{**OURS, "size": str(2**64)}]},
    "size must be a whole number": {"archives": [{**OURS, "size": "-1"}]},
    '("New"): permissions must be a list': {"keys": [{"name": "New", "key": "n", "permissions": "read"}]},
    '("New"): permissions must be': {"keys": [{"name": "New", "permissions": ["\ud800"]}]},
    'keys[0] ("New"): another record has the same key': {"keys": [{"name": "New", "key": READ_ONLY_KEY}]},
    'installations[0] ("new") must satisfy (org_id IS NULL) <> (tenant_id IS NULL)': {
        "installations": [{"id": "new", "key_name": "Read-only"}]
    },
    "": {"\ud800": []},
}
SEEDS = {
    "orgs[0]: id must be a text": {"orgs": [{"name": "No id"}]},
    'orgs[2] ("org-1"): another record has the same id': {"orgs": [{"id": f"org-{number}"} for number in (1, 2, 1, 3)]},
    'quotas[1] ("t/node"): another record has the same tenant_id and kind': {
        "orgs": [{"id": "o"}], "tenants": [{"id": "t", "org_id": "o"}], "quotas": [QUOTA, QUOTA]
    },
    'tenants ("tenant-1"): org_id "org-2" names one of orgs that does not exist': LOOSE_END,
}  # fmt: skip
REFUSED: list[tuple[str, object, str]] = [
    *[("PATCH state", document, reason) for reason, document in PATCHES.items()],
    *[("POST seed", {"document": document}, reason) for reason, document in SEEDS.items()],
    *[("POST seed", body, NO_SEED) for body in NOT_SEEDS],
    *[("POST clock", body, "") for body in NOT_TIMES],
    ("POST faults", {"\ud800": []}, ""),
    ("POST seed", b"nonsense", "the body is not JSON: Expecting value"),
    ("POST clock", b"nonsense", "the body is not JSON: Expecting value"),
    ("POST seed", b"[" * 100_000, "the body is not JSON: maximum recursion depth"),
]


def test_an_unknown_control_path_lists_the_known_ones(control: httpx.Client) -> None:
    names = ["clock", "dialect", "faults", "health", "limits", "openapi.json", "requests", "reset", "seed", "state"]
    known = ", ".join(f"/_emulator/{name}" for name in names)
    assert f"the control plane has no /_emulator/nothing; it has {known}" == message(control.get("nothing"), 404)


def test_the_refusal_of_a_control_method_lists_the_methods(control: httpx.Client) -> None:
    response = control.put("state")
    expected = {"message": "/_emulator/state takes GET, PATCH, not PUT"}
    assert (405, "GET, PATCH", expected) == (response.status_code, response.headers["Allow"], response.json())


def test_a_patched_field_changes_and_the_others_stay(service: httpx.Client, emulator: Emulator) -> None:
    before, protections = service.get(PROTECTED).json(), emulator.state()["protections"]
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": before["id"], "name": "New name"}]})
    assert {**before, "name": "New name"} == service.get(PROTECTED).json()
    assert protections == emulator.state()["protections"]


def test_a_deleted_tenant_takes_all_it_holds_with_it(emulator: Emulator) -> None:
    emulator.patch({"tenants": [{"id": "tenant-contoso", "deleted": True}]})
    left = [record for records in emulator.state().values() for record in records if "contoso" in str(record)]
    assert [record["id"] for record in left] == ["org-contoso"]


@pytest.mark.parametrize(("request_line", "body", "reason"), REFUSED)
def test_an_invalid_body_is_refused(control: httpx.Client, request_line: str, body: object, reason: str) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body)
    assert reason in message(control.request(*request_line.split(), content=content))


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


@pytest.mark.parametrize("seed", [{"seed": "large:1x3"}, {"document": {"orgs": [{"id": "org-root", "name": "Root"}]}}])
def test_a_reset_goes_back_to_the_seed_and_to_the_machines_time(
    control: httpx.Client, emulator: Emulator, seed: dict[str, object]
) -> None:
    control.post("seed", json=seed).raise_for_status()
    before = [org["name"] for org in emulator.state()["orgs"]]
    emulator.patch({"orgs": [{"id": "org-root", "name": "Changed"}, {"id": "org-new"}]})
    emulator.advance(1_000_000)
    control.post("reset").raise_for_status()
    assert before == [org["name"] for org in emulator.state()["orgs"]]
    assert emulator.now() - datetime.now().astimezone() < timedelta(minutes=1)


@pytest.mark.parametrize("name", ["reset", "seed"])
def test_a_new_start_goes_back_to_the_first_dialect_without_faults_and_calls(
    service: httpx.Client, control: httpx.Client, emulator: Emulator, name: str
) -> None:
    emulator.set_dialect("foreign", calls_per_second=0.02)
    service.get("orgs/org-contoso")
    control.post("faults", json={"do": ["status:503"]}).raise_for_status()
    control.post(name, json={"seed": "demo"}).raise_for_status()
    shown = [control.get(path).json() for path in ("dialect", "faults", "limits")]
    assert [PRESETS["published"].model_dump(), [], {}] == shown


def test_the_clock_is_set_and_advances(control: httpx.Client, emulator: Emulator) -> None:
    answer = control.post("clock", json={"now": "2026-01-31T09:00:00+01:00"}).json()
    assert answer["now"].startswith("2026-01-31T08:00:00")
    before = emulator.now()
    emulator.advance(3600)
    assert timedelta(hours=1) <= emulator.now() - before < timedelta(hours=1, minutes=1)


def test_requests_are_logged_in_order_with_their_facts_and_without_the_key(
    service: httpx.Client, control: httpx.Client, emulator: Emulator
) -> None:
    emulator.advance(1_000_000)
    service.get("orgs/org%2Fnowhere")
    service.get("tenants/tenant-contoso/policies", params={"limit": 2, "name": "a b"})
    logged = emulator.requests()
    times = [datetime.fromisoformat(request.pop("at")) for request in logged]
    assert all(timedelta() <= emulator.now() - time < timedelta(minutes=1) for time in times)
    common = {"method": "GET", "key": "Full access", "fault": None}
    nothing: dict[str, str] = {}
    first = {"number": 1, "operation": "get_org", "path": "/api/v1/orgs/org%2Fnowhere", "query": nothing, "status": 404}
    path, query = "/api/v1/tenants/tenant-contoso/policies", {"limit": "2", "name": "a b"}
    second = {"number": 2, "operation": "list_policies", "path": path, "query": query, "status": 200}
    assert [{**common, **first}, {**common, **second}] == logged
    assert emulator.api_key not in control.get("requests").text
    emulator.clear_requests()
    assert emulator.requests() == []


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
