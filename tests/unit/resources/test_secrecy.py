"""The key: in nothing that leaves the provider."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import Emulator
from support.resources.scripted import ScriptedServer, reply
from support.resources.servicer import OperationError, Run, Servicer

JANE = {
    "tenant_id": "tenant-contoso",
    "resource": "jane.doe@contoso.example",
    "policy": "Silver",
    "on_conflict": "fail",
    "on_destroy": "unprotect",
}
ORG = {"external_id": "crm-7", "name": "Shop", "parent_org_id": "org-alpine", "admin_email": "it@shop.example"}
KEY = "k3y-that-nobody-may-read-9f2c"


def everything(run: Run) -> Iterator[str]:
    """What crosses the wire in a resource's whole life, answers and errors."""
    for wire, inputs in ((run.org, ORG), (run.protection, JANE)):
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


def test_the_key_is_in_no_answer_and_no_error(run: Run, emulator: Emulator) -> None:
    assert [] == [text for text in everything(run) if leaks(text, emulator.api_key)]


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_service_that_echoes_the_key_does_not_get_it_shown(servicer: Servicer, status: int) -> None:
    with ScriptedServer(otherwise=reply(status, {"message": f"bad key {KEY}"})) as server:
        run = servicer.run({"apiKey": KEY, "baseUrl": server.url})
        told = [*everything(run)]
        assert (True, []) == (any("[the API key]" in text for text in told), [t for t in told if leaks(t, KEY)])


@pytest.mark.parametrize("key", ["k3y\nwith-line-break", "k3y\u200bwith-something-unseen"])
def test_a_key_that_is_none_is_not_shown(servicer: Servicer, key: str) -> None:
    run = servicer.run({"apiKey": key, "baseUrl": "http://127.0.0.1:1"})
    with pytest.raises(OperationError, match="holds a character that no key has") as raised:
        run.protection.read("t-1/r-1", JANE)
    assert not leaks(raised.value.everything, key)


def test_the_key_is_not_in_the_provider_that_the_state_keeps(run: Run, emulator: Emulator) -> None:
    outs = run.org.create(ORG).outs
    assert not leaks(str(outs), emulator.api_key)


def test_the_key_is_not_in_what_the_process_prints(tmp_path: Path, emulator: Emulator) -> None:
    with Servicer(tmp_path / "log") as own:
        told = [*everything(own.run({"apiKey": emulator.api_key, "baseUrl": emulator.url}))]
    assert (True, False) == (bool(told), leaks(own.log.read_text(), emulator.api_key))


def test_a_new_key_counts_at_once(servicer: Servicer, emulator: Emulator) -> None:
    stale = servicer.run({"apiKey": KEY, "baseUrl": emulator.url})
    with pytest.raises(OperationError, match="401"):
        stale.org.get("org-contoso")
    fresh = servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})
    assert fresh.org.get("org-contoso").id == "org-contoso"
