"""The account of the whole run: no operation, no fault and no dialect was left out. It comes last."""

import pytest

from contract.account import MET
from contract.matrix import DIALECTS
from contract.service import CALLED
from pulumi_dataprotection.emulator._fault import NAMES
from pulumi_dataprotection.spec import OPERATIONS

pytestmark = pytest.mark.usefixtures("whole_contract")


def test_each_operation_was_called_in_each_dialect() -> None:
    assert {} == {
        name: missing for name in DIALECTS if (missing := {operation.id for operation in OPERATIONS} - CALLED[name])
    }


def test_each_fault_was_met() -> None:
    met = {text.removeprefix("after:").partition(":")[0] for text in MET}
    assert set() == {*NAMES} - met


def test_faults_were_met_before_the_work_and_after_it_and_with_answers_of_their_own() -> None:
    assert any(text.startswith("after:") for text in MET)
    assert any(text.startswith("{") for text in MET)
