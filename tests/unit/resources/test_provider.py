"""The provider process: its properties, its settings, its secrets, and calls side by side."""

import base64
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pulumi_dataprotection.resources._provider import without_provider
from support import HANG, Emulator
from support.resources.arguments import SHOP, protection, state
from support.resources.contoso import GOLD, SILVER, TENANT, policies, user
from support.resources.scripted import ScriptedServer, reply
from support.resources.servicer import OperationError, Properties, Run, Servicer

# properties


def test_whole_numbers_arrive_as_integers() -> None:
    properties = without_provider({"whole": 3.0, "broken": 2.5, "truth": True, "text": "3.0"})
    expected = {"whole": (int, 3), "broken": (float, 2.5), "truth": (bool, True), "text": (str, "3.0")}
    assert expected == {name: (type(value), value) for name, value in properties.items()}


def test_the_pickled_provider_is_not_a_property() -> None:
    assert without_provider({"name": "Shop", "__provider": "gASV"}) == {"name": "Shop"}


# settings


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


# calls side by side, and a cancel


def calls(run: Run) -> list[tuple[Callable[[], Any], Properties]]:
    """Return forty calls, each with outputs that only its answer has."""
    protected, free, numbers = map(user, range(1, 9)), map(user, range(9, 21)), range(12)
    orgs = {number: {**SHOP, "external_id": f"crm-{number}", "name": f"Shop {number}"} for number in numbers}
    names = {"org-northwind": "Northwind Traders", "org-contoso": "Contoso", "org-adatum": "Adatum"}
    drives = {"res-contoso-drive-01": GOLD, "res-contoso-drive-02": SILVER}
    create, get, delete = run.protection.create, run.protection.get, run.protection.delete
    return [
        *((partial(create, protection(id, "Gold")), {"resource_id": id, "policy_id": GOLD}) for id in free),
        *((partial(get, f"{TENANT}/{id}"), {"resource_id": id}) for id in protected),
        *((partial(delete, f"{TENANT}/{id}", state(id, policy, policy)), {}) for id, policy in drives.items()),
        *((partial(run.org.create, inputs), inputs) for inputs in orgs.values()),
        *((partial(run.org.get, id), {"name": name}) for id, name in names.items()),
        *((partial(run.org.delete, f"org-{number}", orgs[number]), {}) for number in range(3)),
    ]


def test_forty_calls_side_by_side_get_their_own_answers(run: Run, emulator: Emulator) -> None:
    run.stub()
    expected = calls(run)
    with ThreadPoolExecutor(len(expected)) as threads:
        sent = [(threads.submit(call), outs) for call, outs in expected]
    found = [{name: answer.result(HANG).outs[name] for name in outs} for answer, outs in sent]
    assert (40, [outs for _, outs in expected]) == (len(found), found)
    made = {org["external_id"] for org in emulator.state()["orgs"]} & {f"crm-{number}" for number in range(12)}
    assert ({user(number) for number in range(1, 21)}, 12) == ({*policies(emulator)}, len(made))
    reads = [request["path"] for request in emulator.requests() if request["method"] == "GET"]
    assert 2 == len([path for path in reads if path.endswith(("/resources", "/policies"))])
