"""The reaction of each command to a change in the service, as docs/drift.md describes it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import ROOT, Emulator
from support.engine.drift import CHANGES, Seen, Story, cell, drift_cell
from support.engine.stack import Stack
from support.resources.scripted import Reply, ScriptedServer

DOCUMENT = ROOT / "docs" / "drift.md"
EXCERPT = re.compile(r"(?:fails|warns): `(.*?)`")

Cells = dict[str, dict[str, str]]


def documented() -> Cells:
    """Return the first table of the document, by change and by command."""
    rows = [
        [cell.strip() for cell in line.strip("|\n").split("|")]
        for line in DOCUMENT.read_text().partition("\n## ")[0].splitlines()
        if line.startswith("| ")
    ]
    columns = [column.replace("`", "") for column in rows[0][1:]]
    return {row[0]: dict(zip(columns, row[1:], strict=True)) for row in rows[1:]}


def seen_as(cells: dict[str, str], label: str, seen: dict[str, Seen]) -> dict[str, str]:
    """Return what each command did, in the words of the document if they are true."""
    excerpts = {column: EXCERPT.search(cells[column]) for column in seen}
    return {
        column: cell(column, CHANGES[label], seen[column], excerpt[1] if (excerpt := excerpts[column]) else "")
        for column in seen
    }


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """Return a stack that meets all changes, one after the other."""
    with Emulator() as emulator:
        yield Story(tmp_path_factory.mktemp("story"), emulator)


@pytest.fixture(scope="module")
def observed(story: Story) -> Cells:
    """Return what each command except `destroy` did."""
    cells = documented()
    assert not story.stack.up().failed
    story.preview_at_night()
    found = {label: seen_as(cells[label], label, seen) for label, seen in story.run()}
    story.preview_at_night()
    return {
        label: {**of_label, "dataprotection drift": drift_cell(story.drifts[label])}
        for label, of_label in found.items()
    }


def test_the_document_has_exactly_the_tested_changes() -> None:
    assert [*documented()] == [*CHANGES]


@pytest.mark.parametrize("label", CHANGES)
def test_each_command_does_what_the_document_says(observed: Cells, label: str) -> None:
    cells = documented()[label]
    cells.pop("destroy")
    assert cells == observed[label]


@pytest.mark.parametrize("label", CHANGES)
def test_dataprotection_drift_agrees_with_a_refresh(observed: Cells, story: Story, label: str) -> None:
    changes_state = observed[label]["refresh"] != "unchanged"
    assert changes_state == any(finding.is_drift for finding in story.drifts[label])


def test_the_advice_of_the_document_ends_every_drift(story: Story, observed: Cells) -> None:
    assert {*CHANGES} == {*observed}
    there = {change.name for change in CHANGES.values() if change.then != ""}
    assert there == {*story.stack.resources()}
    assert str(story.stack.outputs()["invitation"]).startswith("https://"), "a refresh lost the invitation"


def test_a_nightly_pipeline_with_a_read_only_key_reports_drift(story: Story, observed: Cells) -> None:
    assert {*CHANGES} == {*observed}
    first, *drifted, last = story.nights
    assert ({False}, {True}) == ({first.failed, last.failed}, {night.failed for night in drifted})
    assert "no changes were expected" in drifted[0].text


def test_a_destroy_does_what_the_document_says_after_each_change(tmp_path: Path, emulator: Emulator) -> None:
    story = Story(tmp_path, emulator)
    story.stack.up()
    story.happen(*CHANGES)
    seen = story.see(story.stack.destroy)
    assert not seen.outcome.failed
    cells = documented()
    assert {label: cells[label]["destroy"] for label in CHANGES} == {
        label: seen_as(cells[label], label, {"destroy": seen})["destroy"] for label in CHANGES
    }


PROGRAM = """
    Org("fabrikam", external_id="crm-1042", name="Fabrikam")
    for number in (12, 13, 14, 15, 17, 18):
        Protection(f"p{number}", tenant_id="tenant-contoso", resource=f"res-contoso-user-{number}", policy="Gold")
    ProtectionSet("people", tenant_id="tenant-contoso", resources=["res-contoso-user-16"], policy="Gold")
"""


def remembered(stack: Stack) -> dict[str, tuple[object, ...]]:
    """Return the state of each resource, without the notes of the engine, which a failed refresh may change."""
    return {name: (one["id"], one["inputs"], one["outputs"]) for name, one in stack.resources().items()}


def test_a_wrong_address_a_refusal_and_a_failure_keep_the_state_and_a_lost_answer_ends_a_destroy(
    stack: Stack, emulator: Emulator
) -> None:
    stack.deploy(PROGRAM)
    before = remembered(stack)
    stack.set_environment(DATAPROTECTION_BASE_URL=f"{emulator.url}/elsewhere")
    refreshes = [(stack.refresh(), "base URL")]
    # The client does not accept so long a wait, and fails at once.
    with ScriptedServer(otherwise=Reply(503, (b"{}",), {"Retry-After": "601"})) as server:
        stack.set_environment(DATAPROTECTION_BASE_URL=server.url)
        refreshes.append((stack.refresh(), "503 the service failed"))
    for refresh, words in refreshes:
        assert (True, {}) == (refresh.failed, refresh.refreshed), words
        assert words in refresh.messages["p12"]
    assert before == remembered(stack)

    del before["fabrikam"]
    stack.set_environment(DATAPROTECTION_BASE_URL=emulator.url, DATAPROTECTION_API_KEY=emulator.read_only_key)
    assert "403 forbidden" in stack.destroy().messages["p12"]
    with ScriptedServer() as server:
        stack.set_environment(DATAPROTECTION_BASE_URL=server.url)
        assert "base URL" in stack.destroy().messages["p12"]
    assert before == {name: one for name, one in remembered(stack).items() if name != "fabrikam"}

    stack.set_environment(DATAPROTECTION_BASE_URL=emulator.url, DATAPROTECTION_API_KEY=emulator.api_key)
    emulator.set_dialect(deletion_answer="no_content")
    answers = {12: ["after:status:404"], 13: ["after:status:409"], 14: ["after:status:410"], 15: ["status:500"] * 2}
    answers |= {17: ["after:reset"], 18: ["after:status:502"]}
    rules = [
        {"operation": "unprotect_resource", "path": f"*/res-contoso-user-{number}/*", "do": answer}
        for number, answer in answers.items()
    ]
    with emulator.faults(*rules):
        destroy = stack.destroy()
    assert (False, {}) == (destroy.failed, stack.resources())
    assert not {"p17", "p18"} & {*destroy.messages}
