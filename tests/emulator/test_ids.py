"""The ids of records that the emulator makes."""

import re

import httpx

from support import Emulator
from support.emulator.cases import CONTOSO
from support.emulator.variants import FREE, GOLD, protect

ULID = re.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}")


def made(service: httpx.Client) -> list[str]:
    """Return the ids of records of four kinds, made one after the other."""
    org_id = service.post("orgs", params={"name": "Fabrikam"}).json()["org"]["id"]
    task_id = service.put(f"{CONTOSO}/jobs/job-contoso-01/trigger").json()["task_id"]
    event_id = service.get(f"{CONTOSO}/audit/events").json()["items"][0]["id"]
    return [org_id, task_id, event_id, protect(service, FREE, GOLD).json()["job_id"]]


def test_an_id_is_a_ulid_that_begins_with_the_time_of_the_emulator(service: httpx.Client, emulator: Emulator) -> None:
    ids: list[str] = []
    for seconds in (0, 1_000_000_000):
        emulator.reset()
        emulator.advance(seconds)
        ids += made(service)
    assert [] == [id for id in ids if not ULID.fullmatch(id)]
    assert 8 == len(set(ids))
    assert max(ids[:4]) < min(ids[4:])
