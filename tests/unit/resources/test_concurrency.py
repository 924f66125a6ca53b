"""Many calls at once, as an engine with many resources sends them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from support import HANG, Emulator
from support.resources.servicer import Run

TENANT = "tenant-contoso"
SILVER = "policy-contoso-silver"


def create_protection(run: Run, resource_id: str) -> str:
    inputs = {
        "tenant_id": TENANT,
        "resource": resource_id,
        "policy": "Gold",
        "on_conflict": "fail",
        "on_destroy": "unprotect",
    }
    id, outs = run.protection.create(inputs)
    return f"created {id} {outs['resource_id']} {outs['policy_id']}"


def read_protection(run: Run, resource_id: str) -> str:
    id, outs, _ = run.protection.get(f"{TENANT}/{resource_id}")
    return f"read {id} {outs['resource_id']}"


def delete_protection(run: Run, number: int, policy_id: str) -> str:
    id = f"{TENANT}/res-contoso-drive-0{number}"
    run.protection.delete(id, {"own_policy_id": policy_id, "resource": "a drive", "schema_version": 1})
    return f"deleted {id}"


def create_org(run: Run, number: int) -> str:
    external_id = f"crm-{number}"
    _, outs = run.org.create({"external_id": external_id, "name": f"Shop {number}", "parent_org_id": "org-alpine"})
    return f"created {outs['external_id']} {outs['name']}"


def read_org(run: Run, id: str) -> str:
    return f"read {run.org.get(id).outs['name']}"


def delete_org(run: Run, number: int) -> str:
    run.org.delete(f"org-{number}", {"name": f"Shop {number}"})
    return f"deleted {number}"


def calls(run: Run) -> dict[str, Callable[[], str]]:
    """Forty calls, each by the answer that belongs to it."""
    free = [f"res-contoso-user-{number:02}" for number in range(9, 21)]
    protected = [f"res-contoso-user-{number:02}" for number in range(1, 9)]
    orgs = {"org-northwind": "Northwind Traders", "org-contoso": "Contoso", "org-adatum": "Adatum"}
    return {
        **{
            f"created {TENANT}/{resource} {resource} policy-contoso-gold": partial(create_protection, run, resource)
            for resource in free
        },
        **{f"read {TENANT}/{resource} {resource}": partial(read_protection, run, resource) for resource in protected},
        f"deleted {TENANT}/res-contoso-drive-01": partial(delete_protection, run, 1, "policy-contoso-gold"),
        f"deleted {TENANT}/res-contoso-drive-02": partial(delete_protection, run, 2, SILVER),
        **{f"created crm-{number} Shop {number}": partial(create_org, run, number) for number in range(12)},
        **{f"read {name}": partial(read_org, run, id) for id, name in orgs.items()},
        **{f"deleted {number}": partial(delete_org, run, number) for number in range(3)},
    }


def answers(run: Run) -> tuple[list[str], list[str]]:
    """What was expected of forty calls at once, and what came."""
    run.stub()
    expected = calls(run)
    with ThreadPoolExecutor(len(expected)) as threads:
        sent = [threads.submit(call) for call in expected.values()]
        return [*expected], [answer.result(timeout=HANG) for answer in sent]


def test_forty_calls_at_once_all_get_their_own_answers(run: Run) -> None:
    expected, got = answers(run)
    assert (40, expected) == (len(got), got)


def test_forty_calls_at_once_do_what_they_would_do_one_by_one(run: Run, emulator: Emulator) -> None:
    answers(run)
    state = emulator.state()
    protected = {one["resource_id"] for one in state["protections"] if one["tenant_id"] == TENANT}
    made = {org["external_id"] for org in state["orgs"]} & {f"crm-{number}" for number in range(12)}
    users = {f"res-contoso-user-{number:02}" for number in range(1, 21)}
    assert (users, 12) == (protected, len(made))


def test_forty_calls_at_once_read_each_list_once(run: Run, emulator: Emulator) -> None:
    answers(run)
    asked = [request["path"] for request in emulator.requests() if request["method"] == "GET"]
    whole = [path for path in asked if path.endswith(("/resources", "/policies"))]
    assert 2 == len(whole)
