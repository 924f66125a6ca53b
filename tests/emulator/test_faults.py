"""The rules that say which requests go wrong."""

import contextlib
import json
import re

import httpx
import pytest

from pulumi_dataprotection.emulator.faults.fault import NAMES
from support import ROOT, Emulator
from support.emulator.cases import pairs

DOCUMENT = (ROOT / "docs/faults.md").read_text(encoding="utf-8")

ORG = "orgs/org-contoso"
POLICIES = "tenants/tenant-contoso/policies"
EVERYTHING: dict[str, object] = {"operation": None, "path": None, "key": None, "nth": 1}

BAD_FAULTS = {
    "unknown fault 'explode'; the faults are " + ", ".join(NAMES): ["explode"],
    "unknown fault": ["answer", "before:reset", "after:after:reset"],
    'the fault "status" takes a status from 400 to 599, not': ["status", "status:200", "status:600"],
    'the fault "stall" takes seconds, at most 3600, not': ["stall", "stall:-1"],
    'the fault "slow" takes seconds, at most 3600, not': ["slow:inf", "slow:3601"],
    "the fault \"reset\" takes no argument, not '5'": ["reset:5"],
    'the fault "type" takes a content type, such as text/html, not': ["type", "type:html", "type:a/b\r\nc"],
}
UNPAIRED = r"'\ud800'"
BAD: list[tuple[object, str]] = [
    (None, 'a rule is an object such as {"do": ["status:503"]}; there may be a list of them'),
    ("reset", "a rule is an object"),
    ([["reset"]], "a rule is an object"),
    ({}, "rule 0, do: Field required"),
    ({"do": []}, "rule 0, do: List should have at least 1 item"),
    ({"do": "reset"}, "rule 0, do: Input should be a valid list"),
    ({"do": ["reset"], "times": 2}, "rule 0, times: Extra inputs are not permitted"),
    ([{"do": ["reset"]}, {"do": ["reset", 5]}], 'rule 1, do[1]: a fault is a text such as "status:503", or an'),
    ({"do": ["reset"], "nth": 0}, "rule 0, nth: Input should be greater than or equal to 1"),
    ({"do": ["reset"], "nth": "2"}, "rule 0, nth: Input should be a valid integer"),
    ({"do": ["reset"], "nth": True}, "rule 0, nth: Input should be a valid integer"),
    (
        {"do": ["reset"], "operation": "getOrg"},
        "rule 0, operation: unknown operation 'getOrg'; the operations are list_",
    ),
    ({"do": ["reset"], "path": 5}, "rule 0, path: Input should be a valid string"),
    ({"do": ["reset"], "key": 5}, "rule 0, key: Input should be a valid string"),
    *[({"do": [fault]}, f"rule 0, do[0]: {reason}") for reason, fault in pairs(BAD_FAULTS)],
    ({"do": [{}]}, "rule 0, do[0].status: Field required"),
    ({"do": [{"status": 199}]}, "rule 0, do[0].status: Input should be greater than or equal to 200"),
    ({"do": [{"status": 600}]}, "rule 0, do[0].status: Input should be less than or equal to 599"),
    ({"do": [{"status": "503"}]}, "rule 0, do[0].status: Input should be a valid integer"),
    ({"do": [{"status": 503, "text": "a"}]}, "rule 0, do[0].text: Extra inputs are not permitted"),
    ({"do": [{"status": 503, "after": 1}]}, "rule 0, do[0].after: Input should be a valid boolean"),
    ({"do": [{"status": 503, "headers": {"A b": "c"}}]}, "rule 0, do[0].headers.A b: 'A b' is not a header that an"),
    ({"do": [{"status": 503, "headers": {"A": "b\nc"}}]}, "rule 0, do[0].headers.A: a header has no line ends"),
    ({"do": [{"status": 503, "headers": {"A": "\u20ac"}}]}, "rule 0, do[0].headers.A: a header has no line ends"),
    ({"do": [{"status": 503, "headers": {"A": 1}}]}, "rule 0, do[0].headers.A: Input should be a valid string"),
    ({"do": [{"status": 503, "headers": {"Content-Length": "1"}}]}, "for a wrong Content-Length use cut"),
    ({"do": [{"status": 503, "content_type": "html"}]}, "rule 0, do[0].content_type: a content type is one such"),
    ({"do": [{"status": 204, "body": "a"}]}, "rule 0, do[0]: an answer with the status 204 has no body"),
    ({"do": ["\ud800"]}, UNPAIRED),
    ({"do": [{"status": 200, "body": ["\ud800"]}]}, UNPAIRED),
    *[({"do": ["reset"], field: "\ud800"}, UNPAIRED) for field in ("path", "key", "operation")],
]


