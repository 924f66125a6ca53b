"""`dataprotection adopt` of tenants with drawn names, policies, doubles and archived items."""

from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from hypothesis import given

from pulumi_dataprotection.adoption.members import plan_tenant
from pulumi_dataprotection.adoption.tenant_file import build
from pulumi_dataprotection.inventory import TenantContents
from support import Emulator
from support.adoption import contents
from support.cli.adopting import adopt

TENANT = {"tenant_id": "tenant-1"}


def fill(emulator: Emulator, tenant: TenantContents) -> None:
    """Replace the content of the service by one tenant."""
    emulator.reset("empty")
    on = {item: policy_ids[0] for item, policy_ids in tenant.policy_ids.items()}
    emulator.patch(
        {
            "tenants": [{"id": "tenant-1", "org_id": "org-root", "name": tenant.tenant.name, "created_at": NEW_YEAR}],
            "policies": [{**TENANT, "id": policy.id, "name": policy.name or ""} for policy in tenant.policies.values()],
            "resources": [
                {**TENANT, "id": one.id, "name": one.name or "", "kind": one.kind, "archived": bool(one.archived)}
                for one in tenant.items
            ],
            "protections": [
                {**TENANT, "id": f"on-{item}", "resource_id": item, "policy_id": policy_id, "job_id": f"job-{item}"}
                for item, policy_id in on.items()
            ],
        }
    )


NEW_YEAR = "2026-01-01T00:00:00Z"


@given(contents())
def test_each_drawn_tenant_is_adopted_without_a_write(session_emulator: Emulator, tenant: TenantContents) -> None:
    fill(session_emulator, tenant)
    policy_of = plan_tenant(tenant).policy_of
    with TemporaryDirectory() as folder:
        result = adopt(session_emulator, Path(folder, "estate"))
        assert 0 == result.exit_code, result.output
        assert f"(protections: {len(policy_of)}, organizations: 0)" in result.stdout
        written = [yaml.safe_load(path.read_text("utf-8")) for path in Path(folder).rglob("tenants/*/*.yaml")]
        assert [dict(build(tenant, policy_of, "fail").policies)] * bool(policy_of) == [
            one["policies"] for one in written
        ]
        assert 0 == adopt(session_emulator, Path(folder, "estate"), "--check").exit_code
