"""The settings of `dataprotection get`: the environment and the config of a stack, selected or named."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from pulumi_dataprotection.inventory import pulumi_command
from support import HANG, Emulator
from support.cli.getting import get_unset, settings
from support.engine.stack import Stack
from support.shell import write_script

WHO = ("org", "--id", "org-contoso", "--format", "csv")
CONTOSO = "id,external_id,kind,name\norg-contoso,crm-1002,basic,Contoso\n"
DEV = ("--stack", "dev")


@pytest.fixture
def project(stack: Stack, emulator: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stack:
    """The current folder's project, with a selected stack `dev` whose config leads to an emulator."""
    for name, value in stack.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    stack.configure("apiKey", emulator.api_key, secret=True)
    stack.configure("baseUrl", emulator.url)
    subprocess.run(["pulumi", "stack", "select", "dev"], env=stack.environment, check=True, timeout=HANG)
    return stack


def refused(*words: str, **variables: str) -> str:
    """Run the command without other settings; it must fail. Return its error."""
    result = get_unset(*WHO, *words, **variables)
    assert (1, "") == (result.exit_code, result.stdout)
    return result.stderr


def test_settings_come_from_variables_and_then_from_the_config_of_a_stack(
    project: Stack, emulator: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profiles = json.dumps({"second": {"apiKey": emulator.api_key, "baseUrl": emulator.url}})
    project.configure("profiles", profiles)
    second = ("--profile", "second")
    ways: list[tuple[tuple[str, ...], dict[str, str]]] = [
        ((), settings(emulator)),
        (second, {"DATAPROTECTION_PROFILES": profiles}),
        ((), {}),
        (DEV, {}),
        ((*DEV, *second), {"DATAPROTECTION_API_KEY": "stale"}),
    ]
    for words, variables in ways:
        result = get_unset(*WHO, *words, **variables)
        assert (0, CONTOSO, "") == (result.exit_code, result.stdout, result.stderr), words
    assert "DATAPROTECTION_API_KEY" in refused(*DEV, DATAPROTECTION_API_KEY="another key")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert CONTOSO == get_unset(*WHO).stdout
    project.configure("apiKey", " ")
    for words in ((), DEV):
        stderr = refused(*words)
        assert (True, False) == ("no apiKey" in stderr, "--stack" in stderr)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("file", ["", "name: another\nruntime: python\n"], ids=["no project", "no stack"])
def test_an_error_without_a_selected_stack_names_the_option(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    folder = tmp_path_factory.mktemp("other")
    if file:
        (folder / "Pulumi.yaml").write_text(file)
    monkeypatch.chdir(folder)
    assert re.search(r"^Error: get_org: no apiKey: .*DATAPROTECTION_API_KEY.*--stack\)\n$", refused())


@pytest.mark.usefixtures("project")
def test_a_selected_stack_that_cannot_be_read_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, emulator: Emulator
) -> None:
    (tmp_path / "Pulumi.dev.yaml").write_text(OTHER_CONFIG)
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "wrong")
    result = get_unset(*WHO, **settings(emulator))
    assert (0, CONTOSO) == (result.exit_code, result.stdout)
    assert re.fullmatch("Warning: .* selected stack .*: incorrect passphrase\n", result.stderr)


# Written by `pulumi stack init` and `pulumi config set --secret` with an empty passphrase.
OTHER_CONFIG = """\
encryptionsalt: v1:qM3ySArhNvs=:v1:tvVhWmlNRPK6BRRO:dj5tIXu1I/0v+nC4N8Urp3VBk2vGsg==
config:
  dataprotection:apiKey:
    secure: v1:hp7Pko9TczSqhPUZ:6gg+QXnJieQtmJT1OfUyAm8=
"""


@pytest.mark.usefixtures("project")
def test_an_unreadable_stack_is_an_error_with_its_reason_and_without_its_config(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "Pulumi.dev.yaml"
    assert re.fullmatch("Error: .*'prod' .*: no stack named 'prod' found\n", refused("--stack", "prod"))
    config.write_text(OTHER_CONFIG)
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "wrong")
    assert re.fullmatch("Error: .*'dev' .*: incorrect passphrase\n", refused(*DEV))
    config.write_text("config: key-that-stands-in-the-wrong-place\n")
    broken = refused(*DEV)
    assert (True, False) == ("invalid YAML file" in broken, "key-" in broken)
    monkeypatch.chdir(tmp_path_factory.mktemp("nothing"))
    assert re.match("Error: .*'dev' .*: no Pulumi.yaml project file", refused(*DEV))


COMMANDS = {
    None: "not on PATH",
    "exec sleep 50": "timed out after 0.1 seconds",
    "echo s3cr3t": " JSON",
    "echo s3cr3t; exit 3": " status 3",
}


@pytest.mark.parametrize("script", COMMANDS)
def test_a_broken_pulumi_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None) -> None:
    monkeypatch.setattr(pulumi_command, "SECONDS", 0.1 if script and "sleep" in script else 60)
    if script:
        write_script(tmp_path / "pulumi", script)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin" if script else str(tmp_path))
    stderr = refused(*DEV)
    assert re.fullmatch(f"Error: .*'dev' .*{COMMANDS[script]}\n", stderr)
    assert "s3cr3t" not in stderr
