"""Tenants, their quotas and the installations of the calling application (operations 1, 5, 8 and 9)."""

from support.emulator.cases import case, each_case

INSTALLATIONS = "GET applications/me/installations"


def installed(id: str = "installation-1", **fields: str | None) -> dict[str, list[dict[str, object]]]:
    return {"installations": [{"id": id, **fields}]}


test_an_answer_about_tenants = each_case(
    {
        "tenants below are not listed": case("GET orgs/org-alpine/tenants", answer=[]),
        "an installation for a tenant": case(
            installed(org_id=None, tenant_id="tenant-adatum"),
            INSTALLATIONS,
            answer=["tenant-adatum"],
            field="items.tenant_id",
        ),
        "the installation of another application": case(
            installed("installation-9", key_name="Read-only", org_id="org-contoso"),
            INSTALLATIONS,
            answer=["org-meridian"],
            field="items.org_id",
        ),
        "no installation": case(
            {"installations": [{"id": "installation-1", "deleted": True}]}, INSTALLATIONS, answer=[]
        ),
    }
)
