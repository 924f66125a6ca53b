"""Secret inputs: the program names them, and no message of the provider shows their values."""

import pytest

from support.resources.arguments import ARGUMENTS, assigned, protection
from support.resources.contoso import JANE, user
from support.resources.servicer import Engine, Properties, Run, assert_names, failure_of

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
