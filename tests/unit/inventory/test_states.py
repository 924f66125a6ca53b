"""The states of stacks, read from files of each shape."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.inventory import Declared, StackState, StateSelection, read_states
from pulumi_dataprotection.inventory.state_file import parse_state
from support.engine.old_states import OldState, old_states
from support.inventory.states import exported, resource, write_state

SECRET = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270"}
ENCRYPTED = {**SECRET, "ciphertext": "v1:LaHBKp7cR3jjGBUd:0+QqWQ=="}


def protection(number: int, policy_id: object = "gold", **fields: object) -> dict[str, Any]:
    """Return the protection of an item."""
    return {**resource("Protection", f"p{number}", f"tenant/item-{number}", policy_id=policy_id), **fields}


def parsed(state: object) -> StackState:
    """Read a state that names no stack itself."""
    return parse_state(json.dumps(state).encode(), "file", "file.json")


def read(*paths: Path, stacks: tuple[str, ...] = ("*",)) -> list[StackState]:
    """Read files and folders."""
    return [*read_states(StateSelection(files=[*map(str, paths)], stacks=stacks))]


@pytest.mark.parametrize("old", old_states(), ids=lambda old: f"schema {old.schema}")
def test_the_state_of_each_version_shows_all_resources_and_the_protections_that_they_declare(old: OldState) -> None:
    state = parsed(old.state)
    declared = {key: found.policy_id for key, found in state.declared.items()}
    assert ("dev", "") == (state.name, state.problem)
    ours = {"Protection", "ProtectionSet", "Org", "ArchiveDeletion", "BackupRun"}
    assert ours == {one.kind for one in state.resources} - {"MemberRemoval"}
    on = {("tenant", one["resource_id"]): one["policy_id"] for one in old.service["protections"]}
    assert on == declared
    sets = {one.urn: one.name for one in state.resources}
    assert "set" == sets[state.declared["tenant", "res-created-member"].urn]
    assert not {"invitation_url", "admin_email", "__provider"} & {
        name for one in state.resources for name in one.outputs
    }


def test_a_member_without_a_policy_is_declared_too() -> None:
    fields: dict[str, Any] = {"assignments": {"jane@": "Gold", "res-2": "silver"}, "resource_ids": {"jane@": "res-1"}}
    members = resource("ProtectionSet", "people", "tenant", tenant_id="tenant", protected={"res-2": "silver"}, **fields)
    urn = members["urn"]
    expected = {("tenant", "res-1"): Declared("Gold", urn), ("tenant", "res-2"): Declared("silver", urn)}
    assert expected == parsed(exported(members)).declared


def test_resources_that_a_program_only_reads_or_that_are_to_be_deleted_are_left_out() -> None:
    other = {"urn": "urn:pulumi:north::shop::aws:s3/bucket:Bucket::b", "type": "aws:s3/bucket:Bucket"}
    state = parsed(exported(other, protection(1), protection(2, external=True), protection(3, delete=True)))
    assert {("tenant", "item-1")} == {*state.declared}


def test_only_encrypted_properties_are_missing() -> None:
    state = parsed(exported(protection(1, ENCRYPTED), protection(2, {**SECRET, "plaintext": '"gold"'}), protection(3)))
    assert [{"policy_id"}, set[str](), set[str]()] == [{*one.hidden} for one in state.resources]
    assert [{"policy_id"}, {"policy_id"}, set[str]()] == [{*one.secret} for one in state.resources]
    assert ["", "gold", "gold"] == [found.policy_id for found in state.declared.values()]


def test_a_secret_inside_of_a_property_hides_the_property() -> None:
    members: dict[str, Any] = {"assignments": {"jane@": ENCRYPTED}, "protected": {}}
    (found,) = parsed(exported(resource("ProtectionSet", "people", "tenant", tenant_id="tenant", **members))).resources
    assert ({"assignments"}, False) == ({*found.hidden}, "assignments" in found.inputs)


def test_a_file_is_an_export_or_a_checkpoint_of_a_backend_compressed_or_not(tmp_path: Path) -> None:
    latest = exported(protection(1))["deployment"]
    checkpoint = {"version": 3, "checkpoint": {"stack": "organization/shop/south", "latest": latest}}
    (tmp_path / "export.json").write_text(json.dumps(exported(protection(1))))
    (tmp_path / "south.json").write_text(json.dumps(checkpoint))
    (tmp_path / "south.json.gz").write_bytes(gzip.compress(json.dumps(checkpoint).encode()))
    found = read(tmp_path / "export.json", tmp_path / "south.json", tmp_path / "south.json.gz")
    assert ["north", "south", "south"] == [state.name for state in found]
    assert [1, 1, 1] == [len(state.declared) for state in found]


def test_a_folder_of_a_backend_holds_the_states_of_its_stacks_and_not_the_older_ones(tmp_path: Path) -> None:
    text = json.dumps(exported(protection(1)))
    for name in ("stacks/shop/north.json", "stacks/shop/north.json.bak", "history/shop/north/n.checkpoint.json"):
        file = tmp_path / ".pulumi" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    ways = (tmp_path, tmp_path / ".pulumi", tmp_path / ".pulumi/stacks", tmp_path / ".pulumi/**/north.json")
    expected = str(tmp_path / ".pulumi/stacks/shop/north.json")
    assert [[expected]] * len(ways) == [[state.source for state in read(way)] for way in ways]
    assert [expected] == [state.source for state in read(*ways)], "a file that is given twice is read once"


def test_globs_choose_stacks_by_name_and_a_glob_without_a_stack_is_a_problem(tmp_path: Path) -> None:
    for name in ("north", "south", "east"):
        write_state(tmp_path, stack=name)
    found = read(tmp_path, stacks=("*th", "e?st", "west*"))
    assert ["east", "north", "south", "west*"] == [state.name for state in found]
    assert [False, False, False, True] == [bool(state.problem) for state in found]


def test_a_stack_without_a_state_has_no_resources_and_no_problem() -> None:
    states = ({"version": 3, "checkpoint": {"stack": "organization/shop/dev"}}, {"version": 3, "deployment": None})
    assert [("dev", "", 0), ("file", "", 0)] == [
        (found.name, found.problem, len(found.resources)) for found in map(parsed, states)
    ]


WHOLE = json.dumps(exported(protection(1))).encode()
BROKEN = {
    "truncated": WHOLE[:200],
    "empty": b"",
    "text": b"hello",
    "not UTF-8": b'{"deployment": "\xff"}',
    "compressed and truncated": gzip.compress(WHOLE)[:60],
    "compressed garbage": b"\x1f\x8bgarbage",
    "another file": b'{"name": "shop"}',
    "a list": b"[]",
    "no list": b'{"deployment": {"resources": {"a": 1}}}',
    "no id": json.dumps(exported(protection(1, id=None))).encode(),
    "no policies": json.dumps(exported(resource("ProtectionSet", "s", "t", protected=["a"]))).encode(),
    "no policy": json.dumps(exported(resource("ProtectionSet", "s", "t", adopted={"a": 1}))).encode(),
    "no ids": json.dumps(exported(resource("ProtectionSet", "s", "t", resource_ids={"a": ["b"]}))).encode(),
    "no displaced policies": json.dumps(exported(resource("ProtectionSet", "s", "t", displaced={"a": None}))).encode(),
    "a broken secret": json.dumps(exported(protection(1, {**SECRET, "plaintext": "{"}))).encode(),
    "deep": b'{"deployment":' + b"[" * 200_000,
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_or_foreign_file_is_a_problem_and_the_others_are_read(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.json").write_bytes(content)
    (tmp_path / "whole.json").write_bytes(WHOLE)
    broken, whole = read(tmp_path)
    assert ("broken", True, ()) == (broken.name, bool(broken.problem), broken.resources)
    assert ("north", "") == (whole.name, whole.problem)


def test_a_path_without_a_file_and_a_file_that_cannot_be_read_are_problems(tmp_path: Path) -> None:
    (tmp_path / "loop.json").symlink_to("loop.json")
    found = [*read(tmp_path / "nothing.json"), *read(tmp_path / "*.json")]
    assert [True, True] == [bool(state.problem) for state in found]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["resources", "urn", "id", "protected"]), inner),
)


MAPS = ["assignments", "resource_ids", "policy_ids", "protected", "adopted", "passed_on", "displaced"]


@given(
    where=st.sampled_from(["deployment", "resources", "inputs", "outputs", "urn", "type", "id", "stack", *MAPS]),
    value=JSON,
)
def test_no_content_of_a_state_raises_an_error(where: str, value: object) -> None:
    one = resource("ProtectionSet", "s", "t", tenant_id="t", protected={"a": "gold"})
    if where in MAPS:
        one["outputs"] = {**one["outputs"], where: value}
    elif where in one:
        one[where] = value
    state: dict[str, Any] = exported(one)
    if where == "deployment":
        state[where] = value
    elif where == "resources":
        state["deployment"][where] = value
    elif where == "stack":
        state = {"checkpoint": {"stack": value, "latest": state["deployment"]}}
    found = parsed(state)
    assert found.problem == "" or not found.resources
    assert len(found.declared) <= 1 + len(str(value))
