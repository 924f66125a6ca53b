"""What the client adds to the bare HTTP library."""

import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.calling import PAGE, STORM, TIMES
from benchmarks.printing import Columns, report
from benchmarks.running import run, running_emulator
from pulumi_dataprotection.testing._control import send

__all__ = ["measure"]

RESOURCES = 100_000
SEED = f"large:1x{RESOURCES}"

TOO_MANY = 429


def measure() -> Columns:
    """Do the same with httpx and with the client, against an emulator in a process of its own."""
    rows: list[Sequence[str]] = []
    with running_emulator("--seed", SEED) as started:
        url = started["url"]

        def measured(action: str) -> dict[str, float]:
            report(action.replace("_", " "))
            arguments = f"{url!r}, {started['api_key']!r}"
            program = f"import json; from benchmarks import calling; print(json.dumps(calling.{action}({arguments})))"
            with tempfile.TemporaryDirectory() as cache:
                result: dict[str, float] = json.loads(run(program, {**os.environ, "XDG_CACHE_HOME": cache}))
            return result

        _add_one_call(rows, measured)
        _add_listing(rows, measured, url)
        _add_storm(rows, measured, url, "Retry-After: 0", {"Retry-After": "0"})
        _add_storm(rows, measured, url, "no Retry-After", {})
    return Columns(f"{__doc__} Seed {SEED}.", ("what", "httpx", "client", "goal"), rows)


_Measured = Callable[[str], dict[str, float]]


def _add_one_call(rows: list[Sequence[str]], measured: _Measured) -> None:
    one = measured("one_call")
    for name, way in (("no call budget", "unlimited"), ("a budget that never blocks", "budgeted")):
        with_client = f"{one[way]:.2f} ms: {one[way] - one['bare']:.2f} more"
        rows.append((f"a GET, median of {TIMES}, {name}", f"{one['bare']:.2f} ms", with_client, "< 0.5 ms more"))


def _add_listing(rows: list[Sequence[str]], measured: _Measured, url: str) -> None:
    bare, ours = measured("list_bare"), measured("list_with_client")
    assert (bare["items"], ours["items"]) == (RESOURCES, RESOURCES)
    pages = RESOURCES // PAGE
    assert [request["operation"] for request in send(url, "GET", "requests")[-pages:]] == ["list_resources"] * pages
    head = f"{RESOURCES:,} resources, {pages} pages"
    rows.append((head, f"{bare['seconds']:.1f} s", f"{ours['seconds']:.1f} s", "< 25 s"))
    rows.append((f"{head}: peak memory", f"{bare['megabytes']:.0f} MB", f"{ours['megabytes']:.0f} MB", "< 200 MB"))


def _add_storm(rows: list[Sequence[str]], measured: _Measured, url: str, name: str, headers: Mapping[str, str]) -> None:
    bare = _in_a_storm(url, headers, lambda: measured("storm_bare"))
    ours = _in_a_storm(url, headers, lambda: measured("storm_with_client"))
    head = f"{STORM} calls, every second try is answered 429, {name}; nobody really waits"
    rows.append((head, bare, ours, f"{STORM} succeed"))


def _in_a_storm(url: str, headers: Mapping[str, str], action: Callable[[], dict[str, float]]) -> str:
    send(url, "DELETE", "requests")
    answer: dict[str, Any] = {"status": TOO_MANY, "headers": headers, "body": {"message": "too many"}}
    # Each rule counts all tries.
    send(url, "POST", "faults", [{"nth": number, "do": [answer]} for number in range(1, 2 * STORM, 2)])
    result = action()
    send(url, "DELETE", "faults")
    statuses = [request["status"] for request in send(url, "GET", "requests")]
    waited = f", {result['waited']:.0f} s of waits" if "waited" in result else ""
    return (
        f"{result['done']:.0f} succeed; {len(statuses)} tries, {statuses.count(TOO_MANY)} x 429; "
        f"{result['seconds']:.1f} s{waited}"
    )
