"""A workspace protected by rule: run it every night, and who came since yesterday is protected by morning."""

from pathlib import Path

import pulumi

from pulumi_dataprotection import ProtectionSet, Rule, assign, get_resources

# An existing customer's workspace. Names may change and may occur twice, ids do not.
WORKSPACE = "tenant-contoso"

# Who gets the best policy comes from somewhere else: a reference a line, as the HR system exports it.
vips = Path(__file__).with_name("vip.txt").read_text(encoding="utf-8").splitlines()

# The first rule that is for a resource decides, so exceptions come first.
baseline = assign(
    get_resources(WORKSPACE).items,
    [
        Rule(None, kind="office_teamdrive", name="archive*"),  # left out on purpose
        Rule("Gold", among=vips),
        Rule("Bronze", name="support@*"),
        Rule("Silver", kind="office_user"),
        Rule("Bronze", kind="office_teamdrive"),
    ],
)

# Who has a policy keeps it, also when another rule is for them later. With `take_over` what the rules say is put on.
everybody = ProtectionSet(
    "baseline",
    tenant_id=WORKSPACE,
    assignments=baseline.assignments,
    on_conflict="accept",
    opts=pulumi.ResourceOptions(protect=True),
)

members = pulumi.Output.all(everybody.protected, everybody.adopted)
pulumi.export("protected", members.apply(lambda found: sum(map(len, found))))
pulumi.export("matched by each rule", baseline.matched)
pulumi.export("left out on purpose", [resource.name for resource in baseline.excluded])
# Look at these two: kinds of resources that nobody thought of, and typos in the list.
pulumi.export("not covered by any rule", [resource.name for resource in baseline.unmatched])
pulumi.export("unknown in vip.txt", baseline.unresolved)
