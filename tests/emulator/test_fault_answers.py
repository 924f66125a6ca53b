"""Faults of the answer: another status, another answer, another content type, half a body."""

import json

import httpx
import pytest

from support import Emulator
from support.emulator.cases import pairs

ORG = "orgs/org-contoso"


def hit(service: httpx.Client, emulator: Emulator, fault: object, path: str = ORG) -> httpx.Response:
    with emulator.faults({"do": [fault]}):
        return service.get(path)


@pytest.mark.parametrize("status", [400, 404, 418, 429, 451, 499, 500, 503, 520, 599])
def test_any_status_of_an_error_can_be_had_in_the_words_of_the_dialect(
    service: httpx.Client, emulator: Emulator, status: int
) -> None:
    text = f"a fault answers this request with {status}"
    nested = f'{{"error":{{"code":"server_fault","message":"{text}"}}}}'
    for error_body, expected in {"nested": nested, "text": text, "html": text, "empty": ""}.items():
        emulator.set_dialect(error_body=error_body)
        response = hit(service, emulator, f"status:{status}")
        assert (status, True) == (response.status_code, expected in response.text)
        assert error_body == "html" or expected == response.text


# The work is done, if a fault comes after it or harms only the answer.
DONE: dict[bool, list[object]] = {
    False: ["status:503", {"status": 503}],
    True: [
        *("after:status:503", {"status": 503, "after": True}),
        *("type:text/html", "after:type:text/html", "truncated", "after:truncated"),
    ],
}


@pytest.mark.parametrize(("done", "fault"), pairs(DONE), ids=str)
def test_the_work_is_done_after_all_or_if_the_answer_is_the_services_own(
    service: httpx.Client, emulator: Emulator, fault: object, *, done: bool
) -> None:
    before = len(emulator.state()["orgs"])
    # A refused request does nothing.
    for query in ({}, {"nonsense": "x"}):
        with emulator.faults({"operation": "create_org", "do": [fault]}):
            service.post("orgs", params=query)
        assert before + done == len(emulator.state()["orgs"])


def test_a_whole_answer_is_sent_as_it_was_given(service: httpx.Client, emulator: Emulator) -> None:
    headers = {"Retry-After": "120junk", "X-Empty": "", "Date": "Thu, 01 Jan 1970 00:00:00 GMT"}
    whole = {"status": 418, "headers": headers, "body": "<h1>\u00fc</h1>", "content_type": "text/html; charset=utf-8"}
    response = hit(service, emulator, whole)
    assert headers == {name: response.headers[name] for name in headers}
    found = (response.status_code, response.text, response.headers["Content-Type"])
    assert (whole["status"], whole["body"], whole["content_type"]) == found


# The body and the content type that are given, and that are sent.
PLAIN = "text/plain; charset=utf-8"
WHOLE: list[tuple[dict[str, object], str, str]] = [
    ({}, "", PLAIN),
    ({"body": "not { json"}, "not { json", PLAIN),
    ({"body": {"id": "\u00fc"}}, '{"id": "\u00fc"}', "application/json"),
    ({"body": None}, "null", "application/json"),
    ({"body": []}, "[]", "application/json"),
    ({"body": 5, "content_type": "text/csv"}, "5", "text/csv; charset=utf-8"),
]


@pytest.mark.parametrize(("given", "body", "content_type"), WHOLE, ids=str)
def test_the_body_of_a_whole_answer_is_a_text_as_it_is_or_json(
    service: httpx.Client, emulator: Emulator, given: dict[str, object], body: str, content_type: str
) -> None:
    response = hit(service, emulator, {"status": 200, **given})
    assert (200, body, content_type) == (response.status_code, response.text, response.headers.get("Content-Type"))


@pytest.mark.parametrize("status", [204, 304])
def test_a_whole_answer_without_a_body(service: httpx.Client, emulator: Emulator, status: int) -> None:
    response = hit(service, emulator, {"status": status})
    assert (status, "") == (response.status_code, response.text)


def test_a_wrong_content_type_comes_with_the_same_body(service: httpx.Client, emulator: Emulator) -> None:
    expected = service.get(ORG).content
    response = hit(service, emulator, "type:text/html")
    assert (200, expected) == (response.status_code, response.content)
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize("path", [ORG, "orgs/org-nowhere"], ids=["success", "refusal"])
def test_a_truncated_answer_is_complete_http_and_half_of_the_json(
    service: httpx.Client, emulator: Emulator, path: str
) -> None:
    whole = service.get(path)
    response = hit(service, emulator, "truncated", path)
    half = whole.content[: len(whole.content) // 2]
    assert (whole.status_code, half) == (response.status_code, response.content)
    with pytest.raises(json.JSONDecodeError):
        response.json()
