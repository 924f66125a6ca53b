"""Where a look-up finds its settings: by the rules that resources follow."""

import json

import pulumi
import pytest

from pulumi_dataprotection import get_org
from support import Emulator
from support.functions.program import Program


def name_of_contoso(profile: str | None = None) -> str | None:
    return get_org("org-contoso", profile=profile).name


def test_config_alone_is_enough(program: Program, emulator: Emulator) -> None:
    config = {"apiKey": emulator.api_key, "baseUrl": emulator.url}
    assert program.run(name_of_contoso, config) == "Contoso"


def test_variables_alone_are_enough(shop: Program) -> None:
    assert shop.run(name_of_contoso) == "Contoso"


def test_a_variable_wins_over_config(shop: Program) -> None:
    assert shop.run(name_of_contoso, {"apiKey": "stale", "baseUrl": "http://127.0.0.1:1"}) == "Contoso"


@pytest.mark.parametrize("blank", ["", " \t"])
def test_a_blank_variable_counts_as_not_set(
    program: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch, blank: str
) -> None:
    monkeypatch.setenv("DATAPROTECTION_API_KEY", blank)
    config = {"apiKey": emulator.api_key, "baseUrl": emulator.url}
    assert program.run(name_of_contoso, config) == "Contoso"


def test_a_profile_is_found_in_config(program: Program, emulator: Emulator) -> None:
    profiles = json.dumps({"second": {"apiKey": emulator.api_key, "baseUrl": emulator.url}})
    assert program.run(lambda: name_of_contoso("second"), {"profiles": profiles}) == "Contoso"


def test_a_profile_is_found_in_a_variable(
    program: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    profiles = json.dumps({"second": {"apiKey": emulator.api_key, "baseUrl": emulator.url}})
    monkeypatch.setenv("DATAPROTECTION_PROFILES", profiles)
    assert program.run(lambda: name_of_contoso("second")) == "Contoso"


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        (
            None,
            (
                "get_org: no apiKey: set the environment variable DATAPROTECTION_API_KEY, "
                "or run `pulumi config set --secret dataprotection:apiKey`; "
                "a preview without look-ups needs none where previewChecks is false"
            ),
        ),
        (
            "second",
            (
                "get_org: profile 'second' is asked for, and there are no profiles: set DATAPROTECTION_PROFILES, or "
                "run `pulumi config set --secret --path dataprotection:profiles.NAME.apiKey` and the same for baseUrl"
            ),
        ),
    ],
    ids=["key", "profile"],
)
def test_a_missing_setting_ends_the_program_with_what_to_do(
    program: Program, profile: str | None, expected: str
) -> None:
    with pytest.raises(pulumi.RunError) as raised:
        program.run(lambda: name_of_contoso(profile))
    assert expected == str(raised.value)
