"""Any sequence of calls and of changes behind the service's back, beside a small model of what they bring."""

from typing import Any

import httpx
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from support import NIGHTLY, Emulator
from support.emulator.model import POLICIES, RESOURCES, TICK, TICKS_TO_DELETION, Model, Task

pytestmark = pytest.mark.thorough

any_resource, any_policy, any_number = st.sampled_from(RESOURCES), st.sampled_from(POLICIES), st.integers(0, 11)


class _Service(RuleBasedStateMachine):
    def __init__(self, emulator: Emulator, service: httpx.Client, control: httpx.Client) -> None:
        super().__init__()
        self.emulator, self.service, self.control, self.limit = emulator, service, control, 0
        emulator.reset("empty")
        estate: dict[str, list[dict[str, Any]]] = {"tenants": [{"id": "t", "org_id": "org-root"}]}
        estate["resources"] = [{"tenant_id": "t", "id": id} for id in RESOURCES]
        estate["policies"] = [{"tenant_id": "t", "id": id} for id in POLICIES]
        estate["archives"] = [
            {"tenant_id": "t", "id": f"a-{number}", "resource_id": archive.resource_id, "size": str(archive.size)}
            for number, archive in enumerate(Model().archives)
        ]
        estate["protections"] = [
            {"tenant_id": "t", "id": f"prot-{id}", "resource_id": id, "policy_id": policy_id, "job_id": job_id}
            for id, (policy_id, job_id) in Model().protections.items()
        ]
        control.post("seed", json={"document": {**emulator.state(), **estate}}).raise_for_status()
        self.start_over()

    def start_over(self) -> None:
        self.model, self.start = Model(), self.emulator.now()

    def set_clock(self) -> None:
        now = (self.start + self.model.now * TICK).isoformat()
        self.control.post("clock", json={"now": now}).raise_for_status()

    def send(self, status: int, method: str, path: str, **query: str) -> dict[str, Any]:
        response = self.service.request(
            method, path, params=query, json={} if path.endswith("/protect") and method == "POST" else None
        )
        assert status == response.status_code, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def listing(self, path: str, **query: str) -> list[dict[str, Any]]:
        page = self.send(200, "GET", path, limit=str(self.limit), **query)
        items: list[dict[str, Any]] = page["items"]
        assert len(items) <= self.limit
        token = page["next_page_token"]
        return items + self.listing(path, **{**query, "page_token": token}) if token else items

    def org(self, number: int) -> str:
        known = ["org-root", *self.model.orgs]
        return known[number % len(known)]

    def protected(self, number: int) -> str:
        known = list(self.model.protections) or ["r-1"]
        return known[number % len(known)]

    @rule(parent=any_number, external_id=st.sampled_from(["", "a", "A", "b"]), name=st.text("x \u00e9", max_size=2))
    def create_org(self, parent: int, external_id: str, name: str) -> None:
        parent_id = self.org(parent)
        query = {"parent_org_id": parent_id, "external_id": external_id, "name": name}
        created = self.send(200, "POST", "orgs", **query)["org"]["id"]
        taken = {of_one: id for id, (of_one, _, _) in self.model.orgs.items() if of_one}
        assert taken.get(external_id, created) == created
        if external_id not in taken:
            self.model.orgs[created] = (external_id, name, parent_id)

    @rule(number=any_number)
    def lose_org(self, number: int) -> None:
        if (id := self.org(number)) in self.model.orgs:
            self.emulator.patch({"orgs": [{"id": id, "deleted": True}]})
            self.model.lose_org(id)
            self.send(404, "GET", f"orgs/{id}")

    @rule(resource_id=any_resource, policy_id=st.sampled_from([*POLICIES, *POLICIES, "p-9"]))
    def protect(self, resource_id: str, policy_id: str) -> None:
        present, _ = self.model.protections.get(resource_id, ("", ""))
        status = 200
        if resource_id not in self.model.archived or policy_id not in POLICIES:
            status = 404
        elif present != policy_id and (present or self.model.archived[resource_id]):
            status = 400
        answer = self.send(status, "POST", f"tenants/t/resources/{resource_id}/protect", policy_id=policy_id)
        if status == 200:
            protection = (policy_id, answer["job_id"])
            assert self.model.protections.setdefault(resource_id, protection) == protection

    @rule(number=any_number, policy_id=any_policy)
    def unprotect(self, number: int, policy_id: str) -> None:
        resource_id = self.protected(number)
        found = policy_id == self.model.protections.get(resource_id, ("", ""))[0]
        path = f"tenants/t/resources/{resource_id}/protect"
        self.send(200 if found else 404, "DELETE", path, policy_id=policy_id)
        if found:
            del self.model.protections[resource_id]

    @rule(
        resource_id=any_resource, change=st.sampled_from([{"archived": False}, {"archived": True}, {"deleted": True}])
    )
    def change_resource(self, resource_id: str, change: dict[str, bool]) -> None:
        if "archived" in change:
            self.model.archived[resource_id] = change["archived"]
        elif self.model.archived.pop(resource_id, None) is None:
            return
        else:
            self.model.protections.pop(resource_id, None)
        self.emulator.patch({"resources": [{"tenant_id": "t", "id": resource_id, **change}]})

    @rule(resource_id=any_resource)
    def delete_archives(self, resource_id: str) -> None:
        self.set_clock()
        for archive in self.listing("tenants/t/archives", resource_id=resource_id):
            self.send(200, "DELETE", f"tenants/t/archives/{archive['id']}", reason="x")
        self.model.delete_archives(resource_id)

    @rule(number=any_number)
    def trigger(self, number: int) -> None:
        self.set_clock()
        resource_id = self.protected(number)
        _, job_id = self.model.protections.get(resource_id, ("", ""))
        answer = self.send(200 if job_id else 404, "PUT", f"tenants/t/jobs/{job_id or 'job-9'}/trigger")
        if job_id:
            self.model.tasks[answer["task_id"]] = Task(resource_id, self.model.now)

    @rule(ticks=st.sampled_from([1, 3, 4, 4, TICKS_TO_DELETION - 1, TICKS_TO_DELETION]))
    def let_time_pass(self, ticks: int) -> None:
        self.model.go_on(ticks)
        self.set_clock()

    @precondition(lambda self: len(self.model.tasks) > 1)
    @rule()
    def reset(self) -> None:
        self.control.post("reset").raise_for_status()
        self.start_over()

    @invariant()
    def each_listing_is_as_in_the_model(self) -> None:
        model, self.limit = self.model, 1 + self.limit % 5
        for parent in ("org-root", *model.orgs):
            orgs = sorted(
                (id, external_id, name) for id, (external_id, name, above) in model.orgs.items() if above == parent
            )
            assert orgs == [(one["id"], one["external_id"], one["name"]) for one in self.listing(f"orgs/{parent}/orgs")]
        resources = self.listing("tenants/t/resources")
        assert sorted(model.archived.items()) == [(one["id"], one["archived"]) for one in resources]
        protections = sorted((resource_id, *protection) for resource_id, protection in model.protections.items())
        listed = self.listing("tenants/t/protections")
        assert protections == sorted((one["resource_id"], one["policy_id"], one["job_id"]) for one in listed)
        archives = sorted((one.resource_id, one.due is not None, str(one.size)) for one in model.archives)
        listed = self.listing("tenants/t/archives")
        assert archives == sorted((one["resource_id"], one["delete_pending"], one["stats"]["size"]) for one in listed)
        statuses = {id: task.status for id, task in model.tasks.items()}
        assert statuses == {id: self.send(200, "GET", f"tenants/t/tasks/{id}")["status"] for id in statuses}


def test_the_service_keeps_to_the_model(emulator: Emulator, service: httpx.Client, control: httpx.Client) -> None:
    class Bound(_Service):
        def __init__(self) -> None:
            super().__init__(emulator, service, control)

    run_state_machine_as_test(Bound, settings=settings(max_examples=100 if NIGHTLY else 12, stateful_step_count=30))
