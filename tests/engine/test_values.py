"""Values that leave a program on the real engine: each arrives exactly, or is refused in one sentence."""

from typing import cast

from support import Emulator
from support.engine.stack import Stack, traceback_in

TENANT, ARCHIVE = "tenant-contoso", "archive-contoso-01"
CREATED_AT, WIDE = "2026-01-31T12:00:00.123000000Z", 2**63 - 1

PROGRAM = """
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
import math

class Color(Enum):
    RED = "red"

archive = get_archives("tenant-contoso", resource="jane.doe@contoso.example").items[0]
tenant = get_tenant(id="tenant-contoso")
"""

EXPORTS = (
    PROGRAM
    + """
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
"""
)


def prepare(emulator: Emulator) -> None:
    emulator.set_dialect(times="nanoseconds")
    emulator.patch(
        {
            "archives": [
                {"tenant_id": TENANT, "id": ARCHIVE, "created_at": "2026-01-31T12:00:00.123456Z", "size": str(WIDE)}
            ]
        }
    )


def test_records_and_their_attributes_can_be_exported(stack: Stack, emulator: Emulator) -> None:
    prepare(emulator)
    stack.write(EXPORTS)
    up = stack.up()
    assert not up.failed, up.text
    archive = {
        "id": ARCHIVE,
        "tenant_id": TENANT,
        "resource_id": "res-contoso-user-01",
        "delete_pending": False,
        "created_at": CREATED_AT,
        "stats": {"size": str(WIDE)},
    }
    fields = {"id": TENANT, "kind": "office_suite_a", "name": "Contoso Workspace"}
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


TRIGGERS = """
BackupRun("run", tenant_id="tenant-contoso", job_id="job-contoso-01", wait=False, triggers={})
"""
GOOD = """[
    archive.created_at, archive, archive.stats.size,
    pulumi.Output.from_input(archive).created_at,
    get_archives("tenant-contoso", resource="jane.doe@contoso.example"),
    pulumi.Output.from_input([datetime(2026, 1, 31, 13, tzinfo=timezone(timedelta(hours=1)))]), date(2026, 1, 31),
    datetime(2026, 1, 31), Decimal("0.10"), Color.RED, (1, 2.5, True, None), {"a": (2**60,)}, -2**53, range(2),
]"""


def test_triggers_arrive_exactly(stack: Stack, emulator: Emulator) -> None:
    prepare(emulator)
    stack.write(PROGRAM + TRIGGERS.format(GOOD))
    up = stack.up()
    assert not up.failed, up.text
    archive = {
        "id": ARCHIVE,
        "tenant_id": TENANT,
        "resource_id": "res-contoso-user-01",
        "delete_pending": False,
        "created_at": CREATED_AT,
        "stats": {"size": str(WIDE)},
    }
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
    ] == stack.resources()["run"]["inputs"]["triggers"]
    assert {} == stack.preview().steps


KINDS = "text, numbers, lists, or dictionaries of those"
BAD = {
    "math.nan": "nan is not a number that can be sent. Give text or a finite number.",
    "pulumi.Output.from_input([-math.inf])": "-inf is not a number that can be sent. Give text or a finite number.",
    '{"a"}': f"a value of the type set cannot be sent. Give {KINDS}.",
    'b"a"': f"a value of the type bytes cannot be sent. Give {KINDS}.",
    "timedelta(1)": f"a value of the type timedelta cannot be sent. Give {KINDS}.",
    "{1: 2}": "the key 1 of a dictionary is not text. Give dictionaries with text as keys.",
    r'"\ud800"': "a text in it is not Unicode. Decode the text with the right encoding.",
}


def test_what_cannot_be_sent_is_refused_in_one_sentence(stack: Stack) -> None:
    for value, text in BAD.items():
        stack.write(PROGRAM + TRIGGERS.format(f"[{value}]"))
        preview = stack.preview()
        expected = f'Cannot send triggers of BackupRun "run": {text}'
        assert (expected, False) == (preview.messages[""].splitlines()[0], traceback_in(preview)), value


OTHERS = (
    PROGRAM
    + """
class Name(str, Enum):
    TENANT = "tenant-contoso"
    GOLD = "Gold"
    ONE = "res-contoso-user-20"
    TWO = "res-contoso-user-21"
    THREE = "res-contoso-user-22"
    LEFT = "left"
    ARCHIVE = "archive-contoso-05"

Protection("one", tenant_id=Name.TENANT, resource=Name.ONE, policy=pulumi.Output.from_input(Name.GOLD))
ProtectionSet("two", tenant_id=Name.TENANT, assignments={Name.TWO: Name.GOLD})
ProtectionSet("three", tenant_id=Name.TENANT, resources=(Name.THREE,), policy=Name.GOLD, max_removals=2)
ArchiveDeletion("deletion", tenant_id=Name.TENANT, archive_id=Name.ARCHIVE, reason=Name.LEFT)
Org("org", external_id=Name.ONE, name=Name.GOLD)
"""
)


def test_other_arguments_are_sent_as_their_values(stack: Stack, emulator: Emulator) -> None:
    stack.write(OTHERS)
    up = stack.up()
    assert (False, 5) == (up.failed, len(up.steps)), up.text
    inputs = {name: resource["inputs"] for name, resource in stack.resources().items()}
    found = (inputs["one"]["resource"], inputs["two"]["assignments"], inputs["three"]["assignments"])
    assert ("res-contoso-user-20", {"res-contoso-user-21": "Gold"}, {"res-contoso-user-22": "Gold"}) == found
    assert ("left", "Gold") == (inputs["deletion"]["reason"], inputs["org"]["name"])
    emulator.clear_requests()
    assert {} == stack.preview().steps


WRONG = {
    'ProtectionSet("s", tenant_id="tenant-contoso", assignments={}, max_removals=2**60)': "must be a whole number",
    'ProtectionSet("s", tenant_id="tenant-contoso", assignments={}, max_removals=2.5)': "must be a whole number",
    'BackupRun("s", tenant_id="tenant-contoso", job_id="j", timeout=math.inf)': "Cannot send timeout of BackupRun",
    'BackupRun("s", tenant_id="tenant-contoso", job_id=datetime.now(UTC), success_statuses={"a"})': "of the type set",
    'Protection("s", tenant_id=b"t", resource="r", policy="Gold")': 'Cannot send tenant_id of Protection "s"',
    'Org("s", external_id=7, name="Shop")': "must be text",
    'ArchiveDeletion("s", tenant_id="t", archive_id="a", reason={1: 2})': "the key 1 of a dictionary is not text",
}


def test_other_arguments_that_cannot_be_sent_are_refused_too(stack: Stack) -> None:
    for declared, text in WRONG.items():
        stack.write(PROGRAM + declared)
        preview = stack.preview()
        assert (True, False) == (preview.failed, traceback_in(preview)), preview.text
        assert text in preview.text, preview.text
