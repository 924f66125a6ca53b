"""A program that declares protection sets in every form, right and wrong; prints its registrations as JSON."""

import json
import sys
from typing import Any

import pulumi

from support.resources.declare import run


def right() -> dict[str, dict[str, Any]]:
    """Return the forms that a set may have, by name."""
    known = pulumi.Output.from_input
    gold = {"policy": "Gold"}
    return {
        "mapping": {"assignments": {"m1": "Gold", "m2": "Silver"}},
        "mapping-of-outputs": {"assignments": {"n1": known("Gold"), "n2": "Silver"}},
        "output-mapping": {"assignments": known({"o1": "Gold"})},
        "list": {"resources": ["l1", "l2", "l1"], **gold},
        "generator": {"resources": (name for name in ("g1", "g2")), **gold},
        "list-with-outputs": {"resources": ["p1", known("p2")], **gold},
        "output-policy": {"resources": ["q1", "q2", "q1"], "policy": known("Gold")},
        "output-list": {"resources": known(["r1", "r2", "r1"]), "policy": known("Gold")},
        "empty-list": {"resources": [], **gold},
        "tuple": {"resources": ("t1", "t2"), **gold},
        "empty-mapping": {"assignments": {}},
        "elsewhere": {"tenant_id": "t-2", "assignments": {"e1": "Gold"}},
        "somewhere": {"tenant_id": known("t-1"), "assignments": {"s1": "Gold"}},
    }


MAPPING, GOLD = {"a": "Gold"}, {"policy": "Gold"}
BOTH, LIST, DICT = ("assignments", "resources", "policy"), ("resources", "list"), ("assignments", "mapping")
WRONG: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "nothing": ({}, BOTH),
    "both": ({"assignments": MAPPING, "resources": ["a"]}, BOTH),
    "a policy for assignments": ({"assignments": MAPPING, **GOLD}, BOTH),
    "all three": ({"assignments": MAPPING, "resources": ["a"], **GOLD}, BOTH),
    "no policy": ({"resources": ["a"]}, BOTH),
    "only a policy": ({**GOLD}, BOTH),
    "text": ({"resources": "jane", **GOLD}, LIST),
    "a mapping as the list": ({"resources": MAPPING, **GOLD}, LIST),
    "a number as the list": ({"resources": 7, **GOLD}, LIST),
    "a list as the mapping": ({"assignments": ["a"]}, DICT),
    "text as the mapping": ({"assignments": "a"}, DICT),
    "a number as a name": ({"resources": ["a", 7], **GOLD}, ("7",)),
    "nothing as a name": ({"resources": ["a", None], **GOLD}, ("None",)),
    "a list as a name": ({"resources": [["a"]], **GOLD}, ("['a']",)),
    "nothing as a policy": ({"assignments": {"a": None, "b": "Gold"}}, ('"a"', "no policy")),
    "a number as a name in a mapping": ({"assignments": {"a": "Gold", 7: "Gold"}}, ("7",)),
}
"""The wrong forms, each with names that its error has to hold."""


def declare(name: str, arguments: dict[str, Any]) -> str:
    """Declare a set, and return the error or an empty text."""
    from pulumi_dataprotection import ProtectionSet  # noqa: PLC0415 - after the engine is there

    given: dict[str, Any] = {"tenant_id": "t-1", **arguments}
    try:
        ProtectionSet(name, **given)
    except pulumi.RunError as error:
        return str(error)
    return ""


def main() -> None:
    """Run both programs."""
    errors: dict[str, str] = {}
    declared = run(lambda: [declare(name, arguments) for name, arguments in right().items()])
    wrong = run(lambda: errors.update({name: declare("wrong", arguments) for name, (arguments, _) in WRONG.items()}))
    sys.stdout.write(json.dumps({"resources": declared, "errors": errors, "declared": len(wrong)}))


if __name__ == "__main__":
    main()
