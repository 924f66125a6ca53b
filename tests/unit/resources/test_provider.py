"""The provider process: its properties, and its secrets."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from pulumi_dataprotection.resources._provider import without_provider
from support import Emulator
from support.resources.arguments import SHOP, protection
from support.resources.scripted import ScriptedServer, reply
from support.resources.servicer import OperationError, Run, Servicer

# properties


def test_whole_numbers_arrive_as_integers() -> None:
    properties = without_provider({"whole": 3.0, "broken": 2.5, "truth": True, "text": "3.0"})
    expected = {"whole": (int, 3), "broken": (float, 2.5), "truth": (bool, True), "text": (str, "3.0")}
    assert expected == {name: (type(value), value) for name, value in properties.items()}


def test_the_pickled_provider_is_not_a_property() -> None:
    assert without_provider({"name": "Shop", "__provider": "gASV"}) == {"name": "Shop"}


# secrets


KEY = "k3y-that-nobody-may-read-9f2c"
ORG = {**SHOP, "admin_email": "it@shop.example"}


def everything(run: Run) -> Iterator[str]:
    """Yield all that crosses the wire in the lives of two resources, answers and errors."""
    for wire, inputs in ((run.org, ORG), (run.protection, protection())):
        try:
            checked = wire.check({}, inputs).inputs
            yield str(checked)
            id, outs = wire.create(checked)
            yield str(outs)
            yield str(wire.read(id, outs))
            yield str(wire.update(id, outs, checked))
            wire.delete(id, outs)
        except OperationError as error:
            yield error.everything
        for id in ("nowhere", "tenant-contoso/nowhere"):
            try:
                yield str(wire.get(id))
            except OperationError as error:
                yield error.everything


def leaks(text: str, key: str) -> bool:
    return key in text or base64.b64encode(key.encode()).decode().rstrip("=") in text


def test_no_answer_no_error_and_no_log_has_the_key(tmp_path: Path, emulator: Emulator) -> None:
    with Servicer(tmp_path / "log") as own:
        texts = [*everything(own.run(emulator))]
    assert (True, []) == (bool(texts), [text for text in texts if leaks(text, emulator.api_key)])
    assert not leaks(own.log.read_text(), emulator.api_key)


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_key_that_the_service_repeats_is_replaced(servicer: Servicer, status: int) -> None:
    with ScriptedServer(otherwise=reply(status, {"message": f"bad key {KEY}"})) as server:
        texts = [*everything(servicer.run(server, apiKey=KEY))]
    assert (True, []) == (any("[the API key]" in text for text in texts), [text for text in texts if leaks(text, KEY)])
