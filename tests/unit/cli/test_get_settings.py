"""The settings of `dataprotection get`: the environment and the config of a named stack."""

import json
import os
import re
from pathlib import Path

import pytest

from pulumi_dataprotection.cli import stack_settings
from support import Emulator
from support.cli.getting import get_unset, settings
from support.engine.stack import Stack
from support.shell import write_script

WHO = ("org", "--id", "org-contoso", "--format", "csv")
CONTOSO = "id,external_id,kind,name\norg-contoso,crm-1002,basic,Contoso\n"
DEV = ("--stack", "dev")


@pytest.fixture
def project(stack: Stack, emulator: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stack:
    """The current folder's project, with a stack `dev` whose config leads to an emulator."""
    for name, value in stack.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    stack.configure("apiKey", emulator.api_key, secret=True)
    stack.configure("baseUrl", emulator.url)
    return stack


@pytest.mark.usefixtures("project")
def test_missing_settings_are_an_error_that_names_the_option_for_a_stack() -> None:
    result = get_unset(*WHO)
    assert (1, "") == (result.exit_code, result.stdout)
    assert re.search(r"^Error: get_org: no apiKey: .*DATAPROTECTION_API_KEY.*--stack.*\)\n$", result.stderr)


@pytest.mark.usefixtures("project")
def test_the_config_of_a_stack_is_enough() -> None:
    result = get_unset(*WHO, *DEV)
    assert (0, CONTOSO, "") == (result.exit_code, result.stdout, result.stderr)


def test_variables_are_enough(emulator: Emulator) -> None:
    profiles = json.dumps({"second": {"apiKey": emulator.api_key, "baseUrl": emulator.url}})
    assert CONTOSO == get_unset(*WHO, **settings(emulator)).stdout
    assert CONTOSO == get_unset(*WHO, "--profile", "second", DATAPROTECTION_PROFILES=profiles).stdout


@pytest.mark.usefixtures("project")
def test_a_variable_wins_over_the_config_of_a_stack() -> None:
    result = get_unset(*WHO, *DEV, DATAPROTECTION_API_KEY="another key")
    assert (1, "") == (result.exit_code, result.stdout)
    assert "DATAPROTECTION_API_KEY" in result.stderr


def test_a_profile_is_found_in_the_config_of_a_stack(project: Stack, emulator: Emulator) -> None:
    project.configure("profiles", json.dumps({"second": {"apiKey": emulator.api_key, "baseUrl": emulator.url}}))
    assert CONTOSO == get_unset(*WHO, *DEV, "--profile", "second", DATAPROTECTION_API_KEY="stale").stdout


def test_a_setting_that_is_missing_in_the_stack_is_an_error_without_that_option(project: Stack) -> None:
    project.configure("apiKey", " ")
    stderr = get_unset(*WHO, *DEV).stderr
    assert (True, False) == ("no apiKey" in stderr, "--stack" in stderr)


# Written by `pulumi stack init` and `pulumi config set --secret` with an empty passphrase.
OTHER_CONFIG = """\
encryptionsalt: v1:qM3ySArhNvs=:v1:tvVhWmlNRPK6BRRO:dj5tIXu1I/0v+nC4N8Urp3VBk2vGsg==
config:
  dataprotection:apiKey:
    secure: v1:hp7Pko9TczSqhPUZ:6gg+QXnJieQtmJT1OfUyAm8=
"""


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("name", "variables", "expected"),
    [
        ("prod", {}, "no stack named 'prod' found"),
        ("dev", {"PULUMI_CONFIG_PASSPHRASE": "wrong"}, "incorrect passphrase"),
    ],
)
def test_an_unreadable_stack_is_an_error_with_its_reason(
    emulator: Emulator, tmp_path: Path, name: str, variables: dict[str, str], expected: str
) -> None:
    (tmp_path / "Pulumi.dev.yaml").write_text(OTHER_CONFIG)
    result = get_unset(*WHO, "--stack", name, **settings(emulator), **variables)
    assert (1, "") == (result.exit_code, result.stdout)
    assert re.fullmatch(f"Error: .*'{name}' .*: {expected}\n", result.stderr)


@pytest.mark.engine
def test_a_folder_without_a_project_is_an_error(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("nothing"))
    result = get_unset(*WHO, *DEV)
    assert (1, "") == (result.exit_code, result.stdout)
    assert re.match("Error: .*'dev' .*: no Pulumi.yaml project file", result.stderr)


@pytest.mark.usefixtures("project")
def test_a_broken_config_is_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.dev.yaml").write_text("config: key-that-stands-in-the-wrong-place\n")
    result = get_unset(*WHO, *DEV)
    assert (1, "") == (result.exit_code, result.stdout)
    assert "invalid YAML file" in result.stderr
    assert "key-" not in result.stderr


COMMANDS = {
    None: "not on PATH",
    "exec sleep 50": "timed out after 0.1 seconds",
    "echo s3cr3t": " JSON",
    "echo s3cr3t; exit 3": " status 3",
}


@pytest.mark.parametrize("script", COMMANDS)
def test_a_broken_pulumi_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None) -> None:
    monkeypatch.setattr(stack_settings, "_SECONDS", 0.1 if script and "sleep" in script else 60)
    if script:
        write_script(tmp_path / "pulumi", script)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin" if script else str(tmp_path))
    result = get_unset(*WHO, *DEV)
    assert (1, "") == (result.exit_code, result.stdout)
    assert re.fullmatch(f"Error: .*'dev' .*{COMMANDS[script]}\n", result.stderr)
    assert "s3cr3t" not in result.stderr
