"""Members that move between sets and protections of a program: never without a policy, and written only once."""

from support import Emulator
from support.engine.programs import SECOND, Change, hire, program, steps_and_writes, writes_by_thing
from support.engine.stack import Stack
from support.resources.contoso import user
from support.resources.effects import policies_on

SWAP = ["+silver", "-gold"]
NEW, GONE, CHANGED = "create", "delete", "update"

MOVES = {
    "to a later set": Change(
        'protect_all("a1", [30, 31, 32])\nprotect_all("a2", [33])',
        'protect_all("a1", [30])\nprotect_all("a2", [31, 32, 33])',
        {"a1": CHANGED, "a2": CHANGED},
    ),
    "to an earlier set": Change(
        'protect_all("b1", [34])\nprotect_all("b2", [35, 36])',
        'protect_all("b1", [34, 35])\nprotect_all("b2", [36])',
        {"b1": CHANGED, "b2": CHANGED},
    ),
    "one for one": Change(
        'protect_all("c1", [37, 38])\nprotect_all("c2", [39, 40])',
        'protect_all("c1", [37, 39])\nprotect_all("c2", [38, 40])',
        {"c1": CHANGED, "c2": CHANGED},
    ),
    "all for all": Change(
        'protect_all("d1", [41, 42])\nprotect_all("d2", [43])',
        'protect_all("d2", [41, 42])\nprotect_all("d1", [43])',
        {"d1": CHANGED, "d2": CHANGED},
    ),
    "to a protection": Change(
        'protect_all("e1", [44, 45])',
        'protect_all("e1", [44])\nprotect("e2", "ext$usr-1045")',
        {"e1": CHANGED, "e2": NEW},
    ),
    "to a protection before it": Change(
        'protect_all("f1", [46, 47])',
        'protect("f2", 47)\nprotect_all("f1", [46])',
        {"f1": CHANGED, "f2": NEW},
    ),
    "from a protection": Change(
        'protect("g2", 48)\nprotect_all("g1", [49])',
        'protect_all("g1", [48, 49])',
        {"g1": CHANGED, "g2": GONE},
    ),
    "to a set of another name": Change(
        'protect_all("h1", [50, 51])', 'protect_all("h2", [50, 51])', {"h1": GONE, "h2": NEW}
    ),
    "to a set of another name, with an alias": Change(
        'protect_all("i1", [52])', 'protect_all("i2", [52], aliases=[pulumi.Alias(name="i1")])'
    ),
    "one set split in three": Change(
        'protect_all("j1", [53, 54, 55])',
        'protect_all("j1", [53])\nprotect_all("j2", ["user-54@contoso.example"])\nprotect_all("j3", [55])',
        {"j1": CHANGED, "j2": NEW, "j3": NEW},
    ),
    "two sets made one": Change(
        'protect_all("k1", [56, 57])\nprotect_all("k2", [58])',
        'protect_all("k1", [56, 57, 58])',
        {"k1": CHANGED, "k2": GONE},
    ),
    "to a set that depends on it": Change(
        'l1 = protect_all("l1", [59, 60])\nprotect_all("l2", [61], depends_on=[l1])',
        'l1 = protect_all("l1", [59])\nprotect_all("l2", [60, 61], depends_on=[l1])',
        {"l1": CHANGED, "l2": CHANGED},
    ),
    "from a set that depends on it": Change(
        'm1 = protect_all("m1", [62])\nprotect_all("m2", [63, 64], depends_on=[m1])',
        'm1 = protect_all("m1", [62, 63])\nprotect_all("m2", [64], depends_on=[m1])',
        {"m1": CHANGED, "m2": CHANGED},
    ),
    "with another policy": Change(
        'protect_all("n1", [65, 66])\nprotect_all("n2", [67], "Silver")',
        'protect_all("n1", [65])\nprotect_all("n2", [66, 67], "Silver")',
        {"n1": CHANGED, "n2": CHANGED},
        {"contoso-user-66": SWAP},
    ),
    "with another policy, to a protection": Change(
        'protect_all("o1", [68, 69])',
        'protect_all("o1", [68])\nprotect("o2", 69, "Silver")',
        {"o1": CHANGED, "o2": NEW},
        {"contoso-user-69": SWAP},
    ),
    "with a policy that is known later": Change(
        'protect_all("p1", [70, 71])\nprotect_all("p2", [72])',
        'protect_all("p1", [70])\nprotect_all("p2", [71, 72], get_policy_output("tenant-contoso", "Gold").id)',
        {"p1": CHANGED, "p2": CHANGED},
    ),
    "to a set with a member that is known later": Change(
        'protect_all("q1", [73, 74])\nprotect_all("q2", [75])',
        'protect_all("q1", [73])\n'
        'protect_all("q2", [74, get_resource_output("tenant-contoso", "res-contoso-user-75").id])',
        {"q1": CHANGED, "q2": CHANGED},
    ),
    "to a set whose members are known later, before its former set": Change(
        'protect_all("s1", [79, 80])\nprotect_all("s2", [81])',
        'late = org("late", "crm-7", "Litware")\n'
        's2 = late.id.apply(lambda _: ["res-contoso-user-80", "res-contoso-user-81"])\n'
        's2 = ProtectionSet("s2", tenant_id="tenant-contoso", resources=s2, policy="Gold")\n'
        'protect_all("s1", [79], depends_on=[s2])',
        {"late": NEW, "s1": CHANGED, "s2": CHANGED},
        {"crm-7": ["+"]},
    ),
    "to another process": Change(
        'protect_all("r1", [76, 77])\nprotect_all("r2", [78], provider=SECOND)',
        'protect_all("r1", [76])\nprotect_all("r2", [77, 78], provider=SECOND)',
        {"r1": CHANGED, "r2": CHANGED},
    ),
}


