"""Everybody in a workspace protected, by a pipeline: .github/workflows/backup.yaml or .gitlab-ci.yml.

A pull request shows what would change, with a key that can only read. Merging it makes it so. Every night the pipeline
looks for what was changed in the portal and who came since, and fails where it finds something; to run the job `up`
again mends it, since that refreshes first.

Once, from a workstation, with Pulumi.prod.yaml to be committed:

    pulumi stack init prod
    pulumi config set tenantId tenant-contoso
    pulumi config set dataprotection:baseUrl https://…

The pipeline's settings hold PULUMI_BACKEND_URL (a bucket; add what its cloud wants to let one in),
PULUMI_CONFIG_PASSPHRASE, DATAPROTECTION_READ_ONLY_KEY and, in the environment `production` alone,
DATAPROTECTION_FULL_KEY.
"""

import pulumi

from pulumi_dataprotection import ProtectionSet, get_resources

tenant_id = pulumi.Config().require("tenantId")
people = get_resources(tenant_id, kind="office_user", archived=False).items

# Who has a policy already keeps it.
everybody = ProtectionSet(
    "people",
    tenant_id=tenant_id,
    resources=[person.id for person in people],
    policy="Gold",
    on_conflict="accept",
    opts=pulumi.ResourceOptions(protect=True),
)

members = pulumi.Output.all(everybody.protected, everybody.adopted)
pulumi.export("protected", members.apply(lambda found: sum(map(len, found))))
