"""Projects of `dataprotection adopt` on the real engine."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pulumi_dataprotection.adoption.members import plan_tenant
from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from pulumi_dataprotection.inventory import TenantContents
from pulumi_dataprotection.testing import Emulator, Outcome, StackFactory
from support import NIGHTLY
from support.adoption import contents
from support.cli.adopting import adopt, fill_with

PROJECTS = {"stack-per-customer": {"msp": "prod", "customer": "contoso"}, "single": {"": "prod"}}
"""The folder of each project of a layout, and one of its stacks."""


def policies(emulator: Emulator) -> list[tuple[object, ...]]:
    """Return the policy of each item of the service."""
    return sorted((one["tenant_id"], one["resource_id"], one["policy_id"]) for one in emulator.state()["protections"])


def assert_reads_only(outcome: Outcome) -> None:
    assert (False, []) == (outcome.failed, outcome.writes), outcome.text


@pytest.mark.parametrize("layout", PROJECTS)
@pytest.mark.parametrize("options", [[], ["--own"], ["--on-conflict", "accept"], ["--as", "rules"]])
def test_a_read_only_key_adopts_everything_and_the_next_preview_is_unchanged(
    dataprotection_stack: StackFactory,
    dataprotection_emulator: Emulator,
    tmp_path: Path,
    layout: str,
    options: list[str],
) -> None:
    assert 0 == adopt(dataprotection_emulator, tmp_path / "estate", "--layout", layout, *options).exit_code
    for folder, name in PROJECTS[layout].items():
        stack = dataprotection_stack(tmp_path / "estate" / folder, name=name, key="read_only")
        first = stack.preview()
        assert {*first.steps} == {name for name, note in first.notes.items() if "to adopt" in note}, first.text
        for outcome in (first, stack.up()):
            assert_reads_only(outcome)
            assert {"create"} == {*outcome.steps.values()}
        for outcome in (stack.preview("--refresh", "--expect-no-changes"), stack.up()):
            assert_reads_only(outcome)
            assert {} == outcome.steps


@pytest.mark.dataprotection(seed="estate:2x2x240")
@pytest.mark.parametrize("style", ["names", "rules"])
def test_customers_with_doubles_and_archived_items_are_adopted_without_a_write(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, tmp_path: Path, style: str
) -> None:
    assert 0 == adopt(dataprotection_emulator, tmp_path / "estate", "--layout", "single", "--as", style).exit_code
    stack = dataprotection_stack(tmp_path / "estate", name="prod", key="read_only")
    first, again = stack.up(), stack.up()
    for outcome in (first, again):
        assert_reads_only(outcome)
    assert ({"create"}, {}) == ({*first.steps.values()}, again.steps)
    members = sum(int(found) for note in first.notes.values() for found in re.findall("^([0-9]+) to adopt", note))
    assert members > 200


@settings(max_examples=25 if NIGHTLY else 4)
@given(contents(), st.sampled_from(sorted(PRESETS)), st.sampled_from(["names", "rules"]))
def test_each_drawn_tenant_is_adopted_without_a_write(
    dataprotection_stack: StackFactory,
    dataprotection_emulator: Emulator,
    tenant: TenantContents,
    preset: str,
    style: str,
) -> None:
    assume(plan_tenant(tenant).policy_of)
    fill_with(dataprotection_emulator, tenant)
    dataprotection_emulator.set_dialect(preset=preset)
    with TemporaryDirectory() as folder:
        project = Path(folder, "estate")
        adopted = adopt(dataprotection_emulator, project, "--layout", "single", "--as", style)
        assert 0 == adopted.exit_code, adopted.output
        stack = dataprotection_stack(project, name=Path(folder).name, key="read_only")
        outcomes = [stack.preview(), stack.up(), stack.preview()]
    for outcome in outcomes:
        assert_reads_only(outcome)
    assert [{"create"}, {"create"}, set()] == [{*outcome.steps.values()} for outcome in outcomes]


def test_destroy_and_up_of_owned_protections_give_the_same_estate(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, tmp_path: Path
) -> None:
    emulator = dataprotection_emulator
    assert 0 == adopt(emulator, tmp_path / "estate", "--layout", "single", "--own").exit_code
    before = policies(emulator)
    stack = dataprotection_stack(tmp_path / "estate", name="prod")
    assert_reads_only(stack.up())
    stack.unprotect_state()
    assert not stack.destroy().failed
    assert [] == policies(emulator)
    again = stack.up()
    assert not again.failed, again.text
    assert before == policies(emulator)


@pytest.mark.parametrize("options", [[], ["--own"], ["--as", "rules"]])
def test_after_an_update_a_read_only_key_follows_the_portal_without_a_write(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, tmp_path: Path, options: list[str]
) -> None:
    emulator, folder = dataprotection_emulator, tmp_path / "estate"
    assert 0 == adopt(emulator, folder, *options).exit_code
    stack = dataprotection_stack(folder / "customer", name="contoso", key="read_only")
    assert_reads_only(stack.up())
    swapped, left, newcomer = (f"res-contoso-user-{number:02}" for number in (1, 2, 11))
    protections = {one["resource_id"]: one for one in emulator.state()["protections"]}
    added = {**protections[swapped], "id": "prot-new", "job_id": "job-new", "resource_id": newcomer}
    emulator.patch(
        {
            "protections": [
                {**protections[swapped], "policy_id": "policy-contoso-bronze"},
                {**protections[left], "deleted": True},
                added,
            ]
        }
    )
    assert 0 == adopt(emulator, folder, "--update").exit_code
    before = policies(emulator)
    followed = stack.up()
    assert_reads_only(followed)
    assert "update" in followed.steps.values()
    assert {} == stack.preview("--expect-no-changes").steps
    assert before == policies(emulator)


def test_adopted_protections_stay_after_destroy(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, tmp_path: Path
) -> None:
    assert 0 == adopt(dataprotection_emulator, tmp_path / "estate", "--layout", "single").exit_code
    stack = dataprotection_stack(tmp_path / "estate", name="prod", key="read_only")
    stack.up()
    stack.unprotect_state()
    assert_reads_only(stack.destroy())


def test_a_stack_without_data_files_fails_and_names_the_folder(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, tmp_path: Path
) -> None:
    adopt(dataprotection_emulator, tmp_path / "estate")
    preview = dataprotection_stack(tmp_path / "estate/customer", name="dev").preview()
    assert (True, True) == (preview.failed, "tenants/dev" in preview.text)


def test_a_broken_data_file_fails_without_a_traceback(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, tmp_path: Path
) -> None:
    adopt(dataprotection_emulator, tmp_path / "estate")
    (tmp_path / "estate/customer/tenants/contoso/contoso-workspace.yaml").write_text("tenant: [")
    (tmp_path / "estate/msp/orgs.yaml").write_bytes(b"\xff")
    for folder, name, file in (("customer", "contoso", "contoso-workspace.yaml"), ("msp", "prod", "orgs.yaml")):
        preview = dataprotection_stack(tmp_path / "estate" / folder, name=name).preview()
        assert (True, True, False) == (preview.failed, file in preview.text, "Traceback" in preview.text)
