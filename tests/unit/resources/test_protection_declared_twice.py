"""What the resources of one run know of each other: nothing is declared twice, and nobody takes off what another wants.

The engine asks about one resource after the other: check and diff of each, then what is to be created and updated, and
at last what is to be deleted.
"""

from pathlib import Path

import pytest
from google.protobuf.empty_pb2 import Empty  # type: ignore[import-untyped]  # generated code without types

from support import Emulator
from support.history import policies_on
from support.resources.runs import (
    GOLD,
    HANNAH,
    JANE,
    JANE_ID,
    SILVER,
    TENANT,
    called,
    inputs_of,
    protection,
    state,
    told,
)
from support.resources.scripted import Reply, ScriptedServer, items, reply
from support.resources.servicer import Engine, OperationError, Properties, Run, Servicer

SHOP = {"external_id": "crm-7", "name": "Shop", "parent_org_id": "org-alpine"}


@pytest.mark.parametrize("reference", [JANE, "jane.doe@contoso.example"])
def test_a_protection_that_is_declared_twice_fails_in_the_check(run: Run, reference: str) -> None:
    called(run.protection, "first").check({}, protection())
    failures = called(run.protection, "second").check({}, protection(reference)).failures
    reason = f'jane.doe@contoso.example ({JANE}) is declared twice, also by the resource "first": keep one of them'
    assert [("resource", reason)] == failures


def test_a_protection_that_is_checked_again_is_not_declared_twice(run: Run) -> None:
    assert [[], []] == [called(run.protection, "first").check({}, protection()).failures for _ in range(2)]


def test_protections_that_swap_their_resources_are_not_declared_twice(run: Run, emulator: Emulator) -> None:
    emulator.patch({"protections": [{"tenant_id": TENANT, "id": "p-9", "resource_id": HANNAH, "policy_id": SILVER}]})
    for name, olds, news in (("a", JANE, HANNAH), ("b", HANNAH, JANE)):
        checked = called(run.protection, name).check(inputs_of(state(olds)), protection(news))
        assert [] == checked.failures
        assert ["resource"] == run.protection.diff(f"{TENANT}/{olds}", state(olds), checked.inputs).replaces
    made = [called(run.protection, name).create(protection(news)) for name, news in (("a", HANNAH), ("b", JANE))]
    for name, olds in (("a", JANE), ("b", HANNAH)):
        called(run.protection, name).delete(f"{TENANT}/{olds}", state(olds))
    assert ([[SILVER], [SILVER]], []) == ([policies_on(emulator, id) for id in (JANE, HANNAH)], emulator.writes())
    assert [SILVER, SILVER] == [outs["own_policy_id"] for _, outs in made], "who made it is forgotten"


def test_what_is_declared_twice_is_not_created_where_nothing_is_checked(servicer: Servicer, emulator: Emulator) -> None:
    run = servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url, "previewChecks": "false"})
    called(run.protection, "first").create(protection(HANNAH))
    with pytest.raises(OperationError, match='declared twice, also by the resource "first"'):
        called(run.protection, "second").create(protection(HANNAH, "Gold", on_conflict="take_over"))
    assert [SILVER] == policies_on(emulator, HANNAH)


def test_an_organization_that_is_declared_twice_fails_in_the_check(run: Run) -> None:
    called(run.org, "first").check({}, SHOP)
    failures = called(run.org, "second").check({}, SHOP).failures
    assert [("external_id", '"crm-7" is declared twice, also by the resource "first": keep one of them')] == failures


def test_an_organization_of_the_state_is_declared_once_too(run: Run) -> None:
    called(run.org, "first").check(SHOP, SHOP)
    assert ["external_id"] == [name for name, _ in called(run.org, "second").check({}, SHOP).failures]


def test_an_organization_is_not_created_twice_where_nothing_is_checked(servicer: Servicer, emulator: Emulator) -> None:
    run = servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url, "previewChecks": "false"})
    called(run.org, "first").create(SHOP)
    with pytest.raises(OperationError, match='declared twice, also by the resource "first"'):
        called(run.org, "second").create(SHOP)


def test_a_protection_renamed_in_the_program_stays_and_that_is_told(
    run: Run, emulator: Emulator, engine: Engine
) -> None:
    called(run.protection, "new").check({}, protection())
    run.protection.create(protection())
    called(run.protection, "old").delete(JANE_ID, state())
    assert ([SILVER], []) == (policies_on(emulator, JANE), emulator.writes())
    assert [f'old: {JANE} in tenant {TENANT} stays protected: the resource "new" declares it now.'] == told(engine)


def inputs_of_a_replacement(run: Run) -> Properties:
    """Change the policy where the program says that this replaces the resource: the engine checks a second time."""
    checked = run.protection.check(inputs_of(state()), protection(policy="Gold"))
    run.protection.diff(JANE_ID, state(), checked.inputs)
    again = run.protection.check({}, protection(policy="Gold"))
    assert [] == again.failures
    return again.inputs


