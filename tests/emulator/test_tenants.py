"""Tenants, their quotas and the installations of the calling application (operations 1, 5, 8 and 9)."""

from support.emulator.cases import case, each_case

INSTALLATIONS = "GET applications/me/installations"
MAX = str(2**63 - 1)
RESOURCES = {"kind": "resource", "count": "50", "units": "", "used": "10"}
STORAGE = {"kind": "storage", "count": "2048", "units": "GB", "used": "71"}


def installed(id: str = "installation-1", **fields: str | None) -> dict[str, list[dict[str, object]]]:
    return {"installations": [{"id": id, **fields}]}


test_an_answer_about_tenants = each_case(
    {
        "the tenants of an organization": case("GET orgs/org-contoso/tenants", answer=["tenant-contoso"]),
        "tenants below are not listed": case("GET orgs/org-alpine/tenants", answer=[]),
        "a quota of 64 bits": case(
            {"quotas": [{"tenant_id": "tenant-contoso", "kind": "storage", "count": MAX}]},
            "GET /quotas",
            answer={"tenant_id": "tenant-contoso", "items": [RESOURCES, {**STORAGE, "count": MAX}]},
        ),
        "an installation for a tenant": case(
            installed(org_id=None, tenant_id="tenant-adatum"),
            INSTALLATIONS,
            answer=["tenant-adatum"],
            field="tenant_id",
        ),
        "the installation of another application": case(
            installed("installation-9", key_name="Read-only", org_id="org-contoso"),
            INSTALLATIONS,
            answer=["org-meridian"],
            field="org_id",
        ),
        "no installation": case(
            {"installations": [{"id": "installation-1", "deleted": True}]}, INSTALLATIONS, answer=[]
        ),
    }
)
