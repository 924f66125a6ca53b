"""Values that leave a program on the real engine: each arrives exactly."""

from support import Emulator
from support.engine.stack import Stack

TENANT, ARCHIVE = "tenant-contoso", "archive-contoso-01"
CREATED_AT, WIDE = "2026-01-31T12:00:00.123000000Z", 2**63 - 1

# The unit tests of arguments and of records have all types.
PROGRAM = """
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum

archives = get_archives("tenant-contoso", resource="jane.doe@contoso.example")
archive = archives.items[0]

class Kept(pulumi.ComponentResource):
    def __init__(self, name, archive):
        super().__init__("shop:index:Kept", name, {"archive": archive})
        self.size = pulumi.Output.from_input(archive).apply(lambda archive: archive.stats.size)
        self.register_outputs({"archive": archive})

pulumi.export("size", archive.stats.size)
pulumi.export("list", archives)
pulumi.export("text", pulumi.Output.concat("since ", archive.created_at))
pulumi.export("component", Kept("kept", get_archives_output("tenant-contoso").apply(
    lambda found: next(one for one in found.items if one.id == archive.id))).size.apply(str))

class Name(str, Enum):
    TENANT = "tenant-contoso"
    GOLD = "Gold"
    ONE = "res-contoso-user-20"
    TWO = "res-contoso-user-21"

BackupRun("run", tenant_id="tenant-contoso", job_id="job-contoso-01", wait=False, triggers=[
    archives, archive.stats.size, pulumi.Output.from_input(archive).created_at, datetime(2026, 1, 31, tzinfo=UTC),
    Decimal("0.10"), (1, 2.5, True, None), {"a": (2**60,)}, -2**53,
])
Protection("one", tenant_id=Name.TENANT, resource=Name.ONE, policy=pulumi.Output.from_input(Name.GOLD))
ProtectionSet("two", tenant_id=Name.TENANT, assignments={Name.TWO: Name.GOLD})
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
    archives, text = {"items": [archive]}, f"since {CREATED_AT}"
    assert {"size": str(WIDE), "list": archives, "text": text, "component": f"{WIDE}"} == up.outputs
    inputs = {name: resource["inputs"] for name, resource in stack.resources().items()}
    day, parts = "2026-01-31T00:00:00Z", [1, 2.5, True, None]
    expected = [archives, str(WIDE), CREATED_AT, day, "0.10", parts, {"a": [str(2**60)]}, -(2**53)]
    assert expected == inputs["run"]["triggers"]
    assert "res-contoso-user-20" == inputs["one"]["resource"]
    assert {"res-contoso-user-21": "Gold"} == inputs["two"]["assignments"]
    assert {} == stack.preview().steps
