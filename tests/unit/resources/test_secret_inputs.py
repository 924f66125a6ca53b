"""Secret inputs: the program names them, and no message of the provider shows their values."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest

from support import HANG
from support.resources.arguments import ARGUMENTS, assigned, protection
from support.resources.contoso import JANE, user
from support.resources.scripted import ScriptedServer
from support.resources.servicer import Engine, Properties, Run, Servicer, assert_names, failure_of
from support.scripted import Reply, Request, page, told

NOBODY = "nobody@contoso.example"
SHOP = {"external_id": "crm-1001", "name": "Shoppy", "parent_org_id": "org-alpine"}

HIDDEN: dict[str, tuple[str, Properties, str, str]] = {
    "a name that does not exist": ("Protection", protection(NOBODY), "resource", NOBODY),
    "a policy that does not exist": ("Protection", protection(policy="Golf"), "policy", "Golf"),
    "another policy": ("Protection", protection("jane.doe@contoso.example", "Gold"), "resource", "jane"),
    "members": ("ProtectionSet", assigned({NOBODY: "Gold"}), "assignments", NOBODY),
    "another name": ("Org", SHOP, "name", "Shoppy"),
}
"""The class and the arguments of a resource that fails, its secret argument, and the secret in it."""


@pytest.mark.parametrize(("kind", "inputs", "argument", "secret"), HIDDEN.values(), ids=HIDDEN)
def test_a_secret_argument_is_hidden_in_a_failure_without_its_property(
    run: Run, kind: str, inputs: Properties, argument: str, secret: str
) -> None:
    checked = run.wire(kind).check({}, {**inputs, "secret_inputs": [argument]})
    assert ("[secret]" in checked.reason, secret in checked.reason) == (True, False)
    # With the name of the property, the engine would print its value.
    assert (False, False) == (argument in checked.names, "secret_inputs" in checked.inputs)


def test_a_secret_name_stays_hidden_in_later_operations(run: Run) -> None:
    run.protection.check({}, {**protection(NOBODY), "secret_inputs": ["resource"]})
    failure = failure_of(run.protection.create, protection(NOBODY))
    assert ("[secret]" in str(failure), NOBODY in str(failure)) == (True, False)
    # A check without secret inputs ends that.
    run.protection.check({}, protection(NOBODY))
    assert NOBODY in str(failure_of(run.protection.create, protection(NOBODY)))


def test_names_and_policies_of_secret_members_are_hidden(run: Run, engine: Engine) -> None:
    inputs = {**assigned({user(9): "Gold"}), "secret_inputs": ["assignments"]}
    assert [] == run.protection_set.check({}, inputs).failures
    (note,) = engine.notes
    assert note.rstrip().endswith("1 to protect, of 1 members.")


@pytest.mark.parametrize("triggers", [["monday", 7, True], ["ab"], []])
def test_secret_triggers_of_any_type_are_accepted(run: Run, triggers: list[object]) -> None:
    inputs = {**ARGUMENTS["BackupRun"], "triggers": triggers, "secret_inputs": ["triggers", "gone"]}
    assert [] == run.backup_run.check({}, inputs).failures


def test_a_text_of_two_characters_is_not_hidden(run: Run) -> None:
    inputs = {**protection(JANE, policy="ab"), "secret_inputs": ["policy"]}
    ((_, reason),) = run.protection.check({}, inputs).failures
    assert_names(reason, 'no policy "ab"')


SECONDS = {"first": 10, "second": 20, "third": 30, "fourth": 40}
"""The seconds for which a service lets each resource wait."""


class Together(ScriptedServer):
    """A service that answers the first read of items only when all tenants have been read."""

    def __init__(self) -> None:
        self._together = Barrier(len(SECONDS), timeout=HANG)
        super().__init__(
            {
                f"GET /api/v1/tenants/{name}/resources": [told({}, 503, Retry_After=str(seconds)), page()]
                for name, seconds in SECONDS.items()
            }
        )

    def take(self, request: Request) -> Reply:
        """Note a request, and wait for the other tenants."""
        chosen = super().take(request)
        if chosen.status == 503:
            self._together.wait()
        return chosen


def test_operations_at_the_same_time_share_no_messages_and_no_secrets(hurried: Servicer, engine: Engine) -> None:
    secret = {"first", "third"}

    def failures(run: Run, name: str) -> str:
        inputs = {**protection(NOBODY), "tenant_id": name, "secret_inputs": ["resource"] if name in secret else []}
        return str(run.protection.named(name).check({}, inputs).failures)

    with Together() as service, ThreadPoolExecutor(len(SECONDS)) as threads:
        run = hurried.run(service)
        run.stub()
        texts = dict(zip(SECONDS, threads.map(partial(failures, run), SECONDS), strict=True))
    assert secret == {name for name, text in texts.items() if "[secret]" in text}
    assert SECONDS.keys() - secret == {name for name, text in texts.items() if NOBODY in text}
    waits = [(message.urn.rpartition("::")[2], int(message.message.split()[1])) for message in engine.messages]
    # A wait is up to a second longer.
    assert sorted(SECONDS.items()) == sorted((name, seconds // 10 * 10) for name, seconds in waits)
