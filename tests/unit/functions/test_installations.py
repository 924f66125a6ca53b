"""Look-ups of installations."""

import pulumi
import pytest

from pulumi_dataprotection import get_installations
from support import Emulator
from support.functions.program import Program


def test_installations_are_those_of_the_key(shop: Program) -> None:
    installations = shop.run(get_installations).items
    assert [("org-meridian", "")] == [(one.org_id, one.tenant_id) for one in installations]


def test_all_installations_are_listed(shop: Program, emulator: Emulator) -> None:
    emulator.patch(
        {"installations": [{"id": "installation-3", "key_name": "Full access", "tenant_id": "tenant-adatum"}]}
    )
    installations = shop.run(get_installations).items
    assert [("org-meridian", ""), ("", "tenant-adatum")] == [(one.org_id, one.tenant_id) for one in installations]


def test_installations_that_cannot_be_read_end_the_program_with_the_reason(
    shop: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATAPROTECTION_API_KEY", "stale")
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(get_installations)
    expected = (
        "get_installations: cannot list the installations of this application: 401 unauthenticated "
        "(GET /api/v1/applications/me/installations): the API key is not valid. "
        "Check that the API key from DATAPROTECTION_API_KEY is whole and has not expired"
    )
    assert expected == str(raised.value)
