"""A program that declares protection sets in each way that there is; prints what it asks of the engine, as JSON."""

import json
import sys
from collections.abc import Callable
from typing import Any, cast

import pulumi
from pulumi.runtime import mocks

from support.resources.declare import Engine, Monitor


def declare() -> None:
    """Declare them."""
    from pulumi_dataprotection import Protection, ProtectionSet  # noqa: PLC0415 - after the engine is there

    known = pulumi.Output.from_input
    forms: dict[str, dict[str, Any]] = {
        "mapping": {"assignments": {"m1": "Gold", "m2": "Silver"}},
        "mapping-of-outputs": {"assignments": {"n1": known("Gold"), "n2": "Silver"}},
        "output-mapping": {"assignments": known({"o1": "Gold"})},
        "list": {"resources": ["l1", "l2", "l1"], "policy": "Gold"},
        "generator": {"resources": (name for name in ("g1", "g2")), "policy": "Gold"},
        "list-with-outputs": {"resources": ["p1", known("p2")], "policy": "Gold"},
        "output-policy": {"resources": ["q1", "q2", "q1"], "policy": known("Gold")},
        "output-list": {"resources": known(["r1", "r2", "r1"]), "policy": known("Gold")},
        "empty-list": {"resources": [], "policy": "Gold"},
        "tuple": {"resources": ("t1", "t2"), "policy": "Gold"},
        "empty-mapping": {"assignments": {}},
    }
    for name, form in forms.items():
        ProtectionSet(name, tenant_id="t-1", **form)
    Protection("alone", tenant_id="t-1", resource="a1", policy="Gold")
    Protection("alone-elsewhere", tenant_id="t-2", resource="a2", policy="Gold")
    ProtectionSet("elsewhere", tenant_id="t-2", assignments={"e1": "Gold"})
    ProtectionSet("somewhere", tenant_id=known("t-1"), assignments={"s1": "Gold"})


WRONG: dict[str, dict[str, Any]] = {
    "nothing": {},
    "both": {"assignments": {"a": "Gold"}, "resources": ["a"]},
    "a policy for assignments": {"assignments": {"a": "Gold"}, "policy": "Gold"},
    "all three": {"assignments": {"a": "Gold"}, "resources": ["a"], "policy": "Gold"},
    "no policy": {"resources": ["a"]},
    "a policy alone": {"policy": "Gold"},
    "text": {"resources": "jane", "policy": "Gold"},
    "a mapping as the list": {"resources": {"a": "Gold"}, "policy": "Gold"},
    "a number as the list": {"resources": 7, "policy": "Gold"},
    "a list as the mapping": {"assignments": ["a"]},
    "text as the mapping": {"assignments": "a"},
    "a number as a name": {"resources": ["a", 7], "policy": "Gold"},
    "nothing as a name": {"resources": ["a", None], "policy": "Gold"},
    "a list as a name": {"resources": [["a"]], "policy": "Gold"},
    "nothing as a policy": {"assignments": {"a": None, "b": "Gold"}},
    "a number as a name in a mapping": {"assignments": {"a": "Gold", 7: "Gold"}},
}


def refused(arguments: dict[str, Any]) -> str:
    """How a set with these arguments is refused; empty where it is not."""
    from pulumi_dataprotection import ProtectionSet  # noqa: PLC0415 - after the engine is there

    try:
        ProtectionSet("wrong", tenant_id="t-1", **arguments)
    except pulumi.RunError as error:
        return str(error)
    return ""


def run(body: Callable[[], None]) -> list[dict[str, Any]]:
    """Run a program; what it asks of the engine."""
    monitor = Monitor()
    mocks.set_mocks(Engine(), project="shop", stack="dev", monitor=monitor)
    cast("Any", mocks).test(body)()
    return [resource for resource in monitor.registered if resource["type"] != "pulumi:pulumi:Stack"]


def main() -> None:
    """Run both programs."""
    errors: dict[str, str] = {}
    declared = run(declare)
    wrong = run(lambda: errors.update({name: refused(arguments) for name, arguments in WRONG.items()}))
    sys.stdout.write(json.dumps({"resources": declared, "errors": errors, "declared": len(wrong)}))


if __name__ == "__main__":
    main()
