"""Secrets that a service repeats are hidden in each spelling: in texts, logs, and tracebacks with variables."""

import base64
import html
import json
import logging
import traceback
from collections.abc import Callable
from itertools import repeat
from urllib.parse import quote, quote_plus

import pytest

from pulumi_dataprotection.client import calls, errors
from pulumi_dataprotection.client._secrets import hide, hide_addresses, without_secret_fields
from pulumi_dataprotection.client._transport.response import Response
from support.client.examples import Exchange, error_of
from support.scripted import Connect, Reply, Scripted

KEY = "k+9/Secret~value=&<7c1e>=="
EMAIL = "it.admin+x@fabrikam.example"
INVITATION = "https://portal.example/invitations/s3cr3t?token=t0k3n"
CREATE = calls.create_org(name="Fabrikam", admin_email=EMAIL, external_id="crm-1")

SPELLINGS: dict[str, Callable[[str], str]] = {
    "unchanged": str,
    "in a sentence": lambda text: f"the value '{text}', is wrong",
    "percent-encoded": lambda text: quote(text, safe=""),
    "percent-encoded in lower case": lambda text: quote(text, safe="").lower(),
    "percent-encoded in part": quote,
    "percent-encoded as a form": quote_plus,
    "percent-encoded twice": lambda text: quote(quote(text, safe=""), safe=""),
    "each character percent-encoded": lambda text: "".join(f"%{ord(character):02X}" for character in text),
    "JSON": lambda text: "".join(f"\\u{ord(character):04x}" for character in text),
    "JSON in JSON": lambda text: json.dumps(json.dumps(text.replace("/", "\\/"))),
    "HTML": html.escape,
    "HTML in digits": lambda text: "".join(f"&#{ord(character)};" for character in text),
    "HTML in hexadecimal digits": lambda text: "".join(f"&#x{ord(character):X};" for character in text),
    "Base64": lambda text: base64.b64encode(text.encode()).decode(),
    "Base64 for URLs": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "Base64 in a query": lambda text: quote(base64.b64encode(text.encode()).decode(), safe=""),
    "Basic": lambda text: f"Basic {base64.b64encode(f'user:{text}'.encode()).decode()}",
    "Basic as the user": lambda text: f"Basic {base64.b64encode(f'{text}:password'.encode()).decode()}",
    "Basic behind a longer user": lambda text: f"Basic {base64.b64encode(f'users:{text}:x'.encode()).decode()}",
    "hexadecimal": lambda text: text.encode().hex(),
    "upper case": str.upper,
}


def readable(text: str) -> str:
    """Return the parts of the secrets that are left in a text, in any of the spellings."""
    found = [name for name, spell in SPELLINGS.items() for secret in (KEY, EMAIL) if spell(secret) in text]
    return ", ".join(found)


def variables(error: BaseException) -> str:
    """Return the local variables of our code in the traceback of an error, as tools show them."""
    frames = traceback.TracebackException.from_exception(error, capture_locals=True).stack
    return "".join(str(frame.locals) for frame in frames if "pulumi_dataprotection" in frame.filename)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("secret", [KEY, EMAIL, "appkey-0123456789abcdef"])
def test_a_secret_is_hidden_in_each_spelling(secret: str, spelling: str) -> None:
    spelled = SPELLINGS[spelling](secret)
    text = hide(f"before {spelled} behind", {secret: "[hidden]"})
    assert ("before ", " behind", True) == (text[:7], text[-7:], "[hidden]" in text)
    assert spelled not in text


def test_other_text_is_not_hidden() -> None:
    text = "the application lacks the permission to create org-1 in tenant-contoso (a+b/c==)"
    assert text == hide(text, {KEY: "[hidden]", EMAIL: "[hidden]", "": "[hidden]"})


def test_a_very_long_secret_is_hidden_to_its_end() -> None:
    secret = "s3cr3t-" * 100
    assert "a [hidden] b" == hide(f"a {secret} b", {secret: "[hidden]"})


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("shape", ["message", "error", "text", "page", "field", "name"])
@pytest.mark.parametrize("status", [400, 200])
def test_an_error_shows_neither_the_key_nor_the_address_in_any_spelling(
    *, connect: Connect, server: Scripted, caplog: pytest.LogCaptureFixture, spelling: str, shape: str, status: int
) -> None:
    for name in (None, "httpcore", "pulumi_dataprotection"):
        caplog.set_level(logging.DEBUG, name)
    words = " and ".join(SPELLINGS[spelling](secret) for secret in (KEY, EMAIL))
    bodies = {
        "message": json.dumps({"message": words, "status": 400}),
        "error": json.dumps({"error": {"message": words}}),
        "text": words,
        "page": f"<p>bad key <b>{words}</b></p>",
        "field": json.dumps({"detail": [words], "code": words, "status": 400}),
        "name": json.dumps({words: 1, "status": 400}),
    }
    headers = {"Content-Type": f"text/plain; {KEY}"}
    server.script(then=repeat(Reply(status, (bodies[shape].encode(),), headers)))
    error = error_of(connect(server.url, api_key=KEY), CREATE, errors.CallError)
    frames = variables(error)
    shown = f"{error} {error!r} {error.args} {vars(error)} {caplog.text}"
    assert "" == readable(shown)
    assert [] == [secret for secret in (KEY, words) if secret in frames]


INVITED: dict[str, bytes] = {
    "a field": json.dumps({"invitation_url": INVITATION, "status": 409}).encode(),
    "a nested field": json.dumps({"org": {"id": "o-1"}, "links": [{"invite": INVITATION}], "status": 409}).encode(),
    "a message": json.dumps({"message": f"it exists, see {INVITATION}"}).encode(),
    "an encoded message": json.dumps({"message": f"it exists, see {quote(INVITATION, safe='')}"}).encode(),
    "text": f"it exists: {INVITATION}".encode(),
    "a page": f'<p>it exists: <a href="{INVITATION}">{INVITATION}</a></p>'.encode(),
    "a token": json.dumps({"detail": "exists", "token": "t0k3n", "status": 409}).encode(),
    "a record": json.dumps({"org": {}, "invitation_url": INVITATION}).encode(),
}


@pytest.mark.parametrize("body", INVITED.values(), ids=INVITED)
@pytest.mark.parametrize("status", [200, 400, 409, 503])
def test_no_body_shows_an_invitation(exchange: Exchange, status: int, body: bytes) -> None:
    for call in (CREATE, calls.get_org("o-1")):
        error = exchange.error(call, errors.CallError, then=repeat(Reply(status, (body,))))
        frames = variables(error)
        assert [] == [part for part in ("s3cr3t", "t0k3n") if part in f"{error} {vars(error)} {frames}"]


def test_an_address_is_shown_up_to_its_host() -> None:
    text = "see https://docs.example/errors#7, http://127.0.0.1:80 and https%3A%2F%2Fa.example%2Fb c"
    assert "see https://docs.example… http://127.0.0.1:80 and https%3A%2F%2Fa.example… c" == hide_addresses(text)


def test_fields_that_may_be_secret_are_left_out() -> None:
    value = {"apiKey": 1, "a": [{"authToken": "x", "b": None}, "c"], "password": {"d": 1}, "id": "o-1"}
    assert {"apiKey": "…", "a": [{"authToken": "…", "b": None}, "c"], "password": "…", "id": "o-1"} == (
        without_secret_fields(value)
    )


def test_the_text_of_a_response_has_no_header_and_no_body() -> None:
    assert "Response(status=200, complete=True)" == repr(Response(200, {"Location": INVITATION}, INVITATION.encode()))
