"""Where a provider finds its settings."""

from pathlib import Path

import pytest

from support import Emulator
from support.resources.scripted import ScriptedServer, reply
from support.resources.servicer import OperationError, Servicer

ORG = reply(200, {"id": "org-1", "external_id": "crm-1", "name": "Shop"})


def test_config_alone_is_enough(servicer: Servicer, emulator: Emulator) -> None:
    run = servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})
    assert run.org.get("org-contoso").id == "org-contoso"


def test_variables_alone_are_enough(tmp_path: Path, emulator: Emulator) -> None:
    variables = {"DATAPROTECTION_API_KEY": emulator.api_key, "DATAPROTECTION_BASE_URL": emulator.url}
    with Servicer(tmp_path / "log", variables=variables) as own:
        assert own.run({}).org.get("org-contoso").id == "org-contoso"


def test_a_variable_wins_over_config_unless_it_is_blank(tmp_path: Path, emulator: Emulator) -> None:
    variables = {"DATAPROTECTION_API_KEY": emulator.api_key, "DATAPROTECTION_BASE_URL": " "}
    with Servicer(tmp_path / "log", variables=variables) as own:
        run = own.run({"apiKey": "stale", "baseUrl": emulator.url})
        assert run.org.get("org-contoso").id == "org-contoso"


@pytest.mark.parametrize("suffix", ["", "/", "/api/v1", "/api/v1/"])
def test_a_base_url_may_be_written_in_several_ways(servicer: Servicer, suffix: str) -> None:
    with ScriptedServer({"GET /api/v1/orgs/org-1": [ORG]}) as server:
        run = servicer.run({"apiKey": "key", "baseUrl": f"{server.url}{suffix}"})
        assert run.org.get("org-1").outs["name"] == "Shop"


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (
            {"apiKey": "key"},
            (
                "no baseUrl: set the environment variable DATAPROTECTION_BASE_URL, "
                "or run `pulumi config set dataprotection:baseUrl`; "
                "a preview without look-ups needs none where previewChecks is false"
            ),
        ),
        (
            {"apiKey": " ", "baseUrl": "https://x"},
            (
                "no apiKey: set the environment variable DATAPROTECTION_API_KEY, "
                "or run `pulumi config set --secret dataprotection:apiKey`; "
                "a preview without look-ups needs none where previewChecks is false"
            ),
        ),
    ],
    ids=["no base URL", "blank key"],
)
def test_a_missing_setting_names_both_ways_to_set_it(servicer: Servicer, config: dict[str, str], expected: str) -> None:
    with pytest.raises(OperationError) as raised:
        servicer.run(config).org.get("org-1")
    assert expected == str(raised.value)
