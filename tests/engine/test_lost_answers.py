"""Work whose answer got lost: it is found, and not done twice."""

from support import Emulator
from support.engine.programs import program
from support.engine.stack import Stack
from support.history import policies_on
from support.resources.contoso import user


def test_a_removal_whose_answer_got_lost_is_a_success_although_the_retry_finds_nothing(
    stack: Stack, emulator: Emulator
) -> None:
    stack.deploy(program('protect("one", 12)', 'protect("two", 13)'))
    with emulator.faults({"operation": "unprotect_resource", "do": ["after:reset", "after:status:502"]}):
        destroy = stack.destroy()
    assert (False, {}) == (destroy.failed, destroy.messages), destroy.text
    assert [[], []] == [policies_on(emulator, user(number)) for number in (12, 13)]
    assert 404 in {write["status"] for write in emulator.writes()}
