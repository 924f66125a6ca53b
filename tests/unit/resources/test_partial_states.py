"""States that lack a property, or have null in its place: a `get`, an older version or a person wrote them."""

from collections.abc import Callable
from typing import Any

import pytest

from pulumi_dataprotection import resources
from support import Emulator
from support.resources.servicer import OperationError, Properties, Servicer, Wire

TENANT = "tenant-contoso"
INPUTS: dict[str, Properties] = {
    "ArchiveDeletion": {"tenant_id": TENANT, "archive_id": "archive-contoso-01", "reason": "left"},
    "BackupRun": {
        "tenant_id": TENANT,
        "job_id": "job-contoso-01",
        "triggers": ["monday"],
        "wait": True,
        "timeout": 7200,
        "success_statuses": ["done", "warnings"],
        "failure_statuses": ["failed", "canceled"],
    },
    "Org": {"external_id": "crm-7", "name": "Shop", "admin_email": "it@shop.example"},
    "Protection": {
        "tenant_id": TENANT,
        "resource": "res-contoso-user-20",
        "policy": "Gold",
        "on_conflict": "fail",
        "on_destroy": "unprotect",
    },
    "ProtectionSet": {
        "tenant_id": TENANT,
        "assignments": {"res-contoso-user-20": "Gold", "res-contoso-user-01": "Silver"},
        "on_conflict": "fail",
        "on_destroy": "unprotect",
        "on_missing": "fail",
        "max_removals": 5,
    },
}
"""The arguments of one resource of each class, all of them but the profile."""

WIRES = {name: "".join(f"_{one.lower()}" if one.isupper() else one for one in name).strip("_") for name in INPUTS}

_OF_CHECK = {"ProtectionSet": ("resource_ids", "policy_ids", "missing")}
"""The inputs that only check makes."""

PROPERTIES = [
    (name, one)
    for name, inputs in INPUTS.items()
    for one in dict.fromkeys([*inputs, *getattr(resources, name).outputs, *_OF_CHECK.get(name, ()), "schema_version"])
]
WITHOUT: dict[str, Callable[[Properties, str], Properties]] = {
    "missing": lambda properties, name: {one: value for one, value in properties.items() if one != name},
    "null": lambda properties, name: {**properties, name: None},
}


@pytest.fixture
def config(emulator: Emulator) -> dict[str, str]:
    """The config of a stack; a task goes on as it is looked at."""
    emulator.set_dialect(task_progress="polls")
    return {"apiKey": emulator.api_key, "baseUrl": emulator.url}


def attempt(hook: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401 - whatever the hook answers
    """Run a hook of a provider, which may fail, but not with a traceback."""
    try:
        return hook(*arguments)
    except OperationError as error:
        if error.code is None:
            # It gave no text of its own: this is a traceback.
            raise
        return str(error)


def test_each_resource_is_tried_here() -> None:
    assert sorted(resources.__all__) == sorted(INPUTS)


LOST = {
    ("ArchiveDeletion", "resource_id"): {"resource_id"},
    ("BackupRun", "started_at"): {"started_at"},
    ("Org", "invitation_url"): {"invitation_url"},
    ("Org", "kind"): {"kind"},
    ("Protection", "own_policy_id"): {"own_policy_id"},
    ("ProtectionSet", "adopted"): set[str](),
    ("ProtectionSet", "protected"): {"protected", "adopted"},
}
"""The outputs that an update does not find out again, by what the state lacks."""

NEW_TRIGGERS = ("BackupRun", "triggers")
NEW_ADDRESS = ("Org", "admin_email")
"""Optional arguments that the state says were not given."""


@pytest.mark.parametrize("how", WITHOUT)
@pytest.mark.parametrize(("name", "lacks"), PROPERTIES)
def test_a_state_that_lacks_a_property_is_no_error_and_no_replacement(
    hurried: Servicer, config: dict[str, str], name: str, lacks: str, how: str
) -> None:
    def wire() -> Wire:
        """The provider in the next command of the engine."""
        found: Wire = getattr(hurried.run(config), WIRES[name])
        return found

    first = wire()
    inputs = first.check({}, INPUTS[name]).inputs
    id, outs = first.create(inputs)
    old_inputs, olds = (WITHOUT[how](properties, lacks) for properties in (inputs, outs))
    again = wire()
    checked = attempt(again.check, old_inputs, INPUTS[name])
    missing = WITHOUT[how](INPUTS[name], lacks)
    attempt(wire().check, inputs, missing)
    for before, after in ((olds, inputs), (outs, old_inputs), (olds, old_inputs)):
        replaces = ["triggers"] if (name, lacks) == NEW_TRIGGERS and before.get(lacks) != after.get(lacks) else []
        assert replaces == attempt(wire().diff, id, before, after).replaces
    found = attempt(wire().read, id, olds, old_inputs)
    updated = attempt(wire().update, id, olds, inputs)
    lost = LOST.get((name, lacks), set[str]())
    kept, expected = ({one: value[one] for one in value.keys() - lost} for value in (updated, outs))
    assert (id, expected) == (found.id, kept)
    assert ["admin_email"] * ((name, lacks) == NEW_ADDRESS) == [property for property, _ in checked.failures]
    attempt(wire().delete, id, olds)