def statuses(client: httpx.Client, *paths: str) -> list[int]:
    return [client.get(path).status_code for path in paths]


def test_its_document_names_every_fault() -> None:
    rows = DOCUMENT.split("## Items")[1].split("##", maxsplit=1)[0]
    assert re.findall(r"^\| `(\w+)", rows, re.MULTILINE) == list(NAMES)


# The rules, the requests and the statuses: requests are (O)rganization, (P)olicies, an encoded (B)lank in the path,
# (N)o such organization and (R)ead-only key.
SCRIPTS: dict[str, tuple[list[dict[str, object]], str, list[int]]] = {
    "items in order": ([{"do": ["status:503", "status:500", "status:429"]}], "OPOO", [503, 500, 429, 200]),
    "rules in order": ([{"do": ["status:501"]}, {"do": ["status:502"]}], "OO", [501, 502]),
    "equal rules": ([{"do": ["status:503"]}, {"do": ["status:503"]}], "OOO", [503, 503, 200]),
    "an operation": ([{"operation": "list_policies", "do": ["status:503"]}], "OP", [200, 503]),
    "a path": ([{"path": "/api/v1/orgs/org-contoso%20a", "do": ["status:503"]}], "OB", [200, 503]),
    "a path with wildcards": ([{"path": "*/orgs/*%20?", "do": ["status:503"]}], "OB", [200, 503]),
    "a path with a set": ([{"path": "*[a]", "do": ["status:503"]}], "OB", [200, 503]),
    "a key": ([{"key": "Read-only", "do": ["status:503"]}], "OR", [200, 503]),
    "a later request": ([{"nth": 3, "do": ["status:503", "status:500"]}], "OOOOO", [200, 200, 503, 500, 200]),
    "only fitting requests count": (
        [{"operation": "get_org", "nth": 2, "do": ["status:503"]}], "POPO", [200, 200, 200, 503]
    ),
    "requests that another rule hits count": (
        [{"do": ["status:501"]}, {"nth": 3, "do": ["status:503"]}], "OOO", [501, 200, 503]
    ),
    "a fault of listings waits for a listing": ([{"do": ["empty_page", "status:503"]}], "OPO", [200, 200, 503]),
    "only listings count for a fault of listings": (
        [{"nth": 2, "do": ["empty_page", "status:503"]}], "OOPPO", [200, 200, 200, 200, 503]
    ),
    "a refused request": ([{"do": ["status:503", "after:status:502"]}], "NNN", [503, 502, 404]),
}  # fmt: skip


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_requests_that_rules_hit(
    service: httpx.Client, reader: httpx.Client, emulator: Emulator, name: str
) -> None:
    rules, script, expected = SCRIPTS[name]
    paths = {"O": ORG, "P": POLICIES, "B": "orgs/org-contoso%20a", "N": "orgs/nowhere", "R": ORG}
    with emulator.faults(*rules):
        answered = [(reader if code == "R" else service).get(paths[code]).status_code for code in script]
    assert expected == answered


@pytest.mark.parametrize(("path", "expected"), [("nothing", 404), (ORG, 401)], ids=["no path", "no key"])
def test_a_request_that_is_nobodys_meets_no_fault(
    stranger: httpx.Client, control: httpx.Client, path: str, expected: int
) -> None:
    control.post("faults", json={"do": ["status:503"]}).raise_for_status()
    assert ([expected], 1) == (statuses(stranger, path), len(control.get("faults").json()))


def test_a_request_above_the_call_rate_meets_no_fault(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=0.01)
    with emulator.faults({"nth": 2, "do": ["status:503"]}):
        answered = statuses(service, ORG, ORG)
        emulator.advance(100)
        answered += statuses(service, ORG)
    assert answered == [200, 429, 503]


def test_the_remaining_rules_are_shown_in_order_and_can_be_posted_again(
    service: httpx.Client, control: httpx.Client
) -> None:
    whole = {"status": 429, "headers": {"Retry-After": "2"}, "body": None, "after": True}
    later = {"operation": "get_org", "path": "*contoso", "key": "Full access", "nth": 5, "do": ["stall:2"]}
    first: list[dict[str, object]] = [{"do": ["status:501"]}, {"do": ["status:503", "after:reset", whole]}]
    for rules in (first, later, {"nth": 1, "do": ["status:500"]}):
        control.post("faults", json=rules).raise_for_status()
    assert [501, 503] == statuses(service, ORG, ORG)
    left = control.get("faults").json()
    assert left == [
        {**EVERYTHING, "do": ["after:reset", whole]},
        {**later, "nth": 3},
        {**EVERYTHING, "do": ["status:500"]},
    ]
    control.delete("faults").raise_for_status()
    assert left == control.post("faults", json=left).json()


