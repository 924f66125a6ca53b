"""The arguments of all resources: each wrong value fails on its property, and unknown values pass."""

from collections.abc import Iterator

import pytest

from support import Emulator
from support.resources.arguments import ARGUMENTS
from support.resources.servicer import UNKNOWN, Properties, Run, Servicer, assert_names, failure_of

TEXTS = {
    "ArchiveDeletion": ["tenant_id", "archive_id", "reason", "profile"],
    "BackupRun": ["tenant_id", "job_id", "profile"],
    "Org": ["external_id", "name", "parent_org_id", "admin_email", "profile"],
    "Protection": ["tenant_id", "resource", "policy", "profile"],
    "ProtectionSet": ["tenant_id", "profile"],
}
IN_PATHS = {"tenant_id", "archive_id", "job_id", "parent_org_id"}
OPTIONAL = ["parent_org_id", "admin_email", "profile"]
CHOICES = {
    "on_conflict": "fail, take_over, accept",
    "on_destroy": "unprotect, keep",
    "adopt": "keep, own",
    "on_missing": "fail, warn",
}
OF_A_RUN: list[tuple[str, list[object], str]] = [
    ("triggers", ["monday", {"day": "monday"}], "list"),
    ("wait", ["yes", None], "true or false"),
    ("timeout", [0, -1.5, True, "60"], "seconds above 0"),
    ("success_statuses", [[], "done"], "at least one"),
    ("failure_statuses", [None], "at least one"),
    ("success_statuses", [["done", 7]], "each must be text"),
    ("failure_statuses", [[" "]], "empty"),
    ("failure_statuses", [["Done"]], '"Done" is named twice'),
    ("success_statuses", [["fine", "FINE"]], '"FINE" is named twice'),
]


def wrong() -> Iterator[tuple[str, str, object, str]]:
    """Yield each class and property, with a wrong value and words of the failure."""
    texts: list[tuple[object, str]] = [("", "empty"), (" \t", "empty"), ("a\nb", "control"), (7, "text"), (1.5, "text")]
    texts += [(True, "text"), (["a"], "text"), ({"a": "b"}, "text")]
    for kind, names in TEXTS.items():
        for name in names:
            yield from ((kind, name, value, words) for value, words in texts)
            yield from ((kind, name, value, "path") for value in ("..", "a/../b", "%2e%2e") if name in IN_PATHS)
            if name not in OPTIONAL:
                yield kind, name, None, "required"
    for name, words in CHOICES.items():
        others: list[object] = ["x", "", words.upper(), 7, True, [words], {}]
        for kind in ("ProtectionSet",) if name == "on_missing" else ("Protection", "ProtectionSet"):
            yield from ((kind, name, value, words) for value in others)
    yield from (("Protection", name, None, "") for name in ("on_conflict", "on_destroy"))
    yield from (("BackupRun", name, value, words) for name, values, words in OF_A_RUN for value in values)


@pytest.mark.parametrize(("kind", "name", "value", "words"), [*wrong()])
def test_a_wrong_value_fails_on_its_property_without_a_call(
    run: Run, emulator: Emulator, *, kind: str, name: str, value: object, words: str
) -> None:
    checked = run.wire(kind).check({}, {**ARGUMENTS[kind], name: value})
    # With the name of a property the engine prints its value, which is private or not printable.
    unnamed = name == "admin_email" or (isinstance(value, str) and not value.isprintable())
    assert (["" if unnamed else name], []) == (checked.names, emulator.requests())
    assert_names(checked.reason, words, *([f"{name}: "] if unnamed else []))


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, names in TEXTS.items() for name in names if name not in OPTIONAL]
)
def test_a_missing_argument_fails_on_its_property(run: Run, kind: str, name: str) -> None:
    checked = run.wire(kind).check({}, {key: value for key, value in ARGUMENTS[kind].items() if key != name})
    assert ([name], True) == (checked.names, "required" in checked.reason)


@pytest.mark.parametrize(
    ("kind", "name"),
    [*((kind, name) for kind, names in TEXTS.items() for name in names if name in OPTIONAL), ("BackupRun", "triggers")],
)
def test_an_optional_argument_may_be_null(offline: Run, kind: str, name: str) -> None:
    assert [] == offline.wire(kind).check({}, {**ARGUMENTS[kind], name: None}).names


