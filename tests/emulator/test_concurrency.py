"""Many clients at once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from support import Emulator

CLIENTS = 32
ROUNDS = 6
TENANT = "tenants/tenant-0001"


def work(emulator: Emulator, number: int) -> list[int]:
    """Protect, read and trigger one's own resources, and create organizations that others create as well."""
    statuses: list[int] = []
    headers = {"Authorization": emulator.api_key}
    with httpx.Client(base_url=f"{emulator.url}/api/v1/", headers=headers, timeout=30, verify=False) as client:  # noqa: S501 - plain HTTP
        for turn in range(ROUNDS):
            path = f"{TENANT}/resources/res-{number * ROUNDS + turn + 1:07}"
            protected = client.post(f"{path}/protect", params={"policy_id": "policy-gold"}, json={})
            statuses += [
                protected.status_code,
                client.get(path).status_code,
                client.get(f"{TENANT}/protections", params={"limit": 50}).status_code,
                client.put(f"{TENANT}/jobs/{protected.json()['job_id']}/trigger").status_code,
                client.post("orgs", params={"external_id": f"crm-{turn}"}).status_code,
            ]
            if turn % 2:
                statuses.append(client.delete(f"{path}/protect", params={"policy_id": "policy-gold"}).status_code)
    return statuses


@pytest.fixture(scope="module")
def aftermath() -> tuple[list[int], dict[str, int]]:
    """The statuses that the clients got, and how much of each there is in the end."""
    with Emulator("large:1x200") as emulator:
        with ThreadPoolExecutor(CLIENTS) as pool:
            answers = pool.map(work, [emulator] * CLIENTS, range(CLIENTS))
            statuses = [status for answer in answers for status in answer]
        counts = {name: len(records) for name, records in emulator.state().items()}
        return statuses, {**counts, "requests": len(emulator.requests())}


def test_every_request_of_many_clients_succeeds(aftermath: tuple[list[int], dict[str, int]]) -> None:
    assert Counter(aftermath[0]) == {200: CLIENTS * ROUNDS * 11 // 2}


def test_every_request_of_many_clients_is_logged(aftermath: tuple[list[int], dict[str, int]]) -> None:
    assert len(aftermath[0]) == aftermath[1]["requests"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("protections", CLIENTS * ROUNDS // 2),
        ("tasks", CLIENTS * ROUNDS),
        ("audit_events", CLIENTS * ROUNDS * 5 // 2),
        ("orgs", 1 + ROUNDS),
    ],
)
def test_nothing_that_many_clients_write_is_lost_or_doubled(
    aftermath: tuple[list[int], dict[str, int]], name: str, expected: int
) -> None:
    assert expected == aftermath[1][name]
