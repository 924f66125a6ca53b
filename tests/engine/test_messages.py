"""What the user reads of errors and warnings, with the SDK as it is and with one whose servicer looks different."""

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pulumi.dynamic
import pytest

from support import Emulator
from support.engine.stack import Outcome, Stack

MADE = """
    Org("fabrikam", external_id="crm-1042", name="Fabrikam")
    def protect(name, number, policy):
        Protection(name, tenant_id="tenant-contoso", resource=f"res-contoso-user-{number}", policy=policy)
    protect("swapped", 12, "Gold")
    protect("ours", 13, "Gold")
    protect("foreign", 14, "Gold")
    protect("adopted", "01", "Silver")
    protect("before", 16, "Gold")
"""
SWAPPED = MADE.replace('12, "Gold"', '12, "Bronze"').replace('"before"', '"after"')
REFUSED = f"""{SWAPPED}
    Org("shop", external_id="crm-7", name="Shop")
    protect("new", 15, "Gold")
"""
PREVIEWED = 'Protection("swapped", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Bronze")'
LAST = ["status:403", "status:403"]

ERRORS = [
    ("up", "shop", 'cannot create the organization "Shop" with the external_id "crm-7": 403 forbidden (POST /api/'),
    ("up", "new", 'cannot protect omar.farouk@contoso.example in tenant tenant-contoso with policy "Gold": 403 forb'),
    ("up", "swapped", 'cannot protect wei.zhang@contoso.example in tenant tenant-contoso with policy "Bronze": 403'),
    ("preview", "swapped", "cannot list resources: 401 unauthenticated (GET /api/v1/tenants/tenant-contoso/resources)"),
    ("refresh", "fabrikam", "cannot read an organization: 401 unauthenticated (GET /api/v1/orgs/org-"),
    (
        "refresh",
        "ours",
        "cannot list protections: 401 unauthenticated (GET /api/v1/tenants/tenant-contoso/protections)",
    ),
    ("swap", "swapped", 'cannot protect wei.zhang@contoso.example in tenant tenant-contoso with policy "Bronze": 403'),
    ("destroy", "ours", "cannot unprotect res-contoso-user-13 in tenant tenant-contoso: 403 forbidden (DELETE /api/v1"),
]
STAYS = "in tenant tenant-contoso stays protected: "
WARNINGS = [
    ("up", "before", f"res-contoso-user-16 {STAYS}"),
    ("destroy", "fabrikam", 'The organization "Fabrikam" (org-'),
    ("destroy", "foreign", f"res-contoso-user-14 {STAYS}another policy is on it now"),
    ("destroy", "adopted", f"res-contoso-user-01 {STAYS}this resource did not make the protection"),
    ("destroy", "after", f"res-contoso-user-16 {STAYS}this resource did not make the protection"),
]


@dataclass(frozen=True)
class Story:
    """What each command of a stack's life told; in it goes wrong what can.

    Attributes:
        named: what stands before each error: nothing, or the error's class where the servicer was not found.
        outcomes: by command.
        left: the policies that are on resources in the end.
    """

    named: str
    outcomes: dict[str, Outcome]
    left: dict[str, str]


def row_name(value: str) -> str:
    """Name a row by its command and its resource, which have no blanks."""
    return "" if " " in value else value


def path_with_another_sdk(folder: Path) -> str:
    """Make the provider's program run the SDK's own source, with another name for what we look for in its frame."""
    folder.mkdir()
    source = Path(pulumi.dynamic.__file__).with_name("__main__.py").read_text()
    (folder / "servicer.py").write_text(re.sub(r"\bcontext\b", "servicer_context", source))
    program = folder / "pulumi-resource-pulumi-python"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -u {folder}/servicer.py "$@"\n')
    program.chmod(0o755)
    return f"{folder}{os.pathsep}"


