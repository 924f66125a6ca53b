"""Secret inputs: the program names them, and no message of the provider shows their values."""

import pytest

from support.resources.arguments import ARGUMENTS, assigned, protection
from support.resources.contoso import JANE, TENANT, user
from support.resources.servicer import Engine, Run, assert_names, failure_of

NOBODY = "nobody@contoso.example"


def test_a_secret_name_is_hidden_in_a_failure_without_its_property(run: Run) -> None:
    inputs = {**protection(NOBODY), "secret_inputs": ["resource", "policy"]}
    checked = run.protection.check({}, inputs)
    ((name, reason),) = checked.failures
    assert ("", False) == (name, NOBODY in reason)
    assert_names(reason, 'resource: no resource "[secret]"', TENANT)
    assert "secret_inputs" not in checked.inputs


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
    (failure,) = run.protection_set.check({}, {**inputs, "assignments": {NOBODY: "Gold"}}).failures
    assert ("[secret]" in failure[1], NOBODY in failure[1]) == (True, False)


@pytest.mark.parametrize("triggers", [["monday", 7, True], ["ab"], []])
def test_secret_triggers_of_any_type_are_accepted(run: Run, triggers: list[object]) -> None:
    inputs = {**ARGUMENTS["BackupRun"], "triggers": triggers, "secret_inputs": ["triggers", "gone"]}
    assert [] == run.backup_run.check({}, inputs).failures


def test_a_text_of_two_characters_is_not_hidden(run: Run) -> None:
    inputs = {**protection(JANE, policy="ab"), "secret_inputs": ["policy"]}
    ((_, reason),) = run.protection.check({}, inputs).failures
    assert_names(reason, 'no policy "ab"')
