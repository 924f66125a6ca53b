"""Tenants, their quotas and the installations of the calling application (operations 1, 5, 8, 9 and 19)."""

from typing import Any

import httpx
import pytest

from pulumi_dataprotection.spec import OPERATIONS, Operation
from support import Emulator
from support.emulator.cases import CONTOSO, case, each_case, ours, removing, send
from support.emulator.variants import FREE, GOLD, PROTECTED, SILVER, each_variant, protect, records_of
from support.wire import call, existing_path, message

INSTALLATIONS = "GET applications/me/installations"


OF_ADATUM = {"installations": [{"id": "installation-1", "org_id": None, "tenant_id": "tenant-adatum"}]}
OF_THE_READER = {"installations": [{"id": "installation-9", "key_name": "Read-only", "org_id": "org-contoso"}]}
UNINSTALLED = {"installations": [{"id": "installation-1", "deleted": True}]}

test_an_answer_about_tenants = each_case(
    {
        "tenants below are not listed": case("GET orgs/org-alpine/tenants", answer=[]),
        "an installation for a tenant": case(
            OF_ADATUM, INSTALLATIONS, answer=["tenant-adatum"], field="items.tenant_id"
        ),
        "the installation of another application": case(
            OF_THE_READER, INSTALLATIONS, answer=["org-meridian"], field="items.org_id"
        ),
        "no installation": case(UNINSTALLED, INSTALLATIONS, answer=[]),
    }
)


DRIVE = "res-contoso-drive-05"
OTHER = "res-contoso-user-21"
UNLIMITED = str(2**32 - 1)


def quota(service: httpx.Client, kind: str = "resource") -> tuple[str, str, bool]:
    """Return what is used of a quota, its limit, and whether it is exceeded."""
    (found,) = (one for one in service.get(f"{CONTOSO}/quotas").json()["quotas"] if one["kind"] == kind)
    assert found["limit"] == found["count"]
    return found["used"], found["limit"], found["exceeded"]


def limit(emulator: Emulator, count: int | str, kind: str = "resource", **fields: str) -> None:
    """Set the limit of a quota."""
    emulator.patch({"quotas": [{"tenant_id": "tenant-contoso", "kind": kind, "count": str(count), **fields}]})


def license_automatically(emulator: Emulator, maximum: int | str) -> None:
    """Let automatic licensing lift the limit."""
    item = {"subscription_id": "sub-contoso", "kind": "resource", "auto_license_max": str(maximum)}
    emulator.patch({"subscription_items": [{**item, "auto_license": True}]})


@each_variant("used_up_quota", accepted=(200, ("11", "10", True)), forbidden=(403, None), invalid_argument=(400, None))
def test_protecting_beyond_the_quota(
    service: httpx.Client, emulator: Emulator, expected: tuple[int, tuple[str, str, bool] | None]
) -> None:
    limit(emulator, 10)
    response = protect(service, FREE, GOLD)
    status, usage = expected
    assert (status, usage or ("10", "10", False)) == (response.status_code, quota(service))
    if usage is None:
        text = 'the quota "resource" of the tenant "tenant-contoso" is used up: 10 of 10'
        assert text == message(response, status)
        assert [] == records_of(emulator, "protections", resource_id=FREE)


