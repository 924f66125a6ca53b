"""What `dataprotection doctor` says about the settings, wherever they come from."""

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
def visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    visit = Visit(tmp_path, monkeypatch)
    visit.set(DATAPROTECTION_BASE_URL=URL)
    return visit


def configure(visit: Visit, **values: str) -> None:
    """Let a stack have these settings, and one of another namespace."""
    named = {f"dataprotection:{key}": {"value": value, "secret": False} for key, value in values.items()}
    visit.config.write_text(json.dumps({**named, "other:pageSize": {"value": "0", "secret": False}}) + "\n")


ENVIRONMENTS: dict[str, tuple[dict[str, str], str, str, str]] = {
    "key": ({}, "API key", "ok", f"{len(KEY)} characters, from DATAPROTECTION_API_KEY"),
    "key with spaces": ({"API_KEY": f" {KEY}\n"}, "API key", "ok", f"{len(KEY)} characters, from"),
    "no key": ({"API_KEY": " "}, "API key", "failed", "there is none"),
    "odd key": (
        {"API_KEY": f"{KEY}\u200b"},
        "API key",
        "failed",
        "holds a character that no key has (U+200B, character",
    ),
    "two keys": ({"API_KEY": f"{KEY} {KEY}"}, "API key", "failed", "DATAPROTECTION_API_KEY holds a character"),
    "url": ({}, "base URL", "ok", f"{URL}, from DATAPROTECTION_BASE_URL"),
    "no url": ({"BASE_URL": ""}, "base URL", "failed", "there is none"),
    "url without scheme": ({"BASE_URL": "api.example.com"}, "base URL", "failed", "needs a scheme and a host"),
    "plain url": ({"BASE_URL": "http://api.example.com"}, "base URL", "failed", "would send the API key unencrypted"),
    "key in the url": ({"BASE_URL": f"https://{KEY}@h"}, "base URL", "failed", "must hold no user"),
    "key as url": ({"BASE_URL": KEY}, "base URL", "failed", "'[the API key]' needs a scheme"),
    "no others": ({}, "other settings", "ok", "all as they are by default"),
    "others": ({"PAGE_SIZE": "7"}, "other settings", "ok", "pageSize: 7 (from DATAPROTECTION_PAGE_SIZE)"),
    "calls": ({"CALLS_PER_SECOND": "many"}, "other settings", "failed", "_CALLS_PER_SECOND is 'many'"),
    "concurrency": ({"CONCURRENCY": "0"}, "other settings", "failed", "_CONCURRENCY is '0'"),
    "page size": ({"PAGE_SIZE": "1.5"}, "other settings", "failed", "_PAGE_SIZE is '1.5', and must be a whole"),
    "timeout": ({"REQUEST_TIMEOUT": "-1"}, "other settings", "failed", "_REQUEST_TIMEOUT is '-1'"),
    "lag": ({"READ_LAG": "nan"}, "other settings", "failed", "_READ_LAG is 'nan'"),
    "checks": ({"PREVIEW_CHECKS": "yes"}, "other settings", "failed", "_PREVIEW_CHECKS is 'yes'"),
    "two": ({"PAGE_SIZE": "0", "READ_LAG": "x"}, "other settings", "failed", "_READ_LAG is 'x'"),
    "profiles": ({"PROFILES": PROFILES}, "other settings", "ok", "profiles: acme (from DATAPROTECTION_PROFILES)"),
    "no json": ({"PROFILES": KEY}, "other settings", "failed", "DATAPROTECTION_PROFILES is not JSON"),
    "deep json": ({"PROFILES": "[" * 100_000}, "other settings", "failed", ""),
    "half a profile": ({"PROFILES": HALF_PROFILE}, "other settings", "failed", "needs apiKey and baseUrl"),
    "misspelled": ({"URL": URL}, "other settings", "warning", "nothing reads DATAPROTECTION_URL"),
    "no profile asked for": ({}, "profile", "ok", "none was named"),
    "no stack asked for": ({}, "stack's config", "ok", "the environment alone counts"),
}


