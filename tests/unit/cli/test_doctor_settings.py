"""The rows of `dataprotection doctor` about the settings, from each source."""

import json
from pathlib import Path

import pytest

from support.cli.visit import KEY, Visit
from support.engine.stack import Stack

URL = "http://127.0.0.1:9"  # nothing listens there
PROFILES = json.dumps({"acme": {"apiKey": KEY, "baseUrl": URL}})
ODD_PROFILE = json.dumps({"acme": {"apiKey": f"{KEY}\u200b", "baseUrl": URL}})
PLAIN_PROFILE = json.dumps({"acme": {"apiKey": KEY, "baseUrl": "http://api.example.com"}})
HALF_PROFILE = json.dumps({"acme": {"apiKey": KEY}})


@pytest.fixture
def visit(visit: Visit) -> Visit:
    """Return a machine with a base URL on which no service listens."""
    visit.set(DATAPROTECTION_BASE_URL=URL)
    return visit


def configure(visit: Visit, **values: str) -> None:
    """Give a stack these settings, and a setting of another namespace."""
    named = {f"dataprotection:{key}": {"value": value, "secret": False} for key, value in values.items()}
    visit.config.write_text(json.dumps({**named, "other:pageSize": {"value": "0", "secret": False}}) + "\n")


ENVIRONMENTS: dict[str, tuple[dict[str, str], str, str, str]] = {
    "key": ({}, "API key", "ok", f"{len(KEY)} characters, from DATAPROTECTION_API_KEY"),
    "key with spaces": ({"API_KEY": f" {KEY}\n"}, "API key", "ok", f"{len(KEY)} characters, from"),
    "no key": ({"API_KEY": " "}, "API key", "failed", "there is none"),
    "odd key": ({"API_KEY": f"{KEY}\u200b"}, "API key", "failed", "(U+200B, character"),
    "two keys": ({"API_KEY": f"{KEY} {KEY}"}, "API key", "failed", "DATAPROTECTION_API_KEY holds a character"),
    "url": ({}, "base URL", "ok", f"{URL}, from DATAPROTECTION_BASE_URL"),
    "no url": ({"BASE_URL": ""}, "base URL", "failed", "there is none"),
    "url without scheme": ({"BASE_URL": "api.example.com"}, "base URL", "failed", "scheme"),
    "plain url": ({"BASE_URL": "http://api.example.com"}, "base URL", "failed", "unencrypted"),
    "key in the url": ({"BASE_URL": f"https://{KEY}@h"}, "base URL", "failed", "no user"),
    "key as url": ({"BASE_URL": KEY}, "base URL", "failed", "'[the API key]' needs a scheme"),
    "no others": ({}, "other settings", "ok", "default"),
    "others": ({"PAGE_SIZE": "7"}, "other settings", "ok", "pageSize: 7 (from DATAPROTECTION_PAGE_SIZE)"),
    "calls": ({"CALLS_PER_SECOND": "many"}, "other settings", "failed", "_CALLS_PER_SECOND is 'many'"),
    "page size": ({"PAGE_SIZE": "1.5"}, "other settings", "failed", "_PAGE_SIZE is '1.5', and must be a whole"),
    "licence check": ({"LICENCE_CHECK": "x"}, "other settings", "failed", "_LICENCE_CHECK is 'x', and must be one of"),
    # The unit tests of the client have the other settings.
    "two": ({"PAGE_SIZE": "0", "READ_LAG": "x"}, "other settings", "failed", "_READ_LAG is 'x'"),
    "profiles": ({"PROFILES": PROFILES}, "other settings", "ok", "profiles: acme (from DATAPROTECTION_PROFILES)"),
    "no json": ({"PROFILES": KEY}, "other settings", "failed", "DATAPROTECTION_PROFILES is not JSON"),
    "deep json": ({"PROFILES": "[" * 100_000}, "other settings", "failed", ""),
    "half a profile": ({"PROFILES": HALF_PROFILE}, "other settings", "failed", "apiKey and baseUrl"),
    "misspelled": ({"URL": URL}, "other settings", "warning", "nothing reads DATAPROTECTION_URL"),
    "no profile asked for": ({}, "profile", "ok", "none was named"),
    "no stack asked for": ({}, "stack's config", "ok", "environment"),
}


