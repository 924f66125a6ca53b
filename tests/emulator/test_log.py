"""The log of requests."""

from pulumi_dataprotection.emulator._times import parse_time
from pulumi_dataprotection.emulator.requests.log import Entry, RequestLog


def test_the_log_keeps_the_last_100_000_requests() -> None:
    log = RequestLog()
    entry = Entry("get_org", "GET", "/", "", 200, None, parse_time("2026-01-31T08:00:00Z"))
    for _ in range(100_002):
        log.add(entry)
    numbers = [request["number"] for request in log.document()]
    assert (len(numbers), numbers[0], numbers[-1]) == (100_000, 3, 100_002)
