"""A removal knows the whole program: whatever the order, the target, the exclusion, the functions and the callbacks."""

from engine.programs import program, writes_by_thing
from engine.stack import Stack
from support import Emulator

BLOCKING = 'pulumi.runtime.invoke("pulumi:pulumi:getResource", {"urn": STACK}).value\n'
STACK = 'STACK = f"urn:pulumi:{pulumi.get_stack()}::{pulumi.get_project()}::pulumi:pulumi:Stack::{pulumi.get_project()}-{pulumi.get_stack()}"\n'


def test_blocking(stack: Stack, emulator: Emulator) -> None:
    stack.write(program('protect_all("a", [21, 22])', 'protect_all("b", [23])'))
    up = stack.up()
    print(up.text)
    emulator.clear_requests()
    stack.write(program(STACK, 'protect_all("a", [21])', BLOCKING, 'protect_all("b", [22, 23])'))
    print(stack.preview().text)
    up = stack.up()
    print(up.text)
    print(writes_by_thing(emulator))
    print(stack.resources().keys(), stack.resources()["a"]["outputs"], stack.resources()["b"]["outputs"])
    print(stack.preview().text)
    stack.write(program(STACK, 'protect_all("a", [21])', BLOCKING, 'protect_all("b", [22])'))
    print(stack.preview().text)
    print(stack.up().text)
    print(writes_by_thing(emulator))
    print(stack.destroy().text)
    print(writes_by_thing(emulator))
    assert 0
