"""`dataprotection adopt` of tenants with drawn names, policies, doubles and archived items."""

from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from hypothesis import given, settings

from pulumi_dataprotection.adoption.members import plan_tenant
from pulumi_dataprotection.adoption.tenant_file import build
from pulumi_dataprotection.inventory import TenantContents
from support import NIGHTLY, Emulator
from support.adoption import contents
from support.cli.adopting import adopt, files, fill_with


@settings(max_examples=200 if NIGHTLY else 25)
@given(contents())
def test_each_drawn_tenant_is_adopted_by_name_without_a_write(
    session_emulator: Emulator, tenant: TenantContents
) -> None:
    fill_with(session_emulator, tenant)
    policy_of = plan_tenant(tenant).policy_of
    expected = [dict(build(tenant, policy_of, "fail").policies)] if policy_of else []
    assert expected == [file["policies"] for file in adopted_files(session_emulator, len(policy_of))]


@settings(max_examples=200 if NIGHTLY else 25)
@given(contents())
def test_each_drawn_tenant_is_adopted_by_rule_without_a_write(
    session_emulator: Emulator, tenant: TenantContents
) -> None:
    fill_with(session_emulator, tenant)
    policy_of = plan_tenant(tenant).policy_of
    found = adopted_files(session_emulator, len(policy_of), "--as", "rules")
    assert [["rules", "tenant"]] * bool(policy_of) == [sorted(file) for file in found]


def adopted_files(emulator: Emulator, protections: int, *words: str) -> list[dict[str, object]]:
    """Adopt, check and update a number of protections, and return the contents of the data files."""
    with TemporaryDirectory() as folder:
        written: dict[str, str] = {}
        # An update finds the project as an adoption left it.
        for options in (words, ("--check",), ("--update",)):
            result = adopt(emulator, Path(folder, "estate"), *options)
            written = written or files(Path(folder))
            assert written == files(Path(folder))
            assert 0 == result.exit_code, result.output
            assert f"(protections: {protections}, organizations: 0)" in result.stdout
        return [yaml.safe_load(path.read_text("utf-8")) for path in Path(folder).rglob("tenants/*/*.yaml")]