@pytest.fixture(scope="module", params=["this SDK", "another SDK"])
def story(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """A stack's life in one of both SDKs."""
    folder = tmp_path_factory.mktemp("story")
    named = ""
    with Emulator() as emulator, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        project = folder / "project"
        project.mkdir()
        stack = Stack(project, emulator)
        if request.param == "another SDK":
            named = "pulumi_dataprotection.resources._sdk.ResourceError: "
            stack.set_environment(PATH=path_with_another_sdk(folder / "sdk") + stack.environment["PATH"])
        outcomes = live(stack, emulator)
        yield Story(
            named, outcomes, {item["resource_id"]: item["policy_id"] for item in emulator.state()["protections"]}
        )


def live(stack: Stack, emulator: Emulator) -> dict[str, Outcome]:
    """Go through a stack's life, and return what each command told."""

    def use(key: str, program: str) -> None:
        stack.set_environment(DATAPROTECTION_API_KEY=key)
        stack.write(program)

    outcomes: dict[str, Outcome] = {}
    use(emulator.api_key, MADE)
    outcomes["first up"] = stack.up()
    use(emulator.read_only_key, REFUSED)
    outcomes["up"] = stack.up("--continue-on-error")
    use("stale", PREVIEWED)
    outcomes["preview"] = stack.preview()
    outcomes["refresh"] = stack.refresh()
    use(emulator.api_key, SWAPPED)
    with emulator.faults({"operation": "protect_resource", "nth": 2, "do": LAST}):
        outcomes["swap"] = stack.up("--continue-on-error")
    on = next(item for item in emulator.state()["protections"] if item["resource_id"] == "res-contoso-user-14")
    emulator.patch({"protections": [{**on, "policy_id": "policy-contoso-bronze"}]})
    use(emulator.read_only_key, "")
    outcomes["destroy"] = stack.destroy("--continue-on-error")
    return outcomes


def test_a_program_without_mistakes_has_no_errors(story: Story) -> None:
    assert (False, []) == (story.outcomes["first up"].failed, by_resource(story, "first up"))


@pytest.mark.parametrize(("command", "resource", "text"), ERRORS, ids=row_name)
def test_an_error_is_one_text_on_its_resource(story: Story, command: str, resource: str, text: str) -> None:
    message = story.outcomes[command].messages[resource]
    assert message.startswith(story.named + text)
    assert (1, 1) == (message.count(text), len(message.strip().splitlines()))


@pytest.mark.parametrize(("command", "resource", "text"), ERRORS, ids=row_name)
def test_an_error_stands_under_diagnostics(story: Story, command: str, resource: str, text: str) -> None:
    _, _, diagnostics = story.outcomes[command].text.partition("\nDiagnostics:\n")
    _, _, own = diagnostics.partition(f" ({resource}):\n")
    assert own.startswith(f"    error: {story.named}{text}")


@pytest.mark.parametrize("command", ["up", "preview", "refresh", "swap", "destroy"])
def test_no_command_prints_a_traceback(story: Story, command: str) -> None:
    outcome = story.outcomes[command]
    shown = "\n".join(outcome.messages.values())
    assert (True, []) == (outcome.failed, re.findall(r'Traceback|File ".*|, line \d+', shown))


def test_errors_stand_on_no_other_resource(story: Story) -> None:
    found = {(command, name) for command in story.outcomes for name in by_resource(story, command)}
    expected = {(command, resource) for command, resource, _ in ERRORS}
    others = {("refresh", name) for name in ("swapped", "foreign", "adopted", "after")}
    warnings = {(command, resource) for command, resource, _ in WARNINGS if not story.named}
    assert expected | others | warnings == found


def test_a_resource_that_is_left_without_protection_is_named_in_capitals(story: Story) -> None:
    text = story.outcomes["swap"].messages["swapped"]
    assert "policy-contoso-gold was removed to make room and could not be put back (403 forbidden" in text
    assert text.rstrip().endswith("res-contoso-user-12 IS NOT PROTECTED. Run `pulumi up` again")


@pytest.mark.parametrize(("command", "resource", "text"), WARNINGS, ids=row_name)
def test_a_warning_stands_on_its_resource_or_is_lost(story: Story, command: str, resource: str, text: str) -> None:
    outcome = story.outcomes[command]
    expected = "" if story.named else text
    assert expected == outcome.messages.get(resource, "")[: len(text)]
    assert (f" ({resource}):\n    warning: {text}" in outcome.text) == (not story.named)


def test_what_can_go_goes_though_another_resource_cannot(story: Story) -> None:
    everything = ("fabrikam", "swapped", "ours", "foreign", "adopted", "after")
    assert dict.fromkeys(everything, "delete") == story.outcomes["destroy"].steps


def test_what_is_only_renamed_in_the_program_stays_protected(story: Story) -> None:
    assert story.left["res-contoso-user-16"] == "policy-contoso-gold"


def by_resource(story: Story, command: str) -> list[str]:
    return [name for name in story.outcomes[command].messages if name]
