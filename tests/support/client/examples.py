"""One call of each kind that the tests need, and an answer of success for each."""

import pytest

from pulumi_dataprotection.client import Call, Client, calls, errors
from support.scripted import Reply, told

Built = Call[object]

ORG = {"id": "o-1", "external_id": "", "kind": "basic", "name": "Fabrikam"}

GET = calls.get_org("o-1")
LIST = calls.list_resources("t-1")
PROTECT = calls.protect_resource("t-1", "r-1", policy_id="p-1")
UNPROTECT = calls.unprotect_resource("t-1", "r-1", policy_id="p-1")
DELETE = calls.delete_archive("t-1", "a-1", reason="left")
CREATE = calls.create_org(name="Fabrikam")
TRIGGER = calls.trigger_job("t-1", "j-1")

REPEATABLE: list[Built] = [GET, LIST, PROTECT, UNPROTECT, DELETE]
NOT_REPEATABLE: list[Built] = [CREATE, TRIGGER]

_SUCCESS = {
    "get_org": ORG,
    "create_org": {"org": ORG},
    "trigger_job": {"task_id": "task-1"},
    "protect_resource": {"job_id": "job-1"},
}


def name(call: Built) -> str:
    """Name a call in a test's id."""
    return call.operation.id


each_kind_of_call = pytest.mark.parametrize("call", [*REPEATABLE, *NOT_REPEATABLE], ids=name)


def success(call: Built) -> Reply:
    """Answer a call as the service does."""
    return told(_SUCCESS.get(call.operation.id, {}))


def refused(client: Client, call: Built) -> errors.CallError:
    """Send a call that fails, and return its error."""
    with pytest.raises(errors.CallError) as caught:
        client.send(call)
    return caught.value
