"""States in which a property is missing or null: a `get`, an older version or a person wrote them."""

from collections.abc import Callable
from typing import Any

import pytest

from pulumi_dataprotection import resources
from support import Emulator
from support.resources.arguments import ARGUMENTS
from support.resources.servicer import OperationError, Properties, Servicer, Wire

_OF_CHECK = {"ProtectionSet": ("resource_ids", "policy_ids", "missing")}
"""The inputs that only a check makes."""

PROPERTIES = [
    (name, one)
    for name, inputs in ARGUMENTS.items()
    for one in dict.fromkeys([*inputs, *getattr(resources, name).outputs, *_OF_CHECK.get(name, ()), "schema_version"])
]
WITHOUT: dict[str, Callable[[Properties, str], Properties]] = {
    "missing": lambda properties, name: {one: value for one, value in properties.items() if one != name},
    "null": lambda properties, name: {**properties, name: None},
}


def attempt(hook: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401 - whatever the hook answers
    """Run a hook of a provider, which may fail, but not with a traceback."""
    try:
        return hook(*arguments)
    except OperationError as error:
        if error.code is None:
            # The provider gave no text: this is a traceback.
            raise
        return str(error)


def test_the_table_has_each_resource() -> None:
    assert sorted(resources.__all__) == sorted(ARGUMENTS)


LOST = {
    ("ArchiveDeletion", "resource_id"): {"resource_id"},
    ("BackupRun", "started_at"): {"started_at"},
    ("Org", "invitation_url"): {"invitation_url"},
    ("Org", "kind"): {"kind"},
    ("Protection", "own_policy_id"): {"own_policy_id"},
    ("ProtectionSet", "adopted"): set[str](),
    ("ProtectionSet", "protected"): {"protected", "adopted", "counts"},
}
"""The outputs that an update does not find out again, by what the state lacks."""

NEW_TRIGGERS = ("BackupRun", "triggers")
NEW_ADDRESS = ("Org", "admin_email")
"""Optional arguments that the state says were not given."""


@pytest.mark.parametrize("how", WITHOUT)
@pytest.mark.parametrize(("kind", "lacks"), PROPERTIES)
def test_a_state_without_a_property_is_neither_an_error_nor_a_replacement(
    hurried: Servicer, emulator: Emulator, kind: str, lacks: str, how: str
) -> None:
    def wire() -> Wire:
        """Return the provider in the next command of the engine."""
        return hurried.run(emulator).wire(kind)

    emulator.set_dialect(task_progress="polls")
    arguments, without = ARGUMENTS[kind], WITHOUT[how]
    first = wire()
    inputs = first.check({}, arguments).inputs
    id, outs = first.create(inputs)
    old_inputs, olds = without(inputs, lacks), without(outs, lacks)
    again = wire()
    checked = attempt(again.check, old_inputs, arguments)
    attempt(wire().check, inputs, without(arguments, lacks))
    for before, after in ((olds, inputs), (outs, old_inputs), (olds, old_inputs)):
        replaces = ["triggers"] if (kind, lacks) == NEW_TRIGGERS and before.get(lacks) != after.get(lacks) else []
        assert replaces == attempt(wire().diff, id, before, after).replaces
    found = attempt(wire().read, id, olds, old_inputs)
    updated = attempt(wire().update, id, olds, inputs)
    lost = LOST.get((kind, lacks), set[str]())
    kept, expected = ({one: value[one] for one in value.keys() - lost} for value in (updated, outs))
    assert (id, expected) == (found.id, kept)
    assert [""] * ((kind, lacks) == NEW_ADDRESS) == checked.names
    attempt(wire().delete, id, olds)
