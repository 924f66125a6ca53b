"""How many requests a second the emulator answers, and what it weighs."""

import http.client
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.printing import Columns, report
from benchmarks.running import running_emulator
from pulumi_dataprotection.testing._control import send

__all__ = ["measure"]

CLIENTS = 8
REQUESTS = 4_000
SEED = "large:10x10000"


def measure() -> Columns:
    """Ask for single resources, and for pages of a big tenant, with 8 clients at once."""
    rows: list[list[str]] = []
    with running_emulator("--seed", SEED) as started:
        headers = {"Authorization": started["api_key"]}
        resource = send(started["url"], "GET", "state")["resources"][-1]
        tenant_id, resource_id = resource["tenant_id"], resource["id"]
        for name, path, goal in (
            ("one resource", f"/api/v1/tenants/{tenant_id}/resources/{resource_id}", ">= 500"),
            ("protections of one", f"/api/v1/tenants/{tenant_id}/protections?resource_id={resource_id}", ">= 500"),
            ("a page of 100", f"/api/v1/tenants/{tenant_id}/resources?limit=100", ""),
        ):
            report(name)
            rate = _rate(started["url"], path, headers)
            rows.append([name, f"{rate:,.0f}", goal, f"{_megabytes(int(started['pid'])):.0f} MB", "< 150 MB"])
    headings = ("request", "requests a second", "rate goal", "memory", "memory goal")
    return Columns(f"{__doc__} Seed {SEED}.", headings, rows)


def _rate(url: str, path: str, headers: dict[str, str]) -> float:
    def ask(count: int) -> None:
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        for _ in range(count):
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            response.read()
            assert response.status == 200, response.status  # noqa: PLR2004 - HTTP
        connection.close()

    started = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(ask, [REQUESTS // CLIENTS] * CLIENTS))
    return REQUESTS / (time.perf_counter() - started)


def _megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