@pytest.mark.parametrize(("variables", "name", "result", "found"), ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_settings_of_the_environment_are_looked_at(
    visit: Visit, variables: dict[str, str], name: str, result: str, found: str
) -> None:
    visit.set(**{f"DATAPROTECTION_{variable}": value for variable, value in variables.items()})
    row = visit.rows()[name]
    assert (result, True) == (row.result, found in row.found), row


ONES = {
    "there": (PROFILES, "profile", "ok", "the profile 'acme' in DATAPROTECTION_PROFILES"),
    "key": (PROFILES, "API key", "ok", f"{len(KEY)} characters, from the profile 'acme' in"),
    "url": (PROFILES, "base URL", "ok", f"{URL}, from the profile 'acme' in"),
    "none": ("", "profile", "failed", "there are no profiles"),
    "others": ('{"zeta": {}}', "profile", "failed", "no profile 'acme' in DATAPROTECTION_PROFILES; there are: zeta"),
    "half": (HALF_PROFILE, "profile", "failed", "needs apiKey and baseUrl, both text"),
    "no json": (KEY, "profile", "failed", "DATAPROTECTION_PROFILES is not JSON"),
    "key of none": ("", "API key", "skipped", "depends on: profile"),
    "url of none": ("", "base URL", "skipped", "depends on: profile"),
    "odd key": (ODD_PROFILE, "API key", "failed", "U+200B"),
    "url of an odd key": (ODD_PROFILE, "base URL", "ok", URL),
    "plain url": (PLAIN_PROFILE, "base URL", "failed", "would send the API key unencrypted"),
    "key of a plain url": (PLAIN_PROFILE, "API key", "ok", f"{len(KEY)} characters"),
}


@pytest.mark.parametrize(("profiles", "name", "result", "found"), ONES.values(), ids=ONES)
def test_the_profile_that_is_asked_for_is_looked_at(
    visit: Visit, profiles: str, name: str, result: str, found: str
) -> None:
    visit.set(DATAPROTECTION_PROFILES=profiles)
    row = visit.rows("--profile", "acme")[name]
    assert (result, True) == (row.result, found in row.found), row


def test_a_profile_that_is_not_asked_for_may_be_broken(visit: Visit) -> None:
    visit.set(DATAPROTECTION_PROFILES=json.dumps({**json.loads(PROFILES), "zeta": {}}))
    assert visit.rows("--profile", "acme")["profile"].result == "ok"


def test_the_config_of_a_stack_counts_where_it_is_named(visit: Visit) -> None:
    visit.unset("DATAPROTECTION_API_KEY")
    configure(visit, apiKey=KEY, baseUrl="https://config.example", callsPerSecond="x")
    rows = visit.rows("--stack", "dev")
    assert rows["stack's config"].found == "dev: apiKey, baseUrl, callsPerSecond of the namespace dataprotection"
    assert rows["API key"].found == f"{len(KEY)} characters, from the config key dataprotection:apiKey"
    assert rows["base URL"].found == f"{URL}, from DATAPROTECTION_BASE_URL"
    assert rows["other settings"].found.startswith("the config key dataprotection:callsPerSecond is 'x'")


def test_a_misspelled_key_of_the_config_is_named(visit: Visit) -> None:
    configure(visit, apikey=KEY)
    row = visit.rows("--stack", "dev")["other settings"]
    assert ("warning", "nothing reads apikey") == (row.result, row.found)


def test_without_a_stack_its_config_does_not_count(visit: Visit) -> None:
    visit.unset("DATAPROTECTION_API_KEY")
    configure(visit, apiKey=KEY)
    row = visit.rows()["API key"]
    assert ("failed", "there is none") == (row.result, row.found)
    assert "--stack" in row.advice


CONFIGS = {
    "no stack": ('echo "error: no stack named" >&2; echo "key: $DATAPROTECTION_API_KEY" >&2; exit 6', "no stack named"),
    "nothing said": ("exit 3", "pulumi ended with status 3"),
    "no json": ("echo hello", "did not answer with JSON"),
}


@pytest.mark.parametrize(("script", "reason"), CONFIGS.values(), ids=CONFIGS)
def test_a_config_that_cannot_be_read_is_told_and_the_settings_are_not_looked_at(
    visit: Visit, script: str, reason: str
) -> None:
    visit.program("pulumi", f'case "$1" in version) echo v3.300.0 ;; *) {script} ;; esac')
    rows = visit.rows("--stack", "dev")
    row = rows["stack's config"]
    assert ("failed", f"the config of the stack 'dev' cannot be read: {reason}") == (
        row.result,
        row.found.replace("`pulumi config --json` ", ""),
    )
    names = ("profile", "API key", "base URL", "other settings", "connection")
    assert {"skipped"} == {rows[name].result for name in names}


def test_without_the_pulumi_command_no_stack_can_be_read(visit: Visit) -> None:
    (visit.path / "pulumi").unlink()
    assert "the command `pulumi` is not on PATH" in visit.rows("--stack", "dev")["stack's config"].found


def test_a_stack_needs_a_name(visit: Visit) -> None:
    assert visit.rows("--stack", " ")["stack's config"].found.endswith("the name is empty")


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
    assert rows["API key"].found == f"{len(KEY)} characters, from the config key dataprotection:apiKey"
    assert rows["base URL"].found == f"{URL}, from the config key dataprotection:baseUrl"
    assert rows["project's Python"].result == "ok"
    assert "no stack named 'nope' found" in visit.rows("--stack", "nope")["stack's config"].found
