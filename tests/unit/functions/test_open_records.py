"""Records with fields that the interface leaves open: a program receives every field that the service sent."""

from typing import Any

import httpx
import pytest

from support import Emulator
from support.functions.arguments import ARGUMENTS, LISTS, function
from support.functions.program import Program

OPEN: dict[str, dict[str, Any]] = {
    name: ARGUMENTS[name]
    for name in ("get_subscription_history", "get_subscriptions", "get_task", "get_task_stats", "get_tenant_quotas")
} | {"get_tenant": {"id": "tenant-contoso"}, "get_tenants": {"org_id": "org-contoso"}}


@pytest.mark.parametrize("preset", ["published", "plain", "terse", "foreign"])
@pytest.mark.parametrize("name", OPEN)
def test_every_field_that_the_service_sent_is_kept(shop: Program, emulator: Emulator, preset: str, name: str) -> None:
    emulator.set_dialect(preset)
    found = shop.run(lambda: function(name)(**OPEN[name]))
    (asked,) = emulator.requests()
    headers = {"Authorization": emulator.api_key}
    sent = httpx.get(f"{emulator.url}{asked['path']}", params=asked["query"], headers=headers).json()
    kept = [record.fields for record in found.items] if name in LISTS else found.fields
    assert (sent["items"] if name in LISTS else sent) == kept
