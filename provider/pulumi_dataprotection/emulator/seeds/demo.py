"""The seed `demo`: a distributor with two service providers, their customers, and two workspaces."""

from datetime import datetime, timedelta

from pulumi_dataprotection.emulator._times import format_time
from pulumi_dataprotection.emulator.seeds._common import keys
from pulumi_dataprotection.emulator.seeds.workspace import Workspace, workspace
from pulumi_dataprotection.emulator.store.document import Record

_ORGS: tuple[Record, ...] = (
    {"id": "org-meridian", "kind": "distributor", "name": "Meridian Distribution"},
    {"id": "org-alpine", "kind": "msp", "name": "Alpine IT Services", "parent_org_id": "org-meridian"},
    {"id": "org-harbor", "kind": "msp", "name": "Harbor Cloud Partners", "parent_org_id": "org-meridian"},
    {"id": "org-northwind", "external_id": "crm-1001", "name": "Northwind Traders", "parent_org_id": "org-alpine"},
    {"id": "org-contoso", "external_id": "crm-1002", "name": "Contoso", "parent_org_id": "org-alpine"},
    {"id": "org-adatum", "external_id": "crm-1003", "name": "Adatum", "parent_org_id": "org-harbor"},
)

_CONTOSO = Workspace(
    name="Contoso Workspace",
    short_name="contoso",
    kind="office_suite_a",
    region="EU",
    billing="post_pay",
    people="""
        jane.doe john.smith amelie.dubois aoife.byrne sinéad.o'connor josé.garcía zoë.müller søren.kjær
        łukasz.nowak chiara.rossi priya.sharma wei.zhang yuki.tanaka fatima.haddad omar.farouk
        grace.okafor tomás.silva ingrid.larsen nikolai.petrov hannah.cohen diego.morales eva.novák
        liam.murphy noor.devries samuel.mensah björn.lindqvist maria.papadopoulou arjun.patel
        former.employee support
    """,
    drives=(
        "Finance", "Human Resources", "Marketing 🚀", "Sales Europe", "Legal & Compliance", "Projects / 2026",
        "Board", "Engineering", "Customer Success", "Archive 2019", "support@contoso.example",
    ),
    archived=("former.employee@contoso.example",),
)  # fmt: skip

_ADATUM = Workspace(
    name="Adatum Workspace",
    short_name="adatum",
    kind="office_suite_b",
    region="US",
    billing="pre_pay",
    people="""
        anna.schmidt ben.carter clara.jensen d'arcy.holt émile.laurent franziska.weiß gustav.holm
        hiroshi.sato ines.ferreira jonas.becker katarzyna.wójcik lena.fischer mateo.fernández nadia.karim
        oskar.berg paula.costa quentin.moreau rosa.jiménez stefan.ionescu tara.singh umberto.conti
        vera.kowalska willem.bakker xenia.popova yasmin.ali zora.horvat moved.away
    """,
    drives=(
        "Accounting", "Design", "Facilities", "Logistik & Lager", "Produktion", "Recruiting", "Research 🔬",
        "Shared Templates", "Warehouse", "Werbung", "Year-end", "Jonas's drive",
    ),
    archived=("moved.away@adatum.example",),
)  # fmt: skip


def demo(now: datetime) -> dict[str, list[Record]]:
    """Return the estate; its ids never change, its times are counted back from now."""
    document: dict[str, list[Record]] = {"orgs": list(_ORGS), **keys(org_id="org-meridian")}
    for org_id, description in (("org-contoso", _CONTOSO), ("org-adatum", _ADATUM)):
        tenant_id = f"tenant-{description.short_name}"
        document.setdefault("tenants", []).append(
            {
                "id": tenant_id,
                "external_id": f"suite-{description.short_name}",
                "org_id": org_id,
                "kind": description.kind,
                "name": description.name,
                "region": description.region,
                "created_at": format_time(now - timedelta(days=400)),
            }
        )
        for section, records in workspace(tenant_id, description, now).items():
            document.setdefault(section, []).extend(records)
    return document


def one_tenant(now: datetime) -> dict[str, list[Record]]:
    """Return the estate with both keys installed for one tenant only."""
    return {**demo(now), **keys(tenant_id="tenant-contoso")}


def customer_left(now: datetime) -> dict[str, list[Record]]:
    """Return the estate with a deleted tenant, whose subscription is canceled."""
    estate, started_at = demo(now), format_time(now - timedelta(days=400))
    left = {
        "id": "tenant-northwind",
        "external_id": "suite-northwind",
        "name": "Northwind Workspace",
        "terminated": True,
    }
    canceled = {"id": "sub-northwind", "status": "canceled", "expires": format_time(now - timedelta(days=30))}
    estate["tenants"].append({**left, "org_id": "org-northwind", "created_at": started_at})
    estate["subscriptions"].append({**canceled, "tenant_id": left["id"], "plan": "Business", "started_at": started_at})
    estate["subscription_items"].append({"subscription_id": canceled["id"], "kind": "resource", "qty": "25"})
    return estate
