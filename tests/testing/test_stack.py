"""Stacks of the plugin on the real engine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pulumi_dataprotection.testing import Emulator, StackFactory
from pulumi_dataprotection.testing._project import write_program
from support import HANG

PROJECT = """
name: dataprotection
backend: {url: https://nowhere.invalid}
main: program
runtime: {name: python, options: {virtualenv: .venv, toolchain: uv}}
config: {city: {value: Delft}}
"""
PROGRAM = """
import pulumi
import words
from pulumi_dataprotection import Org, Protection

org = Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email="it@fabrikam.example")
Protection("fabrikam", tenant_id="tenant-contoso", resource="res-contoso-user-09", policy="Gold")
config = pulumi.Config()
pulumi.export("org", [org.id])
pulumi.export("invitation", {"url": org.invitation_url, "word": words.WORD})
pulumi.export("config", [config.get("city"), config.require_object("people"), pulumi.Config("who").get_int("is")])
pulumi.export("secret", pulumi.Output.secret("s3cret"))
"""
CONFIG = {"people": ["ä", {"😀": 1}], "who:is": 3}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project as people have it: its program in a folder of its own, and the settings of a real stack."""
    (tmp_path / "program").mkdir()
    (tmp_path / "Pulumi.yaml").write_text(PROJECT)
    (tmp_path / "Pulumi.dev.yaml").write_text("encryptionsalt: none of ours\nconfig: {dataprotection:apiKey: real}\n")
    (tmp_path / "program/__main__.py").write_text(PROGRAM)
    (tmp_path / "program/words.py").write_text("WORD = 'hello'\n")
    return tmp_path


def content(folder: Path) -> dict[Path, str]:
    return {path: path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_runs_where_it_is_and_stays_as_it_is(
    shop: Path, dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    before = content(shop)
    dataprotection_emulator.patch({"orgs": [{"id": "org-contoso", "name": "Contoso"}]})
    up = dataprotection_stack(shop, config=CONFIG).up()
    assert not up.failed, up.text
    made = next(org["id"] for org in dataprotection_emulator.state()["orgs"] if org["name"] == "Fabrikam")
    invitation = up.outputs.pop("invitation")
    assert {"org": [made], "config": ["Delft", ["ä", {"😀": 1}], 3], "secret": "s3cret"} == up.outputs
    assert "hello" in str(invitation)
    assert "https://portal.example/invitations/" in str(invitation)
    assert "s3cret" not in up.text
    assert before == content(shop)


def test_a_preview_by_a_pipelines_key_tells_what_it_can_know(shop: Path, dataprotection_stack: StackFactory) -> None:
    preview = dataprotection_stack(shop, config=CONFIG, key="read_only").preview()
    assert not preview.failed, preview.text
    # Two resources have this name.
    assert {"fabrikam": "create, create"} == preview.steps
    assert {"config": ["Delft", ["ä", {"😀": 1}], 3], "secret": "[secret]"} == preview.outputs
    assert ([], {"Read-only"}) == (preview.writes, {request["key"] for request in preview.requests})


def test_an_outcome_has_the_requests_of_its_own_command_and_what_went_wrong(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    protect = """
        import pulumi_dataprotection
        pulumi_dataprotection.Protection(
            "jane", tenant_id="tenant-contoso", resource="res-contoso-user-09", policy="Gold"
        )
        """
    stack = dataprotection_stack(protect)
    up = stack.up()
    assert ({"jane": "create"}, ["protect_resource"]) == (up.steps, [write["operation"] for write in up.writes])
    again = stack.up()
    assert ({}, []) == (again.steps, again.writes)
    assert up.requests + again.requests == dataprotection_emulator.requests()
    stack.write("raise ValueError('no program')")
    broken = stack.up()
    assert broken.failed
    assert "no program" in broken.messages[""]
    destroyed = stack.destroy()
    assert ({"jane": "delete"}, ["unprotect_resource"]) == (
        destroyed.steps,
        [write["operation"] for write in destroyed.writes],
    )


def test_stacks_of_one_test_see_each_other(dataprotection_stack: StackFactory) -> None:
    dataprotection_stack("import pulumi; pulumi.export('word', 'hello')", name="one").up()
    program = """
        import pulumi
        pulumi.export("word", pulumi.StackReference("organization/test/one").get_output("word"))
        """
    assert {"word": "hello"} == dataprotection_stack(program, name="two").up().outputs


def test_what_cannot_be_a_stack_is_told(tmp_path: Path, dataprotection_stack: StackFactory) -> None:
    with pytest.raises(ValueError, match=r"elsewhere has no Pulumi.yaml and no __main__.py"):
        dataprotection_stack(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match="would be the text of a program: name a folder as Path"):
        dataprotection_stack(str(tmp_path))
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: nodejs\n")
    with pytest.raises(ValueError, match="the runtime is 'nodejs'; only Python programs can use this package"):
        dataprotection_stack(tmp_path)
    dataprotection_stack("")
    with pytest.raises(RuntimeError, match="stack 'organization/test/dev' already exists"):
        dataprotection_stack("")


def test_settings_of_whoever_runs_the_tests_do_not_count(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATAPROTECTION_PROFILES", "{}")
    monkeypatch.setenv("PULUMI_ACCESS_TOKEN", "pul-1")
    monkeypatch.setenv("DATAPROTECTION_API_KEY", "the real one")
    environment = dataprotection_stack("", real_time=True).environment
    ours = {name: value for name, value in environment.items() if name.startswith(("DATAPROTECTION_", "PULUMI_A"))}
    expected = {
        "DATAPROTECTION_API_KEY": dataprotection_emulator.api_key,
        "DATAPROTECTION_BASE_URL": dataprotection_emulator.url,
        "DATAPROTECTION_CALLS_PER_SECOND": "0",
        "DATAPROTECTION_READ_LAG": "0",
    }
    assert expected == ours


def test_each_version_of_a_program_runs_however_fast_it_follows(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode")}
    for version in range(3):
        write_program(f"print({version})", tmp_path)
        run = subprocess.run(
            [sys.executable, tmp_path], env=environment, check=True, capture_output=True, text=True, timeout=HANG
        )
        assert f"{version}\n" == run.stdout
