"""The example of rules, on the real engine."""

import shutil
from pathlib import Path

import pytest

from support import ROOT, Emulator
from support.engine.programs import writes_by_thing
from support.engine.stack import Stack

EXAMPLE = ROOT / "examples/protect-by-rule"
TENANT = "tenant-contoso"


@pytest.fixture
def nightly(stack: Stack, tmp_path: Path) -> Stack:
    """A stack of the example, with its list beside it."""
    shutil.copy(EXAMPLE / "vip.txt", tmp_path)
    stack.write((EXAMPLE / "__main__.py").read_text())
    return stack


def policies(emulator: Emulator) -> dict[str, str]:
    """Return the policy of each item of the workspace, both in short."""
    found = [one for one in emulator.state()["protections"] if one["tenant_id"] == TENANT]
    return {short(one["resource_id"]): one["policy_id"].removeprefix("policy-contoso-") for one in found}


def living(emulator: Emulator) -> set[str]:
    """Return the short ids of the items that are not archived."""
    found = [one for one in emulator.state()["resources"] if one["tenant_id"] == TENANT and not one["archived"]]
    return {short(one["id"]) for one in found}


def short(resource_id: str) -> str:
    return resource_id.removeprefix("res-contoso-")


def test_the_rules_assign_once_and_a_destroy_removes_their_policies(nightly: Stack, emulator: Emulator) -> None:
    before, everything = policies(emulator), living(emulator)
    by_rule = {
        **{id: "silver" if id.startswith("user") else "bronze" for id in everything},
        **dict.fromkeys(["user-11", "user-12", "user-20", "drive-07"], "gold"),
        **dict.fromkeys(["user-30", "drive-11"], "bronze"),
        **before,
    }
    archive = by_rule.pop("drive-10")

    first = nightly.up()
    assert not first.failed, first.text
    assert (archive, by_rule) == ("bronze", policies(emulator))
    expected = {
        "protected": 39,
        "matched by each rule": [1, 4, 2, 25, 8],
        "left out on purpose": ["Archive 2019"],
        "not covered by any rule": [],
        "unknown in vip.txt": [],
    }
    assert expected == nightly.outputs()

    emulator.clear_requests()
    assert {} == nightly.up().steps
    assert [] == emulator.writes()

    nightly.unprotect_state()
    assert not nightly.destroy().failed
    assert before == policies(emulator)


def test_the_next_run_protects_newcomers_and_releases_leavers(nightly: Stack, emulator: Emulator) -> None:
    before = policies(emulator)
    nightly.up()
    changes: list[dict[str, str | bool]] = [
        {"id": "res-contoso-user-31", "name": "new.hire@contoso.example", "kind": "office_user"},
        {"id": "res-contoso-group-01", "name": "Everybody", "kind": "office_group"},
        {"id": "res-contoso-user-09", "archived": True},
        {"id": "res-contoso-user-10", "deleted": True},
    ]
    emulator.patch({"resources": [{"tenant_id": TENANT, **change} for change in changes]})
    emulator.clear_requests()

    second = nightly.up()
    assert not second.failed, second.text
    assert {"contoso-user-31": ["+silver"], "contoso-user-09": ["-silver"]} == writes_by_thing(emulator)
    assert ["Everybody"] == nightly.outputs()["not covered by any rule"]

    nightly.unprotect_state()
    assert not nightly.destroy().failed
    assert before == policies(emulator)
