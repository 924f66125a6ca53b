"""Faults, and the errors that a client may raise for them."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from pulumi_dataprotection.spec import Outcome
from support.contract.account import note_met
from support.contract.service import EmulatedService

__all__ = ["DIALECTS_WITH_FAULTS", "FAULTS", "TIMEOUT", "Fault", "go_wrong", "rule"]

DIALECTS_WITH_FAULTS = ("published", "strict", "late")

TIMEOUT = 1.0
"""Seconds that a client waits for an answer that does not come: only here do faults take real time."""

_PAGE = "<html><head><title>x</title></head><body><h1>{}</h1></body></html>"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong with an answer.

    Attributes:
        do: the item of the emulator's rule.
        outcome: how the client sees it; "garbage" is a success that cannot be understood, "nothing" one without a
            body, and "harmless" what does not matter.
        done: whether the service has done the work.
        slow: whether it takes real time.
    """

    do: str | dict[str, Any]
    outcome: Outcome | Literal["garbage", "nothing", "harmless"]
    done: bool
    slow: bool = False


FAULTS = {
    "500": Fault("status:500", "service_error", done=False),
    "503": Fault("status:503", "service_error", done=False),
    "503 after the work": Fault("after:status:503", "service_error", done=True),
    "502 of a proxy": Fault(
        {"status": 502, "body": _PAGE.format("Bad Gateway"), "content_type": "text/html"}, "service_error", done=False
    ),
    "429": Fault("status:429", "too_many_requests", done=False),
    "429 with a time": Fault({"status": 429, "headers": {"Retry-After": "7"}}, "too_many_requests", done=False),
    "408 after the work": Fault("after:status:408", "busy", done=True),
    "423": Fault("status:423", "busy", done=False),
    "425": Fault("status:425", "busy", done=False),
    "400 with a time": Fault({"status": 400, "headers": {"Retry-After": "7"}}, "busy", done=False),
    "409 with a time": Fault({"status": 409, "headers": {"Retry-After": "7"}}, "busy", done=False),
    "409": Fault("status:409", "conflict", done=False),
    "409 after the work": Fault("after:status:409", "conflict", done=True),
    "reset": Fault("reset", "answer_lost", done=False),
    "reset after the work": Fault("after:reset", "answer_lost", done=True),
    "cut": Fault("cut", "answer_lost", done=True),
    "stall": Fault(f"stall:{4 * TIMEOUT}", "answer_lost", done=True, slow=True),
    "slow": Fault(f"slow:{4 * TIMEOUT}", "answer_lost", done=True, slow=True),
    "truncated": Fault("truncated", "garbage", done=True),
    "page of a login": Fault(
        {"status": 200, "body": _PAGE.format("Sign in"), "content_type": "text/html"}, "garbage", done=False
    ),
    "an error as a success": Fault("disguised:503", "garbage", done=False),
    "an error as a success after the work": Fault("after:disguised:503", "garbage", done=True),
    "another success": Fault("success:203", "garbage", done=True),
    "an error in an envelope": Fault(
        {"status": 200, "body": {"error": {"code": 403, "message": "forbidden"}}}, "garbage", done=False
    ),
    "nothing": Fault({"status": 200, "body": "", "after": True}, "nothing", done=True),
    "another content type": Fault("type:text/html", "harmless", done=True),
}
"""The faults that any operation can meet."""


def rule(operation_id: str, *faults: Fault | str, nth: int = 1) -> dict[str, Any]:
    """Return the rule that the nth request of an operation, and those after it, meet faults."""
    do = [fault if isinstance(fault, str) else fault.do for fault in faults]
    return {"operation": operation_id, "nth": nth, "do": do}


@contextmanager
def go_wrong(service: EmulatedService, *rules: dict[str, Any]) -> Generator[None]:
    """Let requests of the block go wrong; all that is named must happen, and is counted."""
    with service.emulator.faults(*rules):
        yield
    note_met(fault for rule in rules for fault in rule["do"])
