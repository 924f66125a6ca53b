"""Values that leave a program on the real engine: each arrives exactly."""

from typing import cast

from support import Emulator
from support.engine.stack import Stack

TENANT, ARCHIVE = "tenant-contoso", "archive-contoso-01"
CREATED_AT, WIDE = "2026-01-31T12:00:00.123000000Z", 2**63 - 1

PROGRAM = """
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum

archive = get_archives("tenant-contoso", resource="jane.doe@contoso.example").items[0]
tenant = get_tenant(id="tenant-contoso")

pulumi.export("size", archive.stats.size)
pulumi.export("when", archive.created_at)
pulumi.export("is old", archive.created_at < datetime.now(UTC) + timedelta(days=10000))
pulumi.export("archive", archive)
pulumi.export("list", get_archives("tenant-contoso", resource="jane.doe@contoso.example"))
pulumi.export("outputs", pulumi.Output.all(a=[archive]).apply(lambda all: [all["a"][0].created_at, all["a"][0]]))
pulumi.export("text", pulumi.Output.concat("since ", archive.created_at))
pulumi.export("format", pulumi.Output.format("{0}", pulumi.Output.from_input(archive).created_at))
pulumi.export("tenant", tenant)

class Kept(pulumi.ComponentResource):
    def __init__(self, name, archive):
        super().__init__("shop:index:Kept", name, {"archive": archive})
        self.when = pulumi.Output.from_input(archive).apply(lambda archive: archive.stats.size)
        self.register_outputs({"archive": archive})

pulumi.export("component", Kept("kept", get_archives_output("tenant-contoso").apply(
    lambda found: next(one for one in found.items if one.id == archive.id))).when.apply(str))

class Name(str, Enum):
    TENANT = "tenant-contoso"
    GOLD = "Gold"
    ONE = "res-contoso-user-20"
    TWO = "res-contoso-user-21"
    THREE = "res-contoso-user-22"
    LEFT = "left"
    ARCHIVE = "archive-contoso-05"

class Color(Enum):
    RED = "red"

BackupRun("run", tenant_id="tenant-contoso", job_id="job-contoso-01", wait=False, triggers=[
    archive.created_at, archive, archive.stats.size,
    pulumi.Output.from_input(archive).created_at,
    get_archives("tenant-contoso", resource="jane.doe@contoso.example"),
    pulumi.Output.from_input([datetime(2026, 1, 31, 13, tzinfo=timezone(timedelta(hours=1)))]), date(2026, 1, 31),
    datetime(2026, 1, 31), Decimal("0.10"), Color.RED, (1, 2.5, True, None), {"a": (2**60,)}, -2**53, range(2),
])
Protection("one", tenant_id=Name.TENANT, resource=Name.ONE, policy=pulumi.Output.from_input(Name.GOLD))
ProtectionSet("two", tenant_id=Name.TENANT, assignments={Name.TWO: Name.GOLD})
ProtectionSet("three", tenant_id=Name.TENANT, resources=(Name.THREE,), policy=Name.GOLD, max_removals=2)
ArchiveDeletion("deletion", tenant_id=Name.TENANT, archive_id=Name.ARCHIVE, reason=Name.LEFT)
Org("org", external_id=Name.ONE, name=Name.GOLD)
"""


def test_records_and_values_arrive_exactly_in_exports_and_arguments(stack: Stack, emulator: Emulator) -> None:
    emulator.set_dialect(times="nanoseconds")
    created_at = "2026-01-31T12:00:00.123456Z"
    emulator.patch({"archives": [{"tenant_id": TENANT, "id": ARCHIVE, "created_at": created_at, "size": str(WIDE)}]})
    up = stack.deploy(PROGRAM)
    archive = {
        "id": ARCHIVE,
        "tenant_id": TENANT,
        "resource_id": "res-contoso-user-01",
        "delete_pending": False,
        "created_at": CREATED_AT,
        "stats": {"size": str(WIDE)},
    }
    suite = {"external_id": "suite-contoso", "kind": "office_suite_a", "region": "EU", "deleted": False}
    fields = {"id": TENANT, "name": "Contoso Workspace", **suite}
    sent = cast("dict[str, dict[str, object]]", up.outputs["tenant"])["fields"]
    assert {
        "size": str(WIDE),
        "when": CREATED_AT,
        "is old": True,
        "archive": archive,
        "list": {"items": [archive]},
        "outputs": [CREATED_AT, archive],
        "text": f"since {CREATED_AT}",
        "format": CREATED_AT,
        "tenant": {**fields, "fields": {**sent, **fields}},
        "component": f"{WIDE}",
    } == up.outputs

    inputs = {name: resource["inputs"] for name, resource in stack.resources().items()}
    assert [
        CREATED_AT,
        archive,
        str(WIDE),
        CREATED_AT,
        {"items": [archive]},
        ["2026-01-31T12:00:00Z"],
        "2026-01-31",
        "2026-01-31T00:00:00",
        "0.10",
        "red",
        [1, 2.5, True, None],
        {"a": [str(2**60)]},
        -(2**53),
        [0, 1],
    ] == inputs["run"]["triggers"]
    found = (inputs["one"]["resource"], inputs["two"]["assignments"], inputs["three"]["assignments"])
    assert ("res-contoso-user-20", {"res-contoso-user-21": "Gold"}, {"res-contoso-user-22": "Gold"}) == found
    assert ("left", "Gold") == (inputs["deletion"]["reason"], inputs["org"]["name"])
    assert {} == stack.preview().steps
