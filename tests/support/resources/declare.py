"""A program that declares and reads one resource of each class; prints its registrations as JSON."""

import json
import sys
from collections.abc import Callable
from typing import Any, cast

import pulumi
from pulumi.runtime import mocks, rpc


class Engine(mocks.Mocks):
    """The engine's answers, which are the arguments."""

    def call(self, args: mocks.MockCallArgs) -> Any:  # noqa: ANN401 - as the base class has it
        """Return nothing."""
        del args
        return {}, None

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str | None, dict[str, Any]]:
        """Return the arguments."""
        inputs = cast("dict[str, Any]", cast("Any", args).inputs)
        return args.resource_id or "new-id", {**inputs, "kind": "basic", "policy_id": "policy-1"}


class Monitor(mocks.MockMonitor):
    """The engine's side of registrations, which it keeps."""

    def __init__(self) -> None:
        super().__init__(Engine())
        self.registered: list[dict[str, Any]] = []

    def RegisterResource(self, request: Any) -> Any:  # noqa: ANN401, N802 - the wire's name
        """Keep a resource that is declared."""
        self._keep(request, request.object)
        return cast("Any", super()).RegisterResource(request)

    def ReadResource(self, request: Any) -> Any:  # noqa: ANN401, N802 - the wire's name
        """Keep a resource that is read."""
        self._keep(request, request.properties, id=request.id)
        return cast("Any", super()).ReadResource(request)

    def _keep(self, request: Any, properties: Any, **others: object) -> None:  # noqa: ANN401 - without types
        kept = {"type": request.type, "name": request.name, "secrets": [*request.additionalSecretOutputs]}
        self.registered.append({**kept, "object": rpc.deserialize_properties(properties), **others})


def run(program: Callable[[], Any]) -> list[dict[str, Any]]:
    """Run a program, and return its registrations but the stack."""
    monitor = Monitor()
    mocks.set_mocks(Engine(), project="shop", stack="dev", monitor=monitor)
    cast("Any", mocks).test(program)()
    return [resource for resource in monitor.registered if resource["type"] != "pulumi:pulumi:Stack"]


def declare() -> pulumi.Output[Any]:
    """Declare each class with all arguments and with few, and read each by its id."""
    # The engine has to be there before these classes.
    from pulumi_dataprotection import ArchiveDeletion, BackupRun, Org, Protection, ProtectionSet  # noqa: PLC0415

    known, protect = pulumi.Output.from_input, pulumi.ResourceOptions(protect=True)
    choices: dict[str, Any] = {"on_conflict": "accept", "on_destroy": "keep", "adopt": "own", "profile": "p"}
    job: dict[str, Any] = {"triggers": ("monday", 7), "wait": False, "timeout": 60, "success_statuses": ["fine"]}
    org = Org(
        "org", external_id="crm-7", name="Shop", parent_org_id="org-1", admin_email="it@x", profile="p", opts=protect
    )
    protection = Protection("protection", tenant_id="t-1", resource="jane", policy="Gold", **choices, opts=protect)
    members = {"jane": "Gold", "john": "Gold"}
    missing: dict[str, Any] = {"on_missing": "warn", "max_removals": "50%"}
    run, deletion = "backup-run", "archive-deletion"
    resources = [
        org,
        protection,
        ProtectionSet("protection-set", tenant_id="t-1", assignments=members, **choices, **missing, opts=protect),
        BackupRun(run, tenant_id="t-1", job_id="j-1", **job, failure_statuses=["broken"], profile="p", opts=protect),
        ArchiveDeletion(deletion, tenant_id="t-1", archive_id="a-1", reason="gone", profile="p", opts=protect),
        BackupRun("plain-backup-run", tenant_id="t-1", job_id="j-1"),
        Org("plain-org", external_id="crm-8", name="Deli"),
        Protection("plain-protection", tenant_id="t-1", resource="john", policy="Gold"),
        ProtectionSet("plain-protection-set", tenant_id=known("t-1"), resources=known(["jane", "john"]), policy="Gold"),
        ArchiveDeletion.get("got-archive-deletion", "t-1/a-1", profile="p"),
        BackupRun.get("got-backup-run", "t-1/k-1", profile="p"),
        Org.get("got-org", "org-1", profile="p"),
        Protection.get("got-protection", "t-1/r-1", profile="p"),
    ]
    return pulumi.Output.all(
        kind=org.kind,
        invitation_url=org.invitation_url,
        policy_id=protection.policy_id,
        job_id=protection.job_id,
        ids=[resource.id for resource in resources],
    )


def main() -> None:
    """Run the program."""
    outputs: list[object] = []
    declared = run(lambda: declare().apply(outputs.append))
    sys.stdout.write(json.dumps({"outputs": outputs[0], "resources": declared}))


if __name__ == "__main__":
    main()
