"""The states of the stacks of a project, exported with the `pulumi` command."""

import os
from pathlib import Path

import pytest

from pulumi_dataprotection.inventory import StackState, StateSelection, read_states
from support.engine.stack import Stack
from support.shell import write_script

PROGRAM = """
    secret = pulumi.Output.secret("Gold")
    Protection("open", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")
    Protection("closed", tenant_id="tenant-contoso", resource="res-contoso-user-13", policy=secret)
"""


def read(folder: Path, *stacks: str) -> list[StackState]:
    """Read the states of stacks of a project."""
    return [*read_states(StateSelection(projects=[folder], stacks=stacks or ("*",)))]


def test_the_stacks_of_a_project_are_exported_and_decrypted_if_that_is_possible(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack.deploy(PROGRAM)
    for name, value in stack.environment.items():
        monkeypatch.setenv(name, value)
    (whole,) = read(tmp_path, "d*")
    assert ("dev", str(tmp_path), "") == (whole.name, whole.source, whole.problem)
    by_name = {one.name: one for one in whole.resources}
    assert {"policy"} <= by_name["closed"].secret
    assert ("Gold", frozenset()) == (by_name["closed"].inputs["policy"], by_name["closed"].hidden)
    monkeypatch.delenv("VAULT_SERVER_URL")
    (encrypted,) = read(tmp_path)
    assert whole.declared.keys() == encrypted.declared.keys()
    assert {"closed"} == {one.name for one in encrypted.resources if one.hidden}
    (missing,) = read(tmp_path, "prod")
    assert ("prod", True) == (missing.name, bool(missing.problem))


ANSWERS = {
    "no stacks": "echo '[]'",
    "no JSON": "echo {",
    "no list": "echo 1",
    "no names": "echo '[{}]'",
    "no": "exit 3",
}


@pytest.mark.parametrize("script", ANSWERS.values(), ids=ANSWERS)
def test_a_project_whose_stacks_cannot_be_listed_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    write_script(tmp_path / "pulumi", script)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    (state,) = read(tmp_path)
    assert (str(tmp_path), True, ()) == (state.source, bool(state.problem), state.resources)


def test_a_project_that_is_not_there_and_a_stack_that_cannot_be_exported_are_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_script(tmp_path / "pulumi", """test "$2" = export && exit 1; echo '[{"name": "a"}, {"name": "b"}]'""")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    assert [("a", True), ("b", True)] == [(state.name, bool(state.problem)) for state in read(tmp_path)]
    (missing,) = read(tmp_path / "nowhere")
    assert "nowhere" in missing.problem
