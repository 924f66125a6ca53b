"""A program that declares and gets one resource of each class; prints what it asks of the engine, as JSON."""

import json
import sys
from typing import Any, cast

import pulumi
from pulumi.runtime import mocks, rpc


class Engine(mocks.Mocks):
    """Gives back the arguments."""

    def call(self, args: mocks.MockCallArgs) -> Any:  # noqa: ANN401 - as the base class says
        """Answer nothing."""
        del args
        return {}, None

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str | None, dict[str, Any]]:
        """Answer the arguments."""
        inputs = cast("dict[str, Any]", cast("Any", args).inputs)
        return args.resource_id or "new-id", {**inputs, "kind": "basic", "policy_id": "policy-1"}


class Monitor(mocks.MockMonitor):
    """Writes down what resources ask for."""

    def __init__(self) -> None:
        super().__init__(Engine())
        self.registered: list[dict[str, Any]] = []

    def RegisterResource(self, request: Any) -> Any:  # noqa: ANN401, N802 - the wire's name
        """Write down a resource that is declared."""
        self.registered.append(
            {
                "type": request.type,
                "name": request.name,
                "object": rpc.deserialize_properties(request.object),
                "secrets": [*request.additionalSecretOutputs],
            }
        )
        return cast("Any", super()).RegisterResource(request)

    def ReadResource(self, request: Any) -> Any:  # noqa: ANN401, N802 - the wire's name
        """Write down a resource that is got."""
        self.registered.append(
            {
                "type": request.type,
                "name": request.name,
                "id": request.id,
                "object": rpc.deserialize_properties(request.properties),
                "secrets": [*request.additionalSecretOutputs],
            }
        )
        return cast("Any", super()).ReadResource(request)


def declare() -> pulumi.Output[Any]:
    """Declare everything with all arguments, and get everything by its id."""
    from pulumi_dataprotection import ArchiveDeletion, BackupRun, Org, Protection, ProtectionSet  # noqa: PLC0415 - after the engine is there

    protect = pulumi.ResourceOptions(protect=True)
    org = Org(
        "org", external_id="crm-7", name="Shop", parent_org_id="org-1", admin_email="it@x", profile="p", opts=protect
    )
    protection = Protection(
        "protection",
        tenant_id="t-1",
        resource="jane",
        policy="Gold",
        on_conflict="accept",
        on_destroy="keep",
        adopt="own",
        profile="p",
        opts=protect,
    )
    protection_set = ProtectionSet(
        "protection-set",
        tenant_id="t-1",
        assignments={"jane": "Gold", "john": "Gold"},
        on_conflict="accept",
        on_destroy="keep",
        adopt="own",
        on_missing="warn",
        max_removals="50%",
        profile="p",
        opts=protect,
    )
    backup_run = BackupRun(
        "backup-run",
        tenant_id="t-1",
        job_id="j-1",
        triggers=("monday", 7),
        wait=False,
        timeout=60,
        success_statuses=["fine"],
        failure_statuses=["broken"],
        profile="p",
        opts=protect,
    )
    archive_deletion = ArchiveDeletion(
        "archive-deletion", tenant_id="t-1", archive_id="a-1", reason="gone", profile="p", opts=protect
    )
    plain = [
        BackupRun("plain-backup-run", tenant_id="t-1", job_id="j-1"),
        Org("plain-org", external_id="crm-8", name="Deli"),
        Protection("plain-protection", tenant_id="t-1", resource="john", policy="Gold"),
        ProtectionSet("plain-protection-set", tenant_id="t-1", resources=["jane", "john", "jane"], policy="Gold"),
    ]
    got = [
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
        ids=[resource.id for resource in (org, protection, protection_set, backup_run, archive_deletion, *plain, *got)],
    )


def main() -> None:
    """Run the program."""
    monitor = Monitor()
    mocks.set_mocks(Engine(), project="shop", stack="dev", monitor=monitor)
    outputs: list[object] = []
    cast("Any", mocks).test(lambda: declare().apply(outputs.append))()
    declared = [resource for resource in monitor.registered if resource["type"] != "pulumi:pulumi:Stack"]
    sys.stdout.write(json.dumps({"outputs": outputs[0], "resources": declared}))


if __name__ == "__main__":
    main()
