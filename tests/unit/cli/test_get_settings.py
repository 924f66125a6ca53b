"""Where `dataprotection get` finds its settings: in the environment, and in the config of the stack that it is told."""

import json
import os
import stat
from pathlib import Path

import pytest

from pulumi_dataprotection.cli import stack_settings
from support import Emulator
from support.cli.getting import get_unset, settings
from support.engine.stack import Stack

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


def test_variables_alone_are_enough(emulator: Emulator) -> None:
    assert CONTOSO == get_unset(*WHO, **settings(emulator)).stdout


def test_a_profile_is_found_in_a_variable(emulator: Emulator) -> None:
    profiles = json.dumps({"second": {"apiKey": emulator.api_key, "baseUrl": emulator.url}})
    assert CONTOSO == get_unset(*WHO, "--profile", "second", DATAPROTECTION_PROFILES=profiles).stdout


@pytest.mark.usefixtures("project")
def test_no_settings_are_told_with_what_to_do() -> None:
    result = get_unset(*WHO)
    expected = (
        "Error: get_org: no apiKey: set the environment variable DATAPROTECTION_API_KEY, or run "
        "`pulumi config set --secret dataprotection:apiKey`; a preview without look-ups needs none where "
        "previewChecks is false (without --stack no stack's config was read)\n"
    )
    assert (1, "", expected) == (result.exit_code, result.stdout, result.stderr)


@pytest.mark.usefixtures("project")
def test_a_stacks_config_alone_is_enough() -> None:
    result = get_unset(*WHO, *DEV)
    assert (0, CONTOSO, "") == (result.exit_code, result.stdout, result.stderr)


@pytest.mark.usefixtures("project")
def test_a_variable_wins_over_a_stacks_config() -> None:
    result = get_unset(*WHO, *DEV, DATAPROTECTION_API_KEY="another key")
    assert (1, "") == (result.exit_code, result.stdout)
    assert "the API key from DATAPROTECTION_API_KEY holds a character that no key has" in result.stderr


def test_a_profile_is_found_in_a_stacks_config(project: Stack, emulator: Emulator) -> None:
    project.configure("profiles", json.dumps({"second": {"apiKey": emulator.api_key, "baseUrl": emulator.url}}))
    assert CONTOSO == get_unset(*WHO, *DEV, "--profile", "second", DATAPROTECTION_API_KEY="stale").stdout


def test_a_setting_that_is_missing_in_a_stack_too_is_told_without_advice_about_stacks(project: Stack) -> None:
    project.configure("apiKey", " ")
    assert get_unset(*WHO, *DEV).stderr.endswith("previewChecks is false\n")


# What `pulumi stack init` and `pulumi config set --secret` write if the passphrase is empty.
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
def test_a_stack_that_cannot_be_read_is_told_with_the_reason(
    emulator: Emulator, tmp_path: Path, name: str, variables: dict[str, str], expected: str
) -> None:
    (tmp_path / "Pulumi.dev.yaml").write_text(OTHER_CONFIG)
    result = get_unset(*WHO, "--stack", name, **settings(emulator), **variables)
    told = f"Error: the config of the stack '{name}' cannot be read: {expected}\n"
    assert (1, "", told) == (result.exit_code, result.stdout, result.stderr)


@pytest.mark.engine
def test_a_folder_without_a_project_is_told(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("nothing"))
    result = get_unset(*WHO, *DEV)
    assert (1, "") == (result.exit_code, result.stdout)
    assert result.stderr.startswith("Error: the config of the stack 'dev' cannot be read: no Pulumi.yaml project file")


@pytest.mark.usefixtures("project")
def test_a_config_that_is_broken_is_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.dev.yaml").write_text("config: key-that-stands-in-the-wrong-place\n")
    result = get_unset(*WHO, *DEV)
    assert (1, "") == (result.exit_code, result.stdout)
    assert "invalid YAML file" in result.stderr
    assert "key-" not in result.stderr


COMMANDS = {
    None: "the command `pulumi` is not on PATH",
    "exec sleep 50": "timed out after 0.1 seconds",
    "echo s3cr3t": "`pulumi config --json` did not answer with JSON",
    "echo s3cr3t; exit 3": "pulumi ended with status 3",
}


@pytest.mark.parametrize("script", COMMANDS)
def test_a_pulumi_that_does_not_work_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None
) -> None:
    monkeypatch.setattr(stack_settings, "_SECONDS", 0.1 if script and "sleep" in script else 60)
    if script:
        (tmp_path / "pulumi").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "pulumi").chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin" if script else str(tmp_path))
    result = get_unset(*WHO, *DEV)
    assert (1, "") == (result.exit_code, result.stdout)
    assert result.stderr.startswith("Error: the config of the stack 'dev' cannot be read: ")
    assert result.stderr.endswith(f"{COMMANDS[script]}\n")
    assert "s3cr3t" not in result.stderr
