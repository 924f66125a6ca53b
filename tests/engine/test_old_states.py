"""States of earlier versions: this version refreshes, previews and destroys them, without an `up` before."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pulumi_dataprotection import resources
from pulumi_dataprotection.resources._provider import SCHEMA
from support import HANG, Emulator
from support.engine.old_states import OldState, old_states
from support.engine.stack import Stack

STATES = old_states()


def load(stack: Stack, emulator: Emulator, old: OldState) -> None:
    """Restore the service and the stack of the old version, without the program."""
    emulator.reset("empty")
    emulator.patch(old.service)
    emulator.clear_requests()
    stack.use_profile("msp")
    stack.load(old.state)


def ours(state: dict[str, Any]) -> list[dict[str, Any]]:
    return [resource for resource in state["deployment"]["resources"] if "dataprotection" in resource["type"]]


def shapes(state: dict[str, Any]) -> dict[str, tuple[set[str], set[str]]]:
    """Return the names of the inputs and outputs of each resource of a state."""
    return {resource["urn"]: ({*resource["inputs"]}, {*resource["outputs"]}) for resource in ours(state)}


def another_environment(folder: Path) -> Path:
    """Make a virtual environment of the same packages elsewhere; each start of its Python is noted in a file."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], timeout=HANG, check=True)
    (site,) = folder.glob("lib/*/site-packages")
    notes, ours = folder / "starts", next(path for path in sys.path if path.endswith("site-packages"))
    (site / "ours.pth").write_text(
        f"import site, sys; site.addsitedir({ours!r}); print(*sys.orig_argv, file=open({str(notes)!r}, 'a'))\n"
    )
    return notes


def test_each_schema_has_a_state() -> None:
    written = {resource["outputs"]["schema_version"] for old in STATES for resource in ours(old.state)}
    assert [*range(1, SCHEMA + 1)] == sorted(written), "run `cd tests && python -m support.engine.old_states`"
    assert [*range(1, SCHEMA + 1)] == [old.schema for old in STATES]


def test_the_newest_state_has_each_kind_of_resource() -> None:
    assert {*resources.__all__, "MemberRemoval"} == {
        resource["type"].rpartition(":")[2] for resource in ours(STATES[-1].state)
    }


@pytest.mark.parametrize("old", STATES, ids=lambda old: f"schema {old.schema}")
def test_an_old_state_is_refreshed_previewed_and_destroyed(stack: Stack, emulator: Emulator, old: OldState) -> None:
    load(stack, emulator, old)
    refresh = stack.refresh()
    assert not refresh.failed, refresh.text
    assert "delete" not in refresh.refreshed.values()
    if old.schema == SCHEMA:
        assert refresh.refreshed == {}
        assert shapes(old.state) == shapes(stack.export()), "another shape of the state needs another SCHEMA"
    stack.write("\n".join(old.program))
    preview = stack.preview()
    assert (False, {}) == (preview.failed, preview.steps), preview.text
    assert_destroyed(stack, emulator, old)


@pytest.mark.parametrize("old", STATES, ids=lambda old: f"schema {old.schema}")
def test_an_old_state_is_destroyed_from_another_virtual_environment(
    stack: Stack, emulator: Emulator, tmp_path: Path, old: OldState
) -> None:
    load(stack, emulator, old)
    notes = another_environment(tmp_path / "venv")
    stack.set_environment(PATH=f"{tmp_path / 'venv' / 'bin'}{os.pathsep}{stack.environment['PATH']}", VIRTUAL_ENV=None)
    assert not stack.refresh().failed
    assert_destroyed(stack, emulator, old)
    providers = {start for start in notes.read_text().splitlines() if "-m pulumi.dynamic" in start}
    assert len(providers) == len(["refresh", "destroy"]), "the provider ran elsewhere"


def assert_destroyed(stack: Stack, emulator: Emulator, old: OldState) -> None:
    destroy = stack.destroy()
    assert not destroy.failed, destroy.text
    assert stack.resources() == {}
    state = emulator.state()
    protected = {protection["resource_id"] for protection in state["protections"]}
    names = {resource["external_id"] for resource in state["resources"] if resource["id"] in protected}
    assert {*old.stays_protected} == names
    assert [org["id"] for org in old.service["orgs"]] == [org["id"] for org in state["orgs"]]
