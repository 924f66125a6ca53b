"""The settings of functions: they follow the same rules as those of resources."""

import json

import pulumi
import pytest

from pulumi_dataprotection import get_org
from support import Emulator
from support.functions.program import Program

SOURCES: dict[str, tuple[str | None, dict[str, str], dict[str, str]]] = {
    "config": (None, {"apiKey": "KEY", "baseUrl": "URL"}, {}),
    "variables before config": (
        None,
        {"apiKey": "stale", "baseUrl": "http://127.0.0.1:1"},
        {"API_KEY": "KEY", "BASE_URL": "URL"},
    ),
    "a blank variable": (None, {"apiKey": "KEY", "baseUrl": "URL"}, {"API_KEY": " \t"}),
    "a profile of the config": ("second", {"profiles": "PROFILES"}, {}),
    "a profile of a variable": ("second", {}, {"PROFILES": "PROFILES"}),
}


@pytest.mark.parametrize(("profile", "config", "variables"), SOURCES.values(), ids=SOURCES)
def test_settings_are_found(  # noqa: PLR0917 - three fixtures
    program: Program,
    emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    profile: str | None,
    config: dict[str, str],
    variables: dict[str, str],
) -> None:
    profiles = json.dumps({"second": {"apiKey": emulator.api_key, "baseUrl": emulator.url}})
    values = {"KEY": emulator.api_key, "URL": emulator.url, "PROFILES": profiles}
    for name, value in variables.items():
        monkeypatch.setenv(f"DATAPROTECTION_{name}", values.get(value, value))
    given = {key: values.get(value, value) for key, value in config.items()}
    assert "Contoso" == program.run(lambda: get_org("org-contoso", profile=profile).name, given)


@pytest.mark.parametrize(
    ("profile", "named"),
    [(None, "no apiKey: .*DATAPROTECTION_API_KEY"), ("second", "profile 'second' .*DATAPROTECTION_PROFILES")],
    ids=["key", "profile"],
)
def test_a_missing_setting_ends_the_program_and_is_named(program: Program, profile: str | None, named: str) -> None:
    with pytest.raises(pulumi.RunError, match=f"^get_org: {named}"):
        program.run(lambda: get_org("org-contoso", profile=profile))
