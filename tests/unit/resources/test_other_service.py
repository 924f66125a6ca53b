"""Answers of something that is not the service: no state is emptied, and nothing is written."""

from typing import Any

import pytest

from support.resources.arguments import BACKUP_RUN, SHOP, members, state
from support.resources.contoso import GOLD, JANE_ID, TENANT, user
from support.resources.scripted import NOT_THE_SERVICE, Reply, ScriptedServer, reply
from support.resources.servicer import Servicer, assert_names, failure_of

ORG = {**SHOP, "kind": "basic", "schema_version": 2}


def outputs(count: int) -> dict[str, Any]:
    protected = {user(9 + number): GOLD for number in range(count)}
    return {**members(), "protected": protected, "adopted": {}, "schema_version": 2}


CALLS: list[tuple[str, str, tuple[Any, ...]]] = [
    ("org", "read", ("org-1", ORG)),
    ("backup_run", "read", (f"{TENANT}/task-1", {**BACKUP_RUN, "task_id": "task-1", "status": "open"})),
    ("protection", "read", (JANE_ID, state())),
    ("protection", "delete", (JANE_ID, state())),
    *(
        ("protection_set", name, (TENANT, outputs(count), *others))
        for count in (3, 10)
        for name, others in (
            ("read", (members(*outputs(count)["protected"]),)),
            ("delete", ()),
            ("update", (members(*[*outputs(count)["protected"]][1:]),)),
        )
    ),
]


@pytest.mark.parametrize("answer", NOT_THE_SERVICE.values(), ids=NOT_THE_SERVICE)
@pytest.mark.parametrize(("wire", "hook", "arguments"), CALLS)
def test_another_service_never_empties_the_state(
    hurried: Servicer, wire: str, hook: str, arguments: tuple[Any, ...], answer: Reply
) -> None:
    with ScriptedServer(otherwise=answer) as server:
        failure = failure_of(getattr(getattr(hurried.run(server), wire), hook), *arguments)
        assert [] == server.writes
    kept = failure.half_done
    assert kept is None or arguments[1]["protected"] == kept.outs["protected"]
    assert "base URL" in failure.text or "API key" in failure.text


def test_a_404_without_proof_never_empties_the_state(servicer: Servicer) -> None:
    script = {"GET /api/v1/orgs/org-1": [reply(404)], "GET /api/v1/applications/me/installations": [reply(403)]}
    with ScriptedServer(script) as server:
        assert_names(failure_of(servicer.run(server).org.read, "org-1", ORG), "installations", "403")
