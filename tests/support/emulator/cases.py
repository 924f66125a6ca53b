"""Cases: a request and its answer, after earlier requests, changes of the content and time."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
import pytest

from support import Emulator

Expected = TypeVar("Expected")
Given = TypeVar("Given")

Step = str | float | Mapping[str, list[dict[str, Any]]]
"""A request such as "GET orgs/org-root", seconds that pass, or a change of the content.

TASK_ID stands for the id of the spawned task.
"""

CONTOSO = "tenants/tenant-contoso"
"""The tenant of most cases."""


@dataclass(frozen=True)
class Case:
    """Steps of which the last one is a request, and the answer to it.

    Attributes:
        steps: the steps.
        status: the status of the answer.
        answer: a part of the message of a refusal, the ids of a list, or the whole body; anything if it is None.
        field: the place of `answer` in the body; for "items.id", the ids of all items.
        dialect: the variants of the dialect.
    """

    steps: tuple[Step, ...]
    status: int
    answer: Any
    field: str | None
    dialect: Mapping[str, Any]

    def check(self, service: httpx.Client, emulator: Emulator) -> None:
        """Take the steps and compare the answer."""
        if self.dialect:
            emulator.set_dialect(**dict(self.dialect))
        task_id, response = "", httpx.Response(200)
        for step in self.steps:
            match step:
                case str():
                    response = send(service, step.replace("TASK_ID", task_id))
                    task_id = response.json().get("task_id", task_id)
                case float() | int():
                    emulator.advance(step)
                case _:
                    emulator.patch(json.loads(json.dumps(step).replace("TASK_ID", task_id)))
        assert self.status == response.status_code, response.text
        if self.answer is not None:
            self._compare(response.json())

    def _compare(self, body: dict[str, Any]) -> None:
        if self.field is not None:
            assert self.answer == at(body, self.field)
        elif isinstance(self.answer, str):
            assert self.answer in body["message"]
        else:
            assert self.answer == (at(body, "items.id") if isinstance(self.answer, list) else body)


def at(body: dict[str, Any], place: str) -> Any:  # noqa: ANN401 - JSON
    """Return a field of an answer; for "items.id", the field `id` of each item."""
    name = place.removeprefix("items.")
    return body[place] if name == place else [item[name] for item in body["items"]]


def case(
    *steps: Step,
    status: int = 200,
    answer: object = None,
    field: str | None = None,
    dialect: Mapping[str, Any] | None = None,
) -> Case:
    """Make a case; see `Case`."""
    return Case(steps, status, answer, field, dialect or {})


def each_case(cases: Mapping[str, Case]) -> Callable[..., None]:
    """Make the test of cases, which have names."""

    @pytest.mark.parametrize("case", cases.values(), ids=list(cases))
    def test(service: httpx.Client, emulator: Emulator, case: Case) -> None:
        case.check(service, emulator)

    return test


def pairs(table: Mapping[Expected, Iterable[Given]]) -> list[tuple[Expected, Given]]:
    """Return each value of a table of lists, behind its key."""
    return [(expected, given) for expected, values in table.items() for given in values]


def send(service: httpx.Client, request: str) -> httpx.Response:
    """Send a request; a path that begins with a slash is below the tenant Contoso."""
    method, _, path = request.partition(" ")
    if path.startswith("/"):
        path = CONTOSO + path
    return service.request(method, path, json={} if method == "POST" and "/protect" in path else None)


def assigning(resource_id: str, policy_id: str) -> str:
    """Return the request that assigns a policy to a resource."""
    return f"POST /resources/{resource_id}/protect?policy_id={policy_id}"


def removing(resource_id: str, policy_id: str) -> str:
    """Return the request that removes a policy from a resource."""
    return f"DELETE /resources/{resource_id}/protect?policy_id={policy_id}"


def protections(resource_id: str) -> str:
    """Return the request that lists the protections of a resource."""
    return f"GET /protections?resource_id={resource_id}"


def ours(id: str, **fields: object) -> dict[str, Any]:
    """Return a record of the tenant Contoso."""
    return {"tenant_id": "tenant-contoso", "id": id, **fields}
