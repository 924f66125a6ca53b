"""A deleted tenant takes no call for each member: a deletion forgets all members, a refresh fails."""

from collections import Counter

import pytest

from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from support import Emulator
from support.resources.arguments import members, state
from support.resources.contoso import GOLD, TENANT, delete_tenant, user
from support.resources.scripted import ScriptedServer, reply
from support.resources.servicer import Properties, Servicer, assert_names, failure_of
from support.scripted import page

LIST, READ = f"GET /api/v1/tenants/{TENANT}/protections", f"GET /api/v1/tenants/{TENANT}"
INSTALLATIONS = "GET /api/v1/applications/me/installations"
PROOF = {"list_protections": 1, "get_tenant": 1, "list_installations": 1}
THREADS, REFUSED = 4, 400


def outputs(count: int) -> Properties:
    """Return the state of a set with a number of members."""
    protected = {f"res-{number}": GOLD for number in range(count)}
    return {**members(), "protected": protected, "adopted": {user(1): GOLD}, "schema_version": 2}


def calls(emulator: Emulator) -> dict[str, int]:
    """Return the number of calls of each operation, without further pages and refused page sizes."""
    requests = [one for one in emulator.requests() if "page_token" not in one["query"] and one["status"] != REFUSED]
    return dict(Counter(one["operation"] for one in requests))


@pytest.fixture(params=PRESETS)
def deleted(request: pytest.FixtureRequest, emulator: Emulator) -> Emulator:
    """An emulator without the tenant, in each preset."""
    emulator.set_dialect(request.param)
    delete_tenant(emulator)
    emulator.clear_requests()
    return emulator


@pytest.mark.parametrize("count", [3, 30, 1000])
def test_a_deletion_costs_the_proof_that_the_tenant_is_gone(hurried: Servicer, deleted: Emulator, count: int) -> None:
    hurried.run(deleted, concurrency="1").protection_set.delete(TENANT, outputs(count))
    assert PROOF == calls(deleted)


def test_threads_side_by_side_need_few_calls_more(hurried: Servicer, deleted: Emulator) -> None:
    hurried.run(deleted).protection_set.delete(TENANT, outputs(1000))
    assert sum(calls(deleted).values()) <= THREADS * len(PROOF)


def test_deletions_of_many_protections_share_the_proof(hurried: Servicer, deleted: Emulator) -> None:
    run = hurried.run(deleted)
    for number in range(100):
        run.protection.delete(f"{TENANT}/{user(number)}", state(user(number), GOLD, GOLD))
    assert PROOF == calls(deleted)


def test_a_refresh_fails_at_the_first_member(hurried: Servicer, deleted: Emulator) -> None:
    wire = hurried.run(deleted).protection_set
    failure = failure_of(wire.read, TENANT, outputs(1000), members(*outputs(1000)["protected"]))
    assert_names(failure, "404", TENANT)
    assert PROOF == calls(deleted)


@pytest.mark.parametrize("record", [{"deleted": True}, {"status": "Terminated"}, {"state": "DELETED"}], ids=str)
def test_the_record_of_a_deleted_tenant_is_proof_without_a_list(hurried: Servicer, record: Properties) -> None:
    script = {
        LIST: [reply(404, {"message": "not found"})],
        READ: [reply(200, {"id": TENANT, **record})],
        INSTALLATIONS: [page({"id": "i-1", "org_id": "org-1"})],
    }
    with ScriptedServer(script) as server:
        hurried.run(server, concurrency="1").protection_set.delete(TENANT, outputs(100))
        assert ([], 3) == (server.writes, len(server.requests))
        wire = hurried.run(server, concurrency="1").protection_set
        failure_of(wire.read, TENANT, outputs(100), members(*outputs(100)["protected"]))


@pytest.mark.parametrize("refusal", ["not_found", "forbidden"])
def test_a_tenant_whose_record_outlives_its_content_is_gone(
    hurried: Servicer, emulator: Emulator, refusal: str
) -> None:
    emulator.set_dialect(deleted_tenant=refusal)
    emulator.patch({"tenants": [{"id": TENANT, "terminated": True}]})
    hurried.run(emulator, concurrency="1").protection_set.delete(TENANT, outputs(30))
    assert PROOF == calls(emulator)
    wire = hurried.run(emulator, concurrency="1").protection_set
    failure_of(wire.read, TENANT, outputs(30), members(*outputs(30)["protected"]))


@pytest.mark.parametrize("status", [403, 404])
@pytest.mark.parametrize("record", [{}, {"deleted": False}, {"status": "active"}], ids=str)
def test_members_of_an_existing_tenant_are_not_forgotten(hurried: Servicer, record: Properties, status: int) -> None:
    script = {LIST: [reply(status, {"message": "no"})], READ: [reply(200, {"id": TENANT, **record})]}
    with ScriptedServer(script) as server:
        failure = failure_of(hurried.run(server).protection_set.delete, TENANT, outputs(30))
        assert_names(failure, "unprotect", TENANT)
        assert [] == server.writes


def test_another_service_without_installations_forgets_no_member(hurried: Servicer) -> None:
    with ScriptedServer({INSTALLATIONS: [page()]}) as server:
        assert_names(failure_of(hurried.run(server).protection_set.delete, TENANT, outputs(30)), "base URL")
