"""The emulator of the plugin, beyond the tests of the emulator."""

import json
from pathlib import Path

import pytest

from pulumi_dataprotection.client import Client, Settings, calls
from support import Emulator

OWN_KEYS = [
    {"name": "Pipeline", "key": "key-of-the-pipeline", "permissions": ["read"]},
    {"name": "Operator", "key": "key-of-the-operator", "permissions": ["read", "write"]},
]


def test_the_keys_of_a_document_count_until_the_next_seed(emulator: Emulator) -> None:
    usual = (emulator.api_key, emulator.read_only_key)
    emulator.reset({**emulator.state(), "installations": [], "keys": OWN_KEYS})
    assert ("key-of-the-operator", "key-of-the-pipeline") == (emulator.api_key, emulator.read_only_key)
    client = Client(Settings(base_url=emulator.url, api_key=emulator.api_key))
    assert [] == client.send(calls.list_installations())
    client.close()
    emulator.reset()
    assert usual == (emulator.api_key, emulator.read_only_key)


def test_a_state_can_be_saved_in_a_file_and_restored(emulator: Emulator, tmp_path: Path) -> None:
    emulator.patch({"orgs": [{"id": "org-contoso", "name": "Contoso Holding"}]})
    kept = emulator.state()
    file = tmp_path / "kept.json"
    file.write_text(json.dumps(kept))
    emulator.reset("empty")
    emulator.reset(file)
    assert kept == emulator.state()


@pytest.mark.parametrize("seed", ["dmeo", Path("nowhere.json"), {"orgs": 3}, {"orgs": [{"id": 3}]}])
def test_an_impossible_seed_is_refused(emulator: Emulator, seed: str | Path | dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"dmeo|nowhere.json|orgs must be|orgs\[0\]"):
        emulator.reset(seed)