# By the text of a fault in the log, its item and the status.
LOGGED: dict[str, tuple[object, int | None]] = {
    **{text: (text, 200) for text in ("cut", "type:text/html")},
    **{text: (text, None) for text in ("reset", "after:reset")},
    "after:status:503": ("after:status:503", 503),
    '{"status":429,"body":{"a":1}}': ({"status": 429, "body": {"a": 1}}, 429),
}


@pytest.mark.parametrize("text", LOGGED)
def test_the_log_shows_the_fault_and_the_status_of_a_request(
    service: httpx.Client, emulator: Emulator, text: str
) -> None:
    item, status = LOGGED[text]
    with emulator.faults({"nth": 2, "do": [item]}), contextlib.suppress(httpx.TransportError):
        statuses(service, ORG, ORG)
    logged = [(request["fault"], request["status"]) for request in emulator.requests()]
    assert [(None, 200), (text, status)] == logged


def test_the_helper_fails_if_a_fault_is_left_and_removes_it(service: httpx.Client, emulator: Emulator) -> None:
    with (
        pytest.raises(AssertionError, match=r'no request met these faults: .*"do": \["status:500"\]'),
        emulator.faults({"do": ["status:503", "status:500"]}),
    ):
        service.get(ORG)
    assert emulator.remaining_faults() == []


# Faults that an answer cannot have, by its path and status: there is one resource, and a refusal has no body.
UNFIT = {
    ("tenants/tenant-0001/resources/res-0000001", 200): ["other_record"],
    ("tenants/tenant-0001/archives", 200): ["doubled_item", "shrink"],
    ("tenants/tenant-0001/policies?limit=0", 400): ["empty_page"],
    ("orgs/org-nowhere", 404): ["cut", "slow:1", "truncated"],
}


@pytest.mark.parametrize(("answer", "fault"), pairs(UNFIT))
def test_a_fault_is_left_by_an_answer_that_cannot_have_it(
    service: httpx.Client, emulator: Emulator, fault: str, answer: tuple[str, int]
) -> None:
    emulator.reset("large:1x1")
    emulator.set_dialect(error_body="empty")
    (path, status), answered = answer, list[int]()
    with pytest.raises(AssertionError, match=fault), emulator.faults({"do": [fault]}):
        answered += statuses(service, path)
    assert [status] == answered


def test_the_helper_lets_the_errors_of_its_block_through(emulator: Emulator) -> None:
    with pytest.raises(KeyError), emulator.faults({"do": ["status:503"]}):
        raise KeyError


@pytest.mark.parametrize(("document", "message"), BAD, ids=str)
def test_a_document_that_is_no_rule_is_refused_with_the_field_that_is_wrong(
    control: httpx.Client, document: object, message: str
) -> None:
    response = control.post("faults", content=json.dumps(document))
    assert (400, True) == (response.status_code, message in response.json()["message"]), response.text


def test_of_a_list_with_a_bad_rule_nothing_is_added(control: httpx.Client) -> None:
    control.post("faults", json=[{"do": ["reset"]}, {"do": ["explode"]}])
    assert control.get("faults").json() == []


TENANT = "tenants/tenant-contoso"


@pytest.mark.parametrize(
    "path", [ORG, TENANT, f"{TENANT}/resources/res-contoso-user-01", f"{TENANT}/resources/ext$user-01"]
)
def test_another_record_is_one_of_the_same_kind(service: httpx.Client, emulator: Emulator, path: str) -> None:
    with emulator.faults({"do": ["other_record"]}):
        other = service.get(path).json()
    assert other["id"] != path.rpartition("/")[2]
    assert other == service.get(f"{path.rpartition('/')[0]}/{other['id']}").json()


def test_a_success_has_another_status_and_the_same_body(service: httpx.Client, emulator: Emulator) -> None:
    with emulator.faults({"do": ["success:202", "success:202"]}):
        accepted, refused = service.get(ORG), service.get("orgs/org-nowhere")
    assert (202, 404) == (accepted.status_code, refused.status_code)
    assert service.get(ORG).json() == accepted.json()
