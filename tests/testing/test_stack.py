"""Stacks of the plugin on the real engine."""

import os
import sys
from pathlib import Path

import pytest

from pulumi_dataprotection.testing import Emulator, StackFactory
from pulumi_dataprotection.testing._project import write_program
from support import run_process
from support.cli.getting import settings

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
    """Return a project with its program in a folder, and the settings of a real stack."""
    (tmp_path / "program").mkdir()
    (tmp_path / "Pulumi.yaml").write_text(PROJECT)
    (tmp_path / "Pulumi.dev.yaml").write_text("encryptionsalt: real\nconfig: {dataprotection:apiKey: real}\n")
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


def test_a_preview_with_a_read_only_key_has_the_known_outputs(shop: Path, dataprotection_stack: StackFactory) -> None:
    preview = dataprotection_stack(shop, config=CONFIG, key="read_only").preview()
    assert not preview.failed, preview.text
    # Two resources have this name.
    assert {"fabrikam": "create, create"} == preview.steps
    assert {"config": ["Delft", ["ä", {"😀": 1}], 3], "secret": "[secret]"} == preview.outputs
    assert ([], {"Read-only"}) == (preview.writes, {request["key"] for request in preview.requests})


def test_an_outcome_has_the_requests_and_errors_of_its_command(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    protect = """
        from pulumi_dataprotection import Protection
        Protection("jane", tenant_id="tenant-contoso", resource="res-contoso-user-09", policy="Gold")
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
    operations = [write["operation"] for write in destroyed.writes]
    assert ({"jane": "delete"}, ["unprotect_resource"]) == (destroyed.steps, operations)


def test_stacks_of_one_test_see_each_other(dataprotection_stack: StackFactory) -> None:
    dataprotection_stack("import pulumi; pulumi.export('word', 'hello')", name="one").up()
    program = """
        import pulumi
        pulumi.export("word", pulumi.StackReference("organization/test/one").get_output("word"))
        """
    assert {"word": "hello"} == dataprotection_stack(program, name="two").up().outputs


def test_an_impossible_stack_is_an_error(tmp_path: Path, dataprotection_stack: StackFactory) -> None:
    with pytest.raises(ValueError, match=r"elsewhere .*Pulumi\.yaml"):
        dataprotection_stack(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match="as Path"):
        dataprotection_stack(str(tmp_path))
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: nodejs\n")
    with pytest.raises(ValueError, match="'nodejs'; only Python"):
        dataprotection_stack(tmp_path)
    dataprotection_stack("")
    with pytest.raises(RuntimeError, match="stack 'organization/test/dev' already exists"):
        dataprotection_stack("")


def test_settings_of_the_user_do_not_count(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATAPROTECTION_PROFILES", "{}")
    monkeypatch.setenv("PULUMI_ACCESS_TOKEN", "pul-1")
    monkeypatch.setenv("DATAPROTECTION_API_KEY", "the real one")
    environment = dataprotection_stack("", real_time=True).environment
    ours = {name: value for name, value in environment.items() if name.startswith(("DATAPROTECTION_", "PULUMI_A"))}
    assert settings(dataprotection_emulator) == ours


def test_each_version_of_a_program_runs_also_within_a_second(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode")}
    for version in range(3):
        write_program(f"print({version})", tmp_path)
        run = run_process([sys.executable, tmp_path], env=environment, check=True)
        assert f"{version}\n" == run.stdout
