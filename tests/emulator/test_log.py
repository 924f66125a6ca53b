"""The log of requests."""

from pulumi_dataprotection.emulator._times import parse_time
from pulumi_dataprotection.emulator.requests.log import RequestLog


def test_the_log_keeps_the_last_100_000_requests() -> None:
    log = RequestLog()
    at = parse_time("2026-01-31T08:00:00Z")
    for _ in range(100_002):
        log.add(operation="get_org", method="GET", path="/", query="", status=200, key=None, at=at)
    numbers = [entry.number for entry in log]
    assert (len(numbers), numbers[0], numbers[-1]) == (100_000, 3, 100_002)
