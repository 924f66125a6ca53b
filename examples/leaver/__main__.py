"""Who leaves gets a final backup, and is not protected any more once it has succeeded.

    pulumi stack init contoso
    pulumi config set tenantId tenant-contoso
    pulumi up

Then add who leaves to leavers.txt, and run it again. An address goes from there before somebody else gets it. Who has
no policy has no job to run, and fails in the preview. As long as a final backup fails, its person stays protected and
each `up` tries again; that holds up those who came since, too. Where it can never succeed, as for a mailbox that is
archived already, take the line out: what is archived falls out of the set by itself.
"""

from pathlib import Path

import pulumi

from pulumi_dataprotection import BackupRun, ProtectionSet, get_protections, get_resources

config = pulumi.Config()
tenant_id = config.require("tenantId")
lines = Path(__file__).with_name("leavers.txt").read_text(encoding="utf-8").split("\n")
listed = [line.strip() for line in lines if line.strip() and not line.startswith("#")]

# Where several have an address, it means the one who is not archived, who comes last here.
people = sorted(get_resources(tenant_id, kind="office_user").items, key=lambda person: not person.archived)
ids = {
    reference.casefold(): person.id
    for person in people
    for reference in (person.name or "", f"ext${person.external_id}", person.id)
}
leavers = sorted({ids[line.casefold()] for line in listed if line.casefold() in ids})

# A job goes with its protection. Once it is gone, the run keeps the job that it had.
jobs = {protection.resource_id: protection.job_id for protection in get_protections(tenant_id).items}
final_backups = [
    BackupRun(
        f"final-{leaver}",
        tenant_id=tenant_id,
        job_id=jobs.get(leaver),
        opts=pulumi.ResourceOptions(ignore_changes=["job_id"]),
    )
    for leaver in leavers
]

# It changes only after all final backups have succeeded. What it takes off is what it put on: whoever had a policy
# before it came keeps it.
ProtectionSet(
    "people",
    tenant_id=tenant_id,
    resources=[person.id for person in people if not person.archived and person.id not in leavers],
    policy=config.require("policy"),
    on_conflict="accept",
    opts=pulumi.ResourceOptions(depends_on=final_backups, protect=True),
)

pulumi.export("leavers", len(leavers))
pulumi.export("unknown in leavers.txt", [line for line in listed if line.casefold() not in ids])