def test_the_last_licence_is_free_again_after_a_removal(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(used_up_quota="forbidden")
    limit(emulator, 11)
    statuses = [protect(service, FREE, GOLD).status_code, protect(service, OTHER, GOLD).status_code]
    send(service, removing(FREE, GOLD)).raise_for_status()
    assert [200, 403, 200] == [*statuses, protect(service, OTHER, GOLD).status_code]
    assert ("11", "11", False) == quota(service)


@pytest.mark.parametrize("dialect", [{"second_policy": "adds"}, {"second_policy": "replaces"}, {"same_policy": "ok"}])
def test_a_protected_resource_needs_no_further_licence(
    service: httpx.Client, emulator: Emulator, dialect: dict[str, str]
) -> None:
    emulator.set_dialect(used_up_quota="forbidden", **dialect)
    limit(emulator, 10)
    policy_id = SILVER if "same_policy" in dialect else GOLD
    assert (200, ("10", "10", False)) == (protect(service, PROTECTED, policy_id).status_code, quota(service))


# The quota that is used up, and the statuses of protecting resources, in this order.
USED_UP = {
    ("office_user", "8"): {FREE: 403, DRIVE: 200},
    ("office_teamdrive", "2"): {DRIVE: 403, FREE: 200},
    ("storage", "71"): {FREE: 200},
}


@pytest.mark.parametrize(("kind", "used"), USED_UP)
def test_a_quota_counts_the_resources_of_its_kind(
    service: httpx.Client, emulator: Emulator, kind: str, used: str
) -> None:
    emulator.set_dialect(used_up_quota="forbidden")
    limit(emulator, used, kind)
    assert (used, used, False) == quota(service, kind)
    expected = USED_UP[kind, used]
    assert expected == {id: protect(service, id, GOLD).status_code for id in expected}


# By the count and the maximum of automatic licensing, the status of protecting and the limit.
LIMITS: dict[tuple[int | str, int | str | None], tuple[int, str]] = {
    (10, None): (403, "10"), (10, 11): (200, "11"), (10, 10): (403, "10"), (50, 5): (403, "5"), (0, None): (403, "0"),
    (10, UNLIMITED): (200, UNLIMITED), (UNLIMITED, None): (200, UNLIMITED),
}  # fmt: skip


@pytest.mark.parametrize(("count", "automatic"), LIMITS)
def test_the_limit_is_the_count_or_the_maximum_of_automatic_licensing(
    service: httpx.Client, emulator: Emulator, count: int | str, automatic: int | str | None
) -> None:
    emulator.set_dialect(used_up_quota="forbidden")
    limit(emulator, count)
    if automatic is not None:
        license_automatically(emulator, automatic)
    assert LIMITS[count, automatic] == (protect(service, FREE, GOLD).status_code, quota(service)[1])


def test_automatic_licensing_of_another_subscription_lifts_nothing(service: httpx.Client, emulator: Emulator) -> None:
    item = {"subscription_id": "sub-adatum", "kind": "resource", "auto_license": True, "auto_license_max": "900"}
    emulator.patch({"subscription_items": [item, {**item, "subscription_id": "sub-contoso", "kind": "storage"}]})
    assert ("10", "50", False) == quota(service)
    assert ("71", "900", False) == quota(service, "storage")


@pytest.mark.parametrize(("used", "exceeded"), [("50", False), ("51", True), (UNLIMITED, True)])
def test_a_use_that_is_set_is_not_counted(
    service: httpx.Client, emulator: Emulator, used: str, *, exceeded: bool
) -> None:
    limit(emulator, 50, used=used)
    assert (used, "50", exceeded) == quota(service)
    limit(emulator, UNLIMITED, used=used)
    assert (used, UNLIMITED, False) == quota(service)


def test_drift_behind_the_service_shows_in_the_use(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"protections": [ours("prot-contoso-01", deleted=True)]})
    emulator.patch({"resources": [ours("res-contoso-user-02", deleted=True)]})
    assert ("8", "50", False) == quota(service)


def _of_a_tenant(operation: Operation) -> bool:
    return operation.path.startswith("/api/v1/tenants/") and operation.id != "get_tenant"


@each_variant("deleted_tenant", not_found=404, forbidden=403, served=None)
@pytest.mark.parametrize("operation", [row for row in OPERATIONS if _of_a_tenant(row)], ids=lambda row: row.id)
def test_a_request_about_a_deleted_tenant(
    service: httpx.Client, emulator: Emulator, expected: int | None, operation: Operation
) -> None:
    emulator.patch({"tenants": [{"id": "tenant-contoso", "terminated": True}]})
    changed = {"resource_id": FREE} if operation.id == "protect_resource" else {}
    response = call(service, operation, **changed)
    assert (expected or operation.status) == response.status_code, existing_path(operation)
    assert expected is None or message(response, expected) == 'the tenant "tenant-contoso" is deleted'


def test_a_deleted_tenant_itself_says_so(service: httpx.Client, emulator: Emulator) -> None:
    def shown() -> list[dict[str, Any]]:
        return [service.get(CONTOSO).json(), *service.get("orgs/org-contoso/tenants").json()["items"]]

    assert [False, False] == [tenant["deleted"] for tenant in shown()]
    emulator.patch({"tenants": [{"id": "tenant-contoso", "terminated": True}]})
    assert [True, True] == [tenant["deleted"] for tenant in shown()]