@pytest.mark.parametrize(("variables", "name", "result", "found"), ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_settings_of_the_environment_are_checked(
    visit: Visit, variables: dict[str, str], name: str, result: str, found: str
) -> None:
    visit.set(**{f"DATAPROTECTION_{variable}": value for variable, value in variables.items()})
    visit.assert_row(name, result, found)


ONES = {
    "there": (PROFILES, "profile", "ok", "the profile 'acme' in DATAPROTECTION_PROFILES"),
    "key": (PROFILES, "API key", "ok", f"{len(KEY)} characters, from the profile 'acme' in"),
    "url": (PROFILES, "base URL", "ok", f"{URL}, from the profile 'acme' in"),
    "none": ("", "profile", "failed", "no profiles"),
    "others": ('{"zeta": {}}', "profile", "failed", "no profile 'acme' in DATAPROTECTION_PROFILES; there are: zeta"),
    "half": (HALF_PROFILE, "profile", "failed", "apiKey and baseUrl"),
    "no json": (KEY, "profile", "failed", "DATAPROTECTION_PROFILES is not JSON"),
    "key of none": ("", "API key", "skipped", "depends on: profile"),
    "url of none": ("", "base URL", "skipped", "depends on: profile"),
    "odd key": (ODD_PROFILE, "API key", "failed", "U+200B"),
    "url of an odd key": (ODD_PROFILE, "base URL", "ok", URL),
    "plain url": (PLAIN_PROFILE, "base URL", "failed", "unencrypted"),
    "key of a plain url": (PLAIN_PROFILE, "API key", "ok", f"{len(KEY)} characters"),
}


@pytest.mark.parametrize(("profiles", "name", "result", "found"), ONES.values(), ids=ONES)
def test_the_requested_profile_is_checked(visit: Visit, profiles: str, name: str, result: str, found: str) -> None:
    visit.set(DATAPROTECTION_PROFILES=profiles)
    visit.assert_row(name, result, found, "--profile", "acme")


def test_another_profile_may_be_broken(visit: Visit) -> None:
    visit.set(DATAPROTECTION_PROFILES=json.dumps({**json.loads(PROFILES), "zeta": {}}))
    assert visit.rows("--profile", "acme")["profile"].result == "ok"


def test_the_config_of_a_named_stack_counts(visit: Visit) -> None:
    visit.unset("DATAPROTECTION_API_KEY")
    configure(visit, apiKey=KEY, baseUrl="https://config.example", callsPerSecond="x")
    rows = visit.rows("--stack", "dev")
    assert rows["stack's config"].found.startswith("dev: apiKey, baseUrl, callsPerSecond ")
    assert rows["API key"].found.endswith(" dataprotection:apiKey")
    assert rows["base URL"].found == f"{URL}, from DATAPROTECTION_BASE_URL"
    assert "dataprotection:callsPerSecond is 'x'" in rows["other settings"].found


def test_a_misspelled_key_of_the_config_is_named(visit: Visit) -> None:
    configure(visit, apikey=KEY)
    row = visit.rows("--stack", "dev")["other settings"]
    assert ("warning", "nothing reads apikey") == (row.result, row.found)


def test_the_config_of_the_selected_stack_counts_in_a_project(visit: Visit) -> None:
    visit.unset("DATAPROTECTION_API_KEY")
    configure(visit, apiKey=KEY)
    row = visit.rows()["API key"]
    assert ("failed", "there is none") == (row.result, row.found)
    (visit.folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    rows = visit.rows()
    assert rows["stack's config"].found.startswith("the selected stack: apiKey ")
    assert rows["API key"].found.endswith(" dataprotection:apiKey")
    visit.program(
        "pulumi", 'case "$1" in version) echo v3.300.0 ;; *) echo "error: no stack selected; x" >&2; exit 1 ;; esac'
    )
    visit.assert_row("stack's config", "ok", "--stack names a stack")


NO_STACK = 'echo "error: no stack named" >&2; echo "key: $DATAPROTECTION_API_KEY" >&2; exit 6'
CONFIGS = {
    "no stack": ("dev", NO_STACK, "no stack named"),
    "nothing said": ("dev", "exit 3", "status 3"),
    "no json": ("dev", "echo hello", "JSON"),
    "no pulumi": ("dev", None, "not on PATH"),
    "no name": (" ", "echo {}", "name is empty"),
}


@pytest.mark.parametrize(("stack", "script", "reason"), CONFIGS.values(), ids=CONFIGS)
def test_an_unreadable_config_fails_and_the_settings_are_not_checked(
    visit: Visit, stack: str, script: str | None, reason: str
) -> None:
    if script:
        visit.program("pulumi", f'case "$1" in version) echo v3.300.0 ;; *) {script} ;; esac')
    else:
        (visit.path / "pulumi").unlink()
    rows = visit.rows("--stack", stack)
    row = rows["stack's config"]
    assert ("failed", True, True) == (row.result, repr(stack) in row.found, row.found.endswith(reason)), row
    names = ("profile", "API key", "base URL", "other settings", "connection")
    assert {"skipped"} == {rows[name].result for name in names}


def test_the_config_of_a_real_stack_is_read(
    stack: Stack, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack.configure("apiKey", KEY, secret=True)
    stack.configure("baseUrl", URL)
    monkeypatch.chdir(tmp_path)
    visit.unset("DATAPROTECTION_API_KEY")
    visit.unset("DATAPROTECTION_BASE_URL")
    of_pulumi = ("PULUMI_", "PATH", "VAULT_")
    visit.set(**{name: stack.environment[name] for name in stack.environment if name.startswith(of_pulumi)})
    rows = visit.rows("--stack", "dev")
    assert rows["API key"].found.endswith(" dataprotection:apiKey")
    assert rows["base URL"].found.endswith(" dataprotection:baseUrl")
    assert rows["project's Python"].result == "ok"
    visit.assert_row("stack's config", "failed", "no stack named 'nope' found", "--stack", "nope")
