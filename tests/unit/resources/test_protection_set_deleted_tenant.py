"""A deleted tenant takes no call for each member: a destroy forgets all members, a refresh fails."""

from collections import Counter

import pytest

from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from support import Emulator
from support.resources.contoso import GOLD, TENANT, user
from support.resources.runs import protection
from support.resources.scripted import ScriptedServer, items, reply
from support.resources.servicer import OperationError, Properties, Run, Servicer
from support.resources.sets import members

LIST, READ = f"GET /api/v1/tenants/{TENANT}/protections", f"GET /api/v1/tenants/{TENANT}"
INSTALLATIONS = "GET /api/v1/applications/me/installations"
PROOF = {"list_protections": 1, "get_tenant": 1, "list_installations": 1}
THREADS, REFUSED = 4, 400


def outputs(count: int) -> Properties:
    """The state of a set with this number of members."""
    protected = {f"res-{number}": GOLD for number in range(count)}
    return {**members(), "protected": protected, "adopted": {user(1): GOLD}, "schema_version": 1}


def calls(emulator: Emulator) -> dict[str, int]:
    """The number of calls of each operation, without further pages and refused page sizes."""
    requests = [one for one in emulator.requests() if "page_token" not in one["query"] and one["status"] != REFUSED]
    return dict(Counter(one["operation"] for one in requests))


def begin(servicer: Servicer, emulator: Emulator, **config: str) -> Run:
    return servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url, **config})


@pytest.fixture(params=PRESETS)
def deleted(request: pytest.FixtureRequest, emulator: Emulator) -> Emulator:
    """An emulator without the tenant, in each preset."""
    emulator.set_dialect(request.param)
    emulator.patch({"tenants": [{"id": TENANT, "deleted": True}]})
    emulator.clear_requests()
    return emulator


@pytest.mark.parametrize("count", [3, 30, 1000])
def test_a_set_is_forgotten_with_the_calls_that_prove_the_deletion(
    hurried: Servicer, deleted: Emulator, count: int
) -> None:
    begin(hurried, deleted, concurrency="1").protection_set.delete(TENANT, outputs(count))
    assert PROOF == calls(deleted)


def test_threads_side_by_side_need_few_calls_more(hurried: Servicer, deleted: Emulator) -> None:
    begin(hurried, deleted).protection_set.delete(TENANT, outputs(1000))
    assert sum(calls(deleted).values()) <= THREADS * len(PROOF)


def test_many_protections_of_one_tenant_are_forgotten_together(hurried: Servicer, deleted: Emulator) -> None:
    run = begin(hurried, deleted)
    for number in range(100):
        state = {**protection(user(number)), "resource_id": user(number), "policy_id": GOLD, "own_policy_id": GOLD}
        run.protection.delete(f"{TENANT}/{user(number)}", {**state, "schema_version": 1})
    assert PROOF == calls(deleted)


def test_a_refresh_fails_at_the_first_member(hurried: Servicer, deleted: Emulator) -> None:
    with pytest.raises(OperationError, match="The tenant is not there"):
        begin(hurried, deleted).protection_set.read(TENANT, outputs(1000), members(*outputs(1000)["protected"]))
    assert PROOF == calls(deleted)


RECORDS = [{"deleted": True}, {"status": "Terminated"}, {"state": "DELETED"}]


@pytest.mark.parametrize("record", RECORDS, ids=str)
def test_a_record_that_says_so_counts_where_the_list_is_not_found(hurried: Servicer, record: Properties) -> None:
    script = {
        LIST: [reply(404, {"message": "not found"})],
        READ: [reply(200, {"id": TENANT, **record})],
        INSTALLATIONS: [items({"id": "i-1", "org_id": "org-1"})],
    }
    with ScriptedServer(script) as server:
        config = {"apiKey": "key", "baseUrl": server.url, "concurrency": "1"}
        hurried.run(config).protection_set.delete(TENANT, outputs(100))
        assert ([], 3) == (server.writes, len(server.requests))
        with pytest.raises(OperationError, match="The tenant is not there"):
            hurried.run(config).protection_set.read(TENANT, outputs(100), members(*outputs(100)["protected"]))


@pytest.mark.parametrize("record", [{}, {"deleted": False}, {"status": "active"}], ids=str)
def test_a_tenant_that_exists_is_not_forgotten_where_the_list_is_not_found(
    hurried: Servicer, record: Properties
) -> None:
    script = {LIST: [reply(404, {"message": "not found"})], READ: [reply(200, {"id": TENANT, **record})]}
    with ScriptedServer(script) as server:
        wire = hurried.run({"apiKey": "key", "baseUrl": server.url}).protection_set
        with pytest.raises(OperationError, match="cannot unprotect all members"):
            wire.delete(TENANT, outputs(30))
        assert [] == server.writes


def test_what_is_not_the_service_forgets_nothing(hurried: Servicer) -> None:
    script = {INSTALLATIONS: [items()]}
    with ScriptedServer(script) as server:
        wire = hurried.run({"apiKey": "key", "baseUrl": server.url}).protection_set
        with pytest.raises(OperationError, match="check the base URL"):
            wire.delete(TENANT, outputs(30))
