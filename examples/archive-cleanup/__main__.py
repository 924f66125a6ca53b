"""Backups of people who left are deleted after a time.

    pulumi stack init contoso
    pulumi config set tenantId tenant-contoso
    pulumi config set olderThanDays 730
    pulumi config set reason "DP-17: two years after leaving"
    pulumi preview     # read it: there is no operation that takes a deletion back
    pulumi up

The service deletes an archive 7 days after that; until then it can be canceled in the portal. Afterwards the archive
falls out of the list, and `up` forgets it. An archive's age counts from its first backup: the interface says neither
when the last one was made nor when somebody left.
"""

from datetime import UTC, datetime, timedelta

import pulumi

from pulumi_dataprotection import ArchiveDeletion, get_archives, get_resources

config = pulumi.Config()
tenant_id = config.require("tenantId")
oldest = datetime.now(UTC) - timedelta(days=config.require_int("olderThanDays"))

# Archived is what can no longer be backed up, such as the mailbox of somebody who left.
left = {resource.id: resource.name for resource in get_resources(tenant_id, archived=True).items}
archives = [
    archive
    for archive in get_archives(tenant_id).items
    if archive.resource_id in left and archive.created_at and archive.created_at < oldest
]

for archive in archives:
    ArchiveDeletion(archive.id, tenant_id=tenant_id, archive_id=archive.id, reason=config.require("reason"))

pulumi.export("to be deleted", {archive.id: left[archive.resource_id or ""] for archive in archives})
pulumi.export("KB freed", sum(archive.stats.size or 0 for archive in archives if archive.stats))
