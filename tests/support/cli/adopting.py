"""The command `dataprotection adopt`, run as a user runs it."""

import re
from pathlib import Path

from click.testing import Result
from hypothesis import assume

from pulumi_dataprotection.inventory import TenantContents
from pulumi_dataprotection.testing import Emulator
from support.cli.getting import run_unset, settings

__all__ = ["adopt", "files", "fill_with"]


def adopt(emulator: Emulator, out: Path, *words: str, key: str | None = None) -> Result:
    """Run it with the settings for an emulator in the environment.

    Args:
        emulator: the service.
        out: the folder of the project.
        words: further options.
        key: the key; without one the key that cannot write.
    """
    return run_unset("adopt", "--out", str(out), *words, **settings(emulator, key or emulator.read_only_key))


def files(folder: Path) -> dict[str, str]:
    """Return the text of each file of a folder by its path."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}


def fill_with(emulator: Emulator, tenant: TenantContents) -> None:
    """Replace the content of the service by one tenant; no service has half characters of UTF-16."""
    names = [*(item.name or "" for item in tenant.items), *(policy.name or "" for policy in tenant.policies.values())]
    assume(not re.search("[\ud800-\udfff]", "".join(names)))
    emulator.reset("empty")
    of_tenant = {"tenant_id": "tenant-1"}
    on = {item: policy_ids[0] for item, policy_ids in tenant.policy_ids.items()}
    emulator.patch(
        {
            "tenants": [
                {
                    "id": "tenant-1",
                    "org_id": "org-root",
                    "name": tenant.tenant.name,
                    "created_at": "2026-01-01T00:00:00Z",
                }
            ],
            "policies": [
                {**of_tenant, "id": policy.id, "name": policy.name or ""} for policy in tenant.policies.values()
            ],
            "resources": [
                {**of_tenant, "id": one.id, "name": one.name or "", "kind": one.kind, "archived": bool(one.archived)}
                for one in tenant.items
            ],
            "protections": [
                {**of_tenant, "id": f"on-{item}", "resource_id": item, "policy_id": policy_id, "job_id": f"job-{item}"}
                for item, policy_id in on.items()
            ],
        }
    )
