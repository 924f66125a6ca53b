"""A script that knows all ids: sends calls that a file lists, or reads listings; the least that a tool can cost."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

TENANT = "/api/v1/tenants/tenant-0001"
PAGE = 500


def send(http: httpx.Client, file: str, threads: int) -> None:
    """Send the calls of a file: for each resource a list of method, resource and policy, one after the other."""

    def of_one(calls: list[list[str]]) -> None:
        for method, resource_id, policy_id in calls:
            path, query = f"{TENANT}/resources/{resource_id}/protect", {"policy_id": policy_id}
            http.request(method, path, params=query, json={} if method == "POST" else None).raise_for_status()

    work = json.loads(Path(file).read_text())
    if threads == 1:
        for calls in work:
            of_one(calls)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(of_one, work))


def read(http: httpx.Client, listing: str) -> int:
    """Read a listing of the tenant by all its pages, and return how many items it has."""
    items: list[object] = []
    query: dict[str, str | int] = {"limit": PAGE}
    while True:
        response = http.get(f"{TENANT}/{listing}", params=query)
        response.raise_for_status()
        page = response.json()
        items += page["items"]
        if not page["next_page_token"]:
            return len(items)
        query["page_token"] = page["next_page_token"]


def main(action: str, *arguments: str) -> None:
    """Do what the command line says: `send FILE THREADS`, or `read LISTING…`."""
    headers = {"Authorization": os.environ["SERVICE_KEY"]}
    with httpx.Client(base_url=os.environ["SERVICE_URL"], headers=headers, timeout=30) as http:
        if action == "send":
            send(http, arguments[0], int(arguments[1]))
        else:
            counts = {listing: read(http, listing) for listing in arguments}
            sys.stdout.write(json.dumps(counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
