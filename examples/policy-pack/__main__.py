r"""What each stack with backups has to keep to, as a policy pack.

    pulumi preview --policy-pack examples/policy-pack --policy-pack-config policies.json

with, in policies.json:

    {
      "everything-has-a-policy": {"tenant_id": "tenant-contoso", "kind": "office_user"},
      "coverage-is-high": {"tenant_id": "tenant-contoso", "min_percent": 98},
      "deletions-have-a-ticket": {"pattern": "^DP-\\d+"}
    }

It reads the service with the key of the command that it belongs to; one that can only read will do.
"""

import re
from collections.abc import Mapping
from typing import Any

from pulumi_policy import (
    EnforcementLevel,
    PolicyConfigSchema,
    PolicyPack,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    StackValidationArgs,
    StackValidationPolicy,
)

from pulumi_dataprotection import get_coverage, get_resources

ARCHIVE_DELETION, ORG, PROTECTION, PROTECTION_SET = (
    f"pulumi-python:dynamic/dataprotection:{name}" for name in ("ArchiveDeletion", "Org", "Protection", "ProtectionSet")
)
A_TICKET = r"^[A-Z]+-\d+"


def org_is_protected(args: ResourceValidationArgs, report_violation: ReportViolation) -> None:
    """Report an organization that may fall out of its program unnoticed."""
    if args.resource_type == ORG and not args.opts.protect:
        report_violation("set protect=True: one that falls out of its program is not managed any more", args.urn)


def deletion_has_a_ticket(args: ResourceValidationArgs, report_violation: ReportViolation) -> None:
    """Report a deletion whose reason names no ticket."""
    pattern = args.get_config().get("pattern", A_TICKET)
    if args.resource_type == ARCHIVE_DELETION and not re.search(pattern, args.props["reason"]):
        report_violation(f"its reason must match {pattern}: backups are deleted by ticket alone", args.urn)


def everything_has_a_policy(args: StackValidationArgs, report_violation: ReportViolation) -> None:
    """Report what nothing protects: the service shows no policy on it, and this stack gives it none.

    What the stack is about to take a policy from still has it, and shows in the next run.
    """
    config = args.get_config()
    if not config:
        args.not_applicable("its config names no tenant_id and kind")
    tenant_id, kind = config["tenant_id"], config["kind"]
    declared = {
        resource_id
        for resource in args.resources
        if resource.resource_type in {PROTECTION, PROTECTION_SET} and resource.props["tenant_id"] == tenant_id
        for resource_id in members(resource.props)
    }
    unprotected = get_resources(tenant_id, kind=kind, archived=False, protected=False).items
    bare = [resource.name or resource.id for resource in unprotected if resource.id not in declared]
    if bare:
        more = ", …" if len(bare) > 10 else ""  # noqa: PLR2004 - enough to know what it is about
        said = f"nothing protects {len(bare)} of the kind {kind} in {tenant_id}: {', '.join(bare[:10])}{more}"
        report_violation(said, None)


def coverage_is_high(args: StackValidationArgs, report_violation: ReportViolation) -> None:
    """Report each kind of item in a tenant of which too few have a policy now, before the stack changes anything."""
    config = args.get_config()
    if not config:
        args.not_applicable("its config names no tenant_id and min_percent")
    for found in get_coverage(config["tenant_id"]).items:
        if found.percent < config["min_percent"]:
            report_violation(
                f"{found.percent} % of the kind {found.kind} in {config['tenant_id']} have a policy, and at least "
                f"{config['min_percent']} % must; {found.unprotected} have none",
                None,
            )


def members(props: Mapping[str, Any]) -> set[str]:
    """The ids of what a Protection or a ProtectionSet protects."""
    if "resource_id" in props:
        return {props["resource_id"]}
    # A preview that makes or changes a set shows its inputs, in which only names that are no ids have an id.
    if "assignments" in props:
        ids = props.get("resource_ids", {})
        return {ids.get(name, name) for name in props["assignments"]}
    return {*props["protected"], *props["adopted"]}


PolicyPack(
    "backups",
    enforcement_level=EnforcementLevel.MANDATORY,
    policies=[
        ResourceValidationPolicy("orgs-are-protected", "An Org has protect=True.", org_is_protected),
        ResourceValidationPolicy(
            "deletions-have-a-ticket",
            "The reason of an ArchiveDeletion names a ticket.",
            deletion_has_a_ticket,
            config_schema=PolicyConfigSchema({"pattern": {"type": "string", "default": A_TICKET}}),
        ),
        StackValidationPolicy(
            "everything-has-a-policy",
            "Each resource of a kind in a tenant has a policy, or gets one from the stack.",
            everything_has_a_policy,
            config_schema=PolicyConfigSchema({"tenant_id": {"type": "string"}, "kind": {"type": "string"}}),
        ),
        StackValidationPolicy(
            "coverage-is-high",
            "Of each kind of item in a tenant, enough have a policy.",
            coverage_is_high,
            config_schema=PolicyConfigSchema(
                {"tenant_id": {"type": "string"}, "min_percent": {"type": "number", "minimum": 0, "maximum": 100}}
            ),
        ),
    ],
)
