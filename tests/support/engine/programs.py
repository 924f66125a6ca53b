"""Short programs, and their writes to the service."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from support import Emulator

SECOND = """
class Second(pulumi.ProviderResource):
    def __init__(self):
        super().__init__("pulumi-python", "second", {})


SECOND = Second()
"""

DECLARE = """
class Group(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("test:index:Group", name)


def reference(resource, tenant):
    return f"res-{tenant}-user-{resource:02}" if isinstance(resource, int) else resource


def protect(name, resource, policy="Gold", *, tenant="contoso", on_conflict="fail", profile=None, **options):
    return Protection(
        name,
        tenant_id=f"tenant-{tenant}",
        resource=reference(resource, tenant),
        policy=policy,
        on_conflict=on_conflict,
        profile=profile,
        opts=pulumi.ResourceOptions(**options),
    )


ARGUMENTS = ("on_conflict", "on_destroy", "on_missing", "max_removals", "profile")


def protect_all(name, members, policy="Gold", *, tenant="contoso", **more):
    arguments = {argument: more.pop(argument) for argument in ARGUMENTS if argument in more}
    if isinstance(members, dict):
        arguments["assignments"] = {reference(member, tenant): members[member] for member in members}
    else:
        arguments |= {"resources": [reference(member, tenant) for member in members], "policy": policy}
    return ProtectionSet(name, tenant_id=f"tenant-{tenant}", **arguments, opts=pulumi.ResourceOptions(**more))


def org(name, external_id, title, *, admin_email="it@shop.example", parent_org_id=None, profile=None, **options):
    return Org(
        name,
        external_id=external_id,
        name=title,
        admin_email=admin_email,
        parent_org_id=parent_org_id,
        profile=profile,
        opts=pulumi.ResourceOptions(**options),
    )


"""

_SIGNS = {"create_org": "+", "protect_resource": "+", "unprotect_resource": "-"}


@dataclass
class Change:
    """Two versions of some lines of a program, and the effect of the second version.

    Attributes:
        before: the lines in the first version.
        after: the lines in the second version.
        steps: the steps by name.
        writes: the writes by thing.
    """

    before: str
    after: str
    steps: dict[str, str] = field(default_factory=dict[str, str])
    writes: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


def steps_and_writes(changes: Mapping[str, Change]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the steps and writes of all changes together."""
    steps = {name: step for change in changes.values() for name, step in change.steps.items()}
    return steps, {thing: what for change in changes.values() for thing, what in change.writes.items()}


def program(*lines: str) -> str:
    """Return a program of lines that use `protect`, `protect_all` and `org`."""
    return DECLARE + "\n".join(lines)


def writes_in_order(emulator: Emulator) -> list[str]:
    """Return the writes since the log was cleared: "contoso-user-09 +gold", "contoso-user-09 -gold", "crm-1 +".

    A resource is called by its id without "res-", a policy by its last word, an organization by its external id. A
    write that did not succeed has its status behind it.
    """
    return [f"{thing} {what}" for thing, what in _writes(emulator)]


def writes_by_thing(emulator: Emulator) -> dict[str, list[str]]:
    """Return the same for each thing: {"contoso-user-09": ["+gold", "-gold"], "crm-1": ["+"]}."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for thing, what in _writes(emulator):
        found[thing].append(what)
    return dict(found)


def _writes(emulator: Emulator) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for request in emulator.writes():
        query: dict[str, str] = request["query"]
        thing = query.get("external_id") or request["path"].split("/")[-2].removeprefix("res-")
        what = _SIGNS[request["operation"]] + query.get("policy_id", "").rpartition("-")[2]
        found.append((thing, what if request["status"] == 200 else f"{what} {request['status']}"))
    return found


def placeholders(emulator: Emulator) -> list[str]:
    """Return the requests that hold the text of an unknown value or of an output."""
    targets = [f"{request['path']} {request['query']}" for request in emulator.requests()]
    texts = ("04da6b54", "Unknown", "Output", "None", "object at")
    return [target for target in targets if any(text in target for text in texts)]


def hire(emulator: Emulator) -> None:
    """Give the tenant a user for each move."""
    people = [
        {
            "tenant_id": "tenant-contoso",
            "id": f"res-contoso-user-{number}",
            "external_id": f"usr-10{number}",
            "name": f"user-{number}@contoso.example",
            "kind": "office_user",
        }
        for number in range(30, 82)
    ]
    emulator.patch({"resources": people})