@pytest.mark.parametrize(
    ("kind", "inputs", "names"),
    [
        ("Org", {"name": "", "admin_email": 5}, ["external_id", "name", ""]),
        ("Protection", {"tenant_id": "t", "policy": "", "on_conflict": "fail"}, ["resource", "policy", "on_destroy"]),
        (
            "ProtectionSet",
            {"tenant_id": "", "assignments": {"": "Gold"}, "on_destroy": "keep", "max_removals": -1, "on_missing": "x"},
            ["tenant_id", "on_conflict", "", "max_removals", "on_missing"],
        ),
        ("Org", {"external_id": "crm-7", "name": UNKNOWN, "admin_email": 5}, [""]),
    ],
)
def test_wrong_values_are_reported_together(
    run: Run, emulator: Emulator, kind: str, inputs: Properties, names: list[str]
) -> None:
    assert (names, []) == (run.wire(kind).check({}, inputs).names, emulator.requests())


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind, inputs in ARGUMENTS.items() for name in {**inputs, **dict.fromkeys(TEXTS[kind])}],
)
def test_an_unknown_value_passes_for_a_new_and_an_existing_resource(
    servicer: Servicer, emulator: Emulator, kind: str, name: str
) -> None:
    first = servicer.run(emulator).wire(kind).check({}, ARGUMENTS[kind]).inputs
    for olds in ({}, first):
        checked = servicer.run(emulator).wire(kind).check(olds, {**ARGUMENTS[kind], name: UNKNOWN})
        assert (UNKNOWN, []) == (checked.inputs[name], checked.failures)


@pytest.mark.parametrize("kind", ARGUMENTS)
def test_unknown_values_cost_no_call(run: Run, emulator: Emulator, kind: str) -> None:
    inputs = dict.fromkeys([*ARGUMENTS[kind], *TEXTS[kind]], UNKNOWN)
    assert (inputs, [], []) == (*run.wire(kind).check({}, inputs), emulator.requests())


NOWHERE: dict[str, Properties] = {
    "ArchiveDeletion": {"archive_id": "none"},
    "BackupRun": {"job_id": "none"},
    "Org": {"external_id": "crm-1001"},
    "Protection": {"resource": "nobody", "policy": "Platinum"},
    "ProtectionSet": {"assignments": {"nobody": "Platinum"}},
}


@pytest.mark.parametrize("kind", NOWHERE)
def test_an_offline_preview_costs_no_call(offline: Run, emulator: Emulator, kind: str) -> None:
    inputs = {**ARGUMENTS[kind], **NOWHERE[kind]}
    checked = offline.wire(kind).check({}, inputs)
    assert (inputs, [], []) == ({name: checked.inputs[name] for name in inputs}, checked.failures, emulator.requests())


@pytest.mark.parametrize("kind", [kind for kind, inputs in ARGUMENTS.items() if "tenant_id" in inputs])
def test_a_tenant_that_does_not_exist_fails_on_its_property(run: Run, kind: str) -> None:
    checked = run.wire(kind).check({}, {**ARGUMENTS[kind], "tenant_id": "tenant-nowhere"})
    assert_names(checked.reason, "404", "tenant-nowhere")
    assert ["tenant_id"] == checked.names


@pytest.mark.parametrize("kind", ["Org", "Protection"])
def test_an_invalid_key_ends_the_check(servicer: Servicer, emulator: Emulator, kind: str) -> None:
    wire = servicer.run(emulator, apiKey="stale").wire(kind)
    assert_names(failure_of(wire.check, {}, ARGUMENTS[kind]), "401", "dataprotection:apiKey")


TWICE: list[tuple[str, str, Properties]] = [
    ("ArchiveDeletion", "archive_id", {}),
    ("Org", "external_id", {}),
    ("Protection", "resource", {}),
    ("Protection", "resource", {"resource": "hannah.cohen@contoso.example"}),
]
"""The class, the property that names the item, and other arguments for the same item."""


@pytest.mark.parametrize(("kind", "name", "others"), TWICE)
def test_an_item_that_is_declared_twice_fails_on_its_property(
    run: Run, kind: str, name: str, others: Properties
) -> None:
    first, second = (run.wire(kind).named(name) for name in ("first", "second"))
    assert [[], []] == [first.check({}, ARGUMENTS[kind]).names for _ in range(2)]
    checked = second.check({}, {**ARGUMENTS[kind], **others})
    assert_names(checked.reason, ARGUMENTS[kind][name], "declared twice", '"first"')
    assert [name] == checked.names


@pytest.mark.parametrize(
    ("kind", "others"), [("Org", {}), ("Protection", {"policy": "Silver", "on_conflict": "take_over"})]
)
def test_an_item_that_is_declared_twice_is_not_written_twice_offline(
    offline: Run, emulator: Emulator, kind: str, others: Properties
) -> None:
    first, second = (offline.wire(kind).named(name) for name in ("first", "second"))
    first.create(ARGUMENTS[kind])
    assert_names(failure_of(second.create, {**ARGUMENTS[kind], **others}), "declared twice", '"first"')
    assert 1 == len(emulator.writes())