def test_a_policy_that_replaces_its_own_protection_is_swapped_in_place(
    run: Run, emulator: Emulator, engine: Engine
) -> None:
    _, outs = run.protection.create(inputs_of_a_replacement(run))
    run.protection.delete(JANE_ID, state())
    assert ([GOLD], GOLD, []) == (policies_on(emulator, JANE), outs["own_policy_id"], told(engine))


def test_a_protection_that_is_deleted_before_it_is_replaced_stays_until_then(
    run: Run, emulator: Emulator, engine: Engine
) -> None:
    inputs = inputs_of_a_replacement(run)
    run.protection.delete(JANE_ID, state())
    assert ([SILVER], []) == (policies_on(emulator, JANE), emulator.writes())
    run.protection.create(inputs)
    assert ([GOLD], []) == (policies_on(emulator, JANE), told(engine))


def test_a_policy_that_would_be_taken_over_is_told(run: Run, engine: Engine) -> None:
    checked = run.protection.check({}, protection(policy="Gold", on_conflict="take_over"))
    expected = f'jane: takes jane.doe@contoso.example ({JANE}) over from policy "Silver" ({SILVER}).'
    assert ([], [expected]) == (checked.failures, told(engine))


def test_a_protection_that_is_archived_by_now_is_told(run: Run, emulator: Emulator, engine: Engine) -> None:
    emulator.patch({"resources": [{"tenant_id": TENANT, "id": JANE, "archived": True}]})
    assert [] == run.protection.check(inputs_of(state()), protection()).failures
    (message,) = told(engine)
    assert message.startswith(f"jane: jane.doe@contoso.example ({JANE}) is archived: it is not backed up any more")


def test_a_tenant_that_only_its_policies_show_to_be_gone_fails_in_the_check(run: Run) -> None:
    inputs = {**protection(), "tenant_id": "tenant-nowhere"}
    failures = run.protection.check({}, {**inputs, "resource": "04da6b54-80e4-46f7-96ec-b56ff0331ba9"}).failures
    assert ["tenant_id"] == [name for name, _ in failures]


def test_a_resource_that_is_gone_is_not_protected_where_nothing_is_checked(
    servicer: Servicer, emulator: Emulator
) -> None:
    run = servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url, "previewChecks": "false"})
    with pytest.raises(OperationError, match='no resource "nobody"'):
        run.protection.create(protection("nobody"))
    with pytest.raises(OperationError, match='no resource "nobody"'):
        run.protection.update(JANE_ID, state(), protection("nobody", "Gold"))
    assert [] == emulator.writes()


RESOURCE = {"id": "r-1", "name": "jane", "kind": "office_user", "archived": False}
POLICIES = items({"id": "p-1", "name": "Gold"}, {"id": "p-2", "name": "Silver"})
OTHERS = {"id": "prot-9", "resource_id": "r-1", "policy_id": "p-2", "job_id": "job-9"}
PROTECTIONS = "GET /api/v1/tenants/t-1/protections"
PROTECT = "POST /api/v1/tenants/t-1/resources/r-1/protect"


@pytest.mark.parametrize(
    ("there", "reason"),
    [
        (items(OTHERS), 'jane (r-1) is protected with policy "Silver" (p-2) already, and this asks for "Gold" (p-1)'),
        (items(), "no licence is left"),
    ],
    ids=["somebody was faster", "another reason"],
)
def test_a_refusal_says_which_policy_is_in_the_way_where_one_is(servicer: Servicer, there: Reply, reason: str) -> None:
    script = {
        "GET /api/v1/tenants/t-1/resources": [items(RESOURCE)],
        "GET /api/v1/tenants/t-1/policies": [POLICIES],
        PROTECTIONS: [items(), there],
        PROTECT: [reply(409, {"message": "no licence is left"})],
    }
    inputs = {**protection("r-1", "Gold"), "tenant_id": "t-1"}
    with ScriptedServer(script) as server:
        run = servicer.run({"apiKey": "key", "baseUrl": server.url})
        with pytest.raises(OperationError) as raised:
            run.protection.create(inputs)
    assert reason in str(raised.value)
    assert str(raised.value).startswith('cannot protect jane in tenant t-1 with policy "Gold"')


def test_after_a_cancel_nothing_more_is_sent(tmp_path: Path, emulator: Emulator) -> None:
    with Servicer(tmp_path / "log") as servicer:
        run = servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})
        run.org.get("org-northwind")
        servicer.stub.Cancel(Empty())
        with pytest.raises(OperationError, match="interrupted: nothing more was sent"):
            run.org.get("org-northwind")
    assert ["get_org"] == [request["operation"] for request in emulator.requests()]