def made_by(stack: Stack) -> set[str]:
    """Return the resources whose policy the state calls the work of a set or a protection."""
    made: set[str] = set()
    for resource in stack.resources().values():
        outputs = resource["outputs"]
        made |= outputs["protected"].keys() if "protected" in outputs else set()
        made |= {outputs["resource_id"]} if outputs.get("own_policy_id") else set()
    return made


def test_a_member_that_moves_is_never_without_a_policy(stack: Stack, emulator: Emulator) -> None:
    hire(emulator)
    emulator.set_dialect(second_policy="adds")
    stack.deploy(program(SECOND, *(change.before for change in MOVES.values())))
    people = made_by(stack)
    stack.write(program(SECOND, *(change.after for change in MOVES.values())))
    steps, writes = steps_and_writes(MOVES)
    assert steps == stack.preview().steps
    up = stack.up()
    assert (steps, writes) == (up.steps, writes_by_thing(emulator)), up.text
    emulator.clear_requests()
    assert {} == stack.up("--refresh").steps
    assert {} == writes_by_thing(emulator)

    # A member that was registered before its former set is adopted, and stays.
    adopted = {f"res-contoso-user-{number}" for number in (35, 39, 41, 42, 47, 48, 50, 51, 58, 63, 77, 80)}
    assert adopted == people - made_by(stack)
    stack.destroy()
    assert adopted == {one for one in people if policies_on(emulator, one)}


def test_an_accepted_policy_is_not_swapped_by_the_next_set(stack: Stack, emulator: Emulator) -> None:
    lines = 'protect_all("any", [ONE, 9], on_conflict="accept")', 'protect_all("strict", [TWO, 10])'
    stack.deploy(program(*lines).replace("ONE", "1").replace("TWO, ", ""))
    stack.write(program(*lines).replace("ONE, ", "").replace("TWO", "1"))
    up = stack.up()
    assert up.failed
    assert all(named in up.messages["strict"] for named in (f"({user(1)})", '"Silver"'))
    assert {} == writes_by_thing(emulator)
