"""Errors and warnings as the user reads them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from support import Emulator
from support.engine.stack import Outcome, Stack
from support.resources.contoso import BRONZE, protect, user

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
    ("up", "shop", 'cannot create .*"Shop".*"crm-7": 403 forbidden (POST /api/v1/orgs)'),
    ("up", "new", 'cannot protect omar.farouk@contoso.example .*tenant-contoso .*"Gold": 403 forbidden'),
    ("up", "swapped", 'cannot protect wei.zhang@contoso.example .*tenant-contoso .*"Bronze": 403 forbidden'),
    ("preview", "swapped", "cannot list resources: 401 unauthenticated (GET /api/v1/tenants/tenant-contoso/resources)"),
    ("refresh", "fabrikam", "cannot read .*: 401 unauthenticated (GET /api/v1/orgs/"),
    (
        "refresh",
        "ours",
        "cannot list protections: 401 unauthenticated (GET /api/v1/tenants/tenant-contoso/protections)",
    ),
    ("swap", "swapped", 'cannot protect wei.zhang@contoso.example .*tenant-contoso .*"Bronze": 403 forbidden'),
    ("destroy", "ours", "cannot unprotect res-contoso-user-13 .*tenant-contoso: 403 forbidden (DELETE /api/v1"),
]

WARNINGS = [
    ("up", "before", 'res-contoso-user-16 .*"after"'),
    ("destroy", "fabrikam", '.*"Fabrikam" ('),
    ("destroy", "foreign", "res-contoso-user-14 .*another policy"),
    ("destroy", "adopted", "res-contoso-user-01 .*adopted it"),
    ("destroy", "after", "res-contoso-user-16 .*adopted it"),
]


@dataclass(frozen=True)
class Story:
    """The outcomes of a stack's life, in which many commands fail.

    Attributes:
        outcomes: by command.
        left: the policies that are on resources in the end.
    """

    outcomes: dict[str, Outcome]
    left: dict[str, str]


def pattern(text: str) -> str:
    """Return the pattern of a row, in which only `.*` has a special meaning."""
    return ".*".join(map(re.escape, text.split(".*")))


def row_name(value: str) -> str:
    """Name a row by its command and its resource, which have no blanks."""
    return "" if " " in value else value


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """A stack's life."""
    folder = tmp_path_factory.mktemp("story")
    with Emulator() as emulator, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        (folder / "project").mkdir()
        outcomes = live(Stack(folder / "project", emulator), emulator)
        yield Story(outcomes, {item["resource_id"]: item["policy_id"] for item in emulator.state()["protections"]})


def live(stack: Stack, emulator: Emulator) -> dict[str, Outcome]:
    """Run the commands of a stack's life, and return their outcomes."""

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
    protect(emulator, BRONZE, user(14))
    use(emulator.read_only_key, "")
    outcomes["destroy"] = stack.destroy("--continue-on-error")
    return outcomes


@pytest.mark.parametrize(("command", "resource", "text"), ERRORS, ids=row_name)
def test_an_error_is_one_line_on_its_resource_and_under_diagnostics(
    story: Story, command: str, resource: str, text: str
) -> None:
    outcome = story.outcomes[command]
    message = outcome.messages[resource].strip()
    assert re.fullmatch(pattern(text) + ".*", message)
    _, _, diagnostics = outcome.text.partition("\nDiagnostics:\n")
    _, _, own = diagnostics.partition(f" ({resource}):\n")
    own, _, _ = own.partition("\n\n")
    assert f"error: {message}" in [line.strip() for line in own.splitlines()]


@pytest.mark.parametrize("command", ["up", "preview", "refresh", "swap", "destroy"])
def test_no_command_prints_a_traceback(story: Story, command: str) -> None:
    outcome = story.outcomes[command]
    shown = "\n".join(outcome.messages.values())
    assert (True, []) == (outcome.failed, re.findall(r'Traceback|File ".*|, line \d+', shown))


def test_no_other_resource_has_an_error(story: Story) -> None:
    found = {(command, name) for command in story.outcomes for name in by_resource(story, command)}
    expected = {(command, resource) for command, resource, _ in ERRORS}
    others = {("refresh", name) for name in ("swapped", "foreign", "adopted", "after")}
    warnings = {(command, resource) for command, resource, _ in WARNINGS}
    assert expected | others | warnings == found


def test_a_resource_without_protection_is_reported_in_capitals(story: Story) -> None:
    text = story.outcomes["swap"].messages["swapped"]
    assert re.search(r"policy-contoso-gold .*\(403 forbidden.* res-contoso-user-12 IS NOT PROTECTED\.", text)


@pytest.mark.parametrize(("command", "resource", "text"), WARNINGS, ids=row_name)
def test_a_warning_stands_on_its_resource(story: Story, command: str, resource: str, text: str) -> None:
    outcome = story.outcomes[command]
    assert re.match(pattern(text), outcome.messages.get(resource, ""))
    assert re.search(rf" \({resource}\):\n    warning: {pattern(text)}", outcome.text)


def test_the_end_is_right_although_commands_failed(story: Story) -> None:
    first = story.outcomes["first up"]
    assert (False, []) == (first.failed, by_resource(story, "first up")), first.text
    everything = ("fabrikam", "swapped", "ours", "foreign", "adopted", "after")
    assert dict.fromkeys(everything, "delete") == story.outcomes["destroy"].steps
    # A resource that only got another name in the program stays protected.
    assert story.left["res-contoso-user-16"] == "policy-contoso-gold"


def by_resource(story: Story, command: str) -> list[str]:
    return [name for name in story.outcomes[command].messages if name]
