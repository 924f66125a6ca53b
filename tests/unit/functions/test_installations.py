"""The function for installations."""

from pulumi_dataprotection import get_installations
from support import Emulator
from support.functions.program import Program


def test_all_installations_of_the_key_are_listed(shop: Program, emulator: Emulator) -> None:
    emulator.patch(
        {"installations": [{"id": "installation-3", "key_name": "Full access", "tenant_id": "tenant-adatum"}]}
    )
    installations = shop.run(get_installations).items
    assert [("org-meridian", ""), ("", "tenant-adatum")] == [(one.org_id, one.tenant_id) for one in installations]
