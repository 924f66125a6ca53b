"""Who may use the control plane: a web page of another site must not, whatever its browser lets it send."""

import json

import httpx
import pytest

from support import HANG, Emulator
from support.wire import send

JSON = "application/json"
SEED = json.dumps({"seed": "empty"}).encode()

OWN = ["localhost", "LOCALHOST", "127.0.0.1", "127.0.0.2", "[::1]"]
FOREIGN = [
    "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:127.0.0.1", "192.0.2.1",
    "[::2]", "evil.example@localhost.evil.example", "", " ", "[::1", "%6cocalhost", "localhost, evil.example",
]  # fmt: skip


def sent(emulator: Emulator, name: str, body: bytes = b"", method: str = "POST", **headers: str) -> tuple[int, str]:
    """Send a request of the control plane with these headers only."""
    status, text = send(emulator, method, f"/_emulator/{name}", body, skip_host=True, **headers)
    return status, str(json.loads(text)["message"]) if status != 200 else ""


def host(name: str, emulator: Emulator) -> str:
    """Return the Host of a request to a name."""
    return f"{name}:{httpx.URL(emulator.url).port}"


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("with_port", [True, False])
def test_requests_of_this_machine_are_taken(emulator: Emulator, name: str, *, with_port: bool) -> None:
    own = host(name, emulator) if with_port else name
    for headers in ({}, {"Origin": f"http://{own}"}):
        assert (200, "") == sent(emulator, "seed", SEED, Host=own, Content_Type=JSON, **headers)


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_host_is_refused_and_changes_nothing(emulator: Emulator, name: str) -> None:
    before = emulator.state()
    for method, path in (("POST", "seed"), ("GET", "state"), ("DELETE", "requests")):
        status, text = sent(emulator, path, SEED if method == "POST" else b"", method, Host=name, Content_Type=JSON)
        assert (403, True) == (status, "the Host" in text)
    assert before == emulator.state()


def test_a_request_without_a_host_is_refused(emulator: Emulator) -> None:
    assert sent(emulator, "reset")[0] in {400, 403}


@pytest.mark.parametrize("origin", ["null", *(f"https://{name}" for name in FOREIGN if name.strip())])
def test_a_foreign_origin_is_refused_and_changes_nothing(emulator: Emulator, origin: str) -> None:
    before = emulator.state()
    own = host("127.0.0.1", emulator)
    for body in (SEED, b""):
        status, text = sent(emulator, "seed" if body else "reset", body, Host=own, Origin=origin, Content_Type=JSON)
        assert (403, True) == (status, f'the Origin "{origin}"' in text)
    assert before == emulator.state()


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", ""],
)
def test_any_content_type_but_json_is_refused_and_changes_nothing(emulator: Emulator, content_type: str) -> None:
    before = emulator.state()
    headers = {"Content_Type": content_type} if content_type else {}
    status, text = sent(emulator, "seed", SEED, Host=host("localhost", emulator), **headers)
    assert (415, True) == (status, "application/json" in text)
    assert before == emulator.state()


@pytest.mark.parametrize("content_type", [JSON, "Application/JSON", f"{JSON}; charset=utf-8"])
def test_json_is_taken(emulator: Emulator, content_type: str) -> None:
    own = host("localhost", emulator)
    assert (200, "") == sent(emulator, "seed", SEED, Host=own, Content_Type=content_type)
    assert (200, "") == sent(emulator, "reset", Host=own)


def test_the_service_itself_takes_any_host(emulator: Emulator) -> None:
    headers = {"Authorization": emulator.api_key, "Host": "backup.example"}
    assert 200 == httpx.get(f"{emulator.url}/api/v1/orgs/org-contoso", headers=headers, timeout=HANG).status_code
