"""What states and programs of users remember: to change a line here is to break them."""

import base64
import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pulumi_dataprotection import ArchiveDeletion, BackupRun, Org, Protection, ProtectionSet
from pulumi_dataprotection.client import OPTIONS
from support import HANG, TESTS
from support.resources.servicer import Run

ORG_TYPE = "pulumi-python:dynamic/dataprotection:Org"
PROTECTION_TYPE = "pulumi-python:dynamic/dataprotection:Protection"
SET_TYPE = "pulumi-python:dynamic/dataprotection:ProtectionSet"

RUN_TYPE = "pulumi-python:dynamic/dataprotection:BackupRun"
DELETION_TYPE = "pulumi-python:dynamic/dataprotection:ArchiveDeletion"

ORG_PROVIDER = (
    b"\x80\x04\x95:\x00\x00\x00\x00\x00\x00\x00\x8c#pulumi_dataprotection.resources.org\x94"
    b"\x8c\x0bOrgProvider\x94\x93\x94)\x81\x94."
)
PROTECTION_PROVIDER = (
    b"\x80\x04\x95H\x00\x00\x00\x00\x00\x00\x00\x8c*pulumi_dataprotection.resources.protection\x94"
    b"\x8c\x12ProtectionProvider\x94\x93\x94)\x81\x94."
)
SET_PROVIDER = (
    b"\x80\x04\x95O\x00\x00\x00\x00\x00\x00\x00\x8c.pulumi_dataprotection.resources.protection_set\x94"
    b"\x8c\x15ProtectionSetProvider\x94\x93\x94)\x81\x94."
)
RUN_PROVIDER = (
    b"\x80\x04\x95G\x00\x00\x00\x00\x00\x00\x00\x8c*pulumi_dataprotection.resources.backup_run\x94"
    b"\x8c\x11BackupRunProvider\x94\x93\x94)\x81\x94."
)
DELETION_PROVIDER = (
    b"\x80\x04\x95S\x00\x00\x00\x00\x00\x00\x00\x8c0pulumi_dataprotection.resources.archive_deletion\x94"
    b"\x8c\x17ArchiveDeletionProvider\x94\x93\x94)\x81\x94."
)

ORG_INPUTS = {"external_id", "name", "parent_org_id", "admin_email", "profile"}
PROTECTION_INPUTS = {"tenant_id", "resource", "policy", "on_conflict", "on_destroy", "adopt", "profile"}
SET_OPTIONS = {"tenant_id", "on_conflict", "on_destroy", "adopt", "on_missing", "max_removals", "profile"}
SET_INPUTS = SET_OPTIONS | {"assignments"}
SET_CHECKED = SET_OPTIONS | {"assignments", "resource_ids", "policy_ids", "missing"}
RUN_INPUTS = {"tenant_id", "job_id", "triggers", "wait", "timeout", "success_statuses", "failure_statuses", "profile"}
DELETION_INPUTS = {"tenant_id", "archive_id", "reason", "profile"}
PROTECTION_CHECKED = PROTECTION_INPUTS | {"resource_id", "policy_id"}

ORG_OUTPUTS = ORG_INPUTS | {"kind", "invitation_url", "schema_version"}
RUN_OUTPUTS = RUN_INPUTS | {"task_id", "status", "started_at", "schema_version"}
DELETION_OUTPUTS = DELETION_INPUTS | {"resource_id", "schema_version"}
SET_OUTPUTS = SET_OPTIONS | {"protected", "adopted", "schema_version"}
PROTECTION_OUTPUTS = PROTECTION_CHECKED | {"job_id", "protection_id", "own_policy_id", "schema_version"}


@pytest.fixture(scope="module")
def declared() -> dict[str, dict[str, Any]]:
    """What a program that declares one resource of each class asks of the engine, by name."""
    program = TESTS / "support/resources/declare.py"
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=HANG, check=True)
    answer = json.loads(done.stdout)
    return {"outputs": answer["outputs"], **{resource["name"]: resource for resource in answer["resources"]}}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("org", ORG_TYPE),
        ("got-org", ORG_TYPE),
        ("protection", PROTECTION_TYPE),
        ("got-protection", PROTECTION_TYPE),
        ("protection-set", SET_TYPE),
        ("backup-run", RUN_TYPE),
        ("got-backup-run", RUN_TYPE),
        ("archive-deletion", DELETION_TYPE),
        ("got-archive-deletion", DELETION_TYPE),
    ],
)
def test_types_keep_their_names(declared: dict[str, dict[str, Any]], name: str, expected: str) -> None:
    assert expected == declared[name]["type"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("org", ORG_PROVIDER),
        ("got-org", ORG_PROVIDER),
        ("protection", PROTECTION_PROVIDER),
        ("got-protection", PROTECTION_PROVIDER),
        ("protection-set", SET_PROVIDER),
        ("backup-run", RUN_PROVIDER),
        ("got-backup-run", RUN_PROVIDER),
        ("archive-deletion", DELETION_PROVIDER),
        ("got-archive-deletion", DELETION_PROVIDER),
    ],
)
def test_states_keep_the_place_of_each_provider_and_nothing_else(
    declared: dict[str, dict[str, Any]], name: str, expected: bytes
) -> None:
    assert expected == base64.b64decode(declared[name]["object"]["__provider"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("org", ORG_INPUTS),
        ("protection", PROTECTION_INPUTS),
        ("protection-set", SET_INPUTS),
        ("backup-run", RUN_INPUTS),
        ("archive-deletion", DELETION_INPUTS),
    ],
)
def test_arguments_keep_their_names(declared: dict[str, dict[str, Any]], name: str, expected: set[str]) -> None:
    assert expected | {"__provider"} == declared[name]["object"].keys()


def test_what_is_not_said_about_a_protection_keeps_its_default(declared: dict[str, dict[str, Any]]) -> None:
    for name in ("plain-protection", "plain-protection-set"):
        properties = declared[name]["object"]
        assert ("fail", "unprotect") == (properties["on_conflict"], properties["on_destroy"])


def test_what_is_not_said_about_a_run_keeps_its_default(declared: dict[str, dict[str, Any]]) -> None:
    names = ("triggers", "wait", "timeout", "success_statuses", "failure_statuses")
    properties = declared["plain-backup-run"]["object"]
    expected = [None, True, 7200, ["done", "warnings"], ["failed", "canceled"]]
    assert expected == [properties.get(name) for name in names]


def test_triggers_may_be_a_tuple(declared: dict[str, dict[str, Any]]) -> None:
    assert ["monday", 7] == declared["backup-run"]["object"]["triggers"]


def test_both_ways_to_name_members_come_to_one(declared: dict[str, dict[str, Any]]) -> None:
    expected = {"jane": "Gold", "john": "Gold"}
    names = ("protection-set", "plain-protection-set")
    assert [expected, expected] == [declared[name]["object"]["assignments"] for name in names]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("org", ["invitation_url"]),
        ("got-org", ["invitation_url"]),
        ("protection", []),
        ("got-protection", []),
        ("backup-run", []),
        ("archive-deletion", []),
    ],
)
def test_an_invitation_is_secret(declared: dict[str, dict[str, Any]], name: str, expected: list[str]) -> None:
    assert expected == declared[name]["secrets"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("got-org", "org-1"),
        ("got-protection", "t-1/r-1"),
        ("got-backup-run", "t-1/k-1"),
        ("got-archive-deletion", "t-1/a-1"),
    ],
)
def test_what_is_got_is_got_by_its_id(declared: dict[str, dict[str, Any]], name: str, expected: str) -> None:
    assert expected == declared[name]["id"]


@pytest.mark.parametrize("name", ["got-org", "got-protection", "got-backup-run", "got-archive-deletion"])
def test_what_is_got_is_asked_for_with_its_profile_alone(declared: dict[str, dict[str, Any]], name: str) -> None:
    assert {"__provider", "profile"} == declared[name]["object"].keys()


def test_computed_outputs_are_there_in_the_program(declared: dict[str, dict[str, Any]]) -> None:
    expected = {"kind": "basic", "invitation_url": None, "policy_id": "policy-1", "job_id": None}
    assert expected == {name: value for name, value in declared["outputs"].items() if name != "ids"}


def test_an_organizations_outputs_keep_their_names(run: Run) -> None:
    inputs = {"external_id": "crm-7", "name": "Shop", "parent_org_id": "org-alpine", "admin_email": "it@shop.example"}
    outs = run.org.create(inputs).outs
    assert ORG_OUTPUTS - {"profile"} == outs.keys()


def test_a_protections_outputs_keep_their_names(run: Run) -> None:
    inputs = {
        "tenant_id": "tenant-contoso",
        "resource": "res-contoso-user-20",
        "policy": "Gold",
        "on_conflict": "fail",
        "on_destroy": "unprotect",
        "adopt": "own",
    }
    checked = run.protection.check({}, inputs).inputs
    outs = run.protection.create(checked).outs
    expected = (PROTECTION_CHECKED - {"profile"}, PROTECTION_OUTPUTS - {"profile"})
    assert expected == ({*checked}, {*outs})


def test_a_sets_outputs_keep_their_names(run: Run) -> None:
    inputs = {
        "tenant_id": "tenant-contoso",
        "assignments": {"hannah.cohen@contoso.example": "Gold", "nobody": "Gold"},
        "on_conflict": "fail",
        "on_destroy": "unprotect",
        "adopt": "own",
        "on_missing": "warn",
        "max_removals": 7,
    }
    checked = run.protection_set.check({}, inputs).inputs
    outs = run.protection_set.create(checked).outs
    assert (SET_CHECKED - {"profile"}, SET_OUTPUTS - {"profile"}) == ({*checked}, {*outs})


@pytest.mark.parametrize(
    ("resource", "outputs"),
    [
        (ArchiveDeletion, DELETION_OUTPUTS),
        (BackupRun, RUN_OUTPUTS),
        (Org, ORG_OUTPUTS),
        (Protection, PROTECTION_OUTPUTS),
        (ProtectionSet, SET_OUTPUTS),
    ],
)
def test_programs_are_told_of_outputs_that_there_are(
    resource: type[ArchiveDeletion | BackupRun | Org | Protection | ProtectionSet], outputs: set[str]
) -> None:
    told = {name for name in resource.__annotations__ if not name.startswith("_")}
    assert outputs - {"profile", "schema_version"} == told


@pytest.mark.parametrize(
    "outputs",
    [DELETION_OUTPUTS, RUN_OUTPUTS, ORG_OUTPUTS, PROTECTION_OUTPUTS, SET_INPUTS | SET_CHECKED | SET_OUTPUTS],
)
def test_no_property_has_a_name_that_the_engine_keeps_for_itself(outputs: set[str]) -> None:
    assert set() == outputs & {"id", "urn", "__provider", "type", "__defaults"}


def test_settings_keep_their_keys_and_variables() -> None:
    expected = {
        "apiKey": "DATAPROTECTION_API_KEY",
        "baseUrl": "DATAPROTECTION_BASE_URL",
        "profiles": "DATAPROTECTION_PROFILES",
        "callsPerSecond": "DATAPROTECTION_CALLS_PER_SECOND",
        "readLag": "DATAPROTECTION_READ_LAG",
        "concurrency": "DATAPROTECTION_CONCURRENCY",
        "pageSize": "DATAPROTECTION_PAGE_SIZE",
        "requestTimeout": "DATAPROTECTION_REQUEST_TIMEOUT",
        "previewChecks": "DATAPROTECTION_PREVIEW_CHECKS",
    }
    assert expected == {option.key: option.variable for option in OPTIONS}


IMPORTS = [
    "import pulumi_dataprotection",
    "import pulumi_dataprotection.resources.protection, pulumi_dataprotection.resources.org",
    "import pulumi_dataprotection.functions, httpx, pydantic",
    "import pulumi_dataprotection.emulator, pulumi_dataprotection.resources",
    (
        "from pulumi_dataprotection.client import Client, Settings\n"
        "opened = Client(Settings(api_key='secret', base_url='http://127.0.0.1:1', calls_per_second=0))"
    ),
]
SERIALIZE = """
from pulumi.dynamic.dynamic import serialize_provider
from pulumi_dataprotection.resources.archive_deletion import ArchiveDeletionProvider
from pulumi_dataprotection.resources.backup_run import BackupRunProvider
from pulumi_dataprotection.resources.org import OrgProvider
from pulumi_dataprotection.resources.protection import ProtectionProvider
from pulumi_dataprotection.resources.protection_set import ProtectionSetProvider
providers = OrgProvider, ProtectionProvider, ProtectionSetProvider, BackupRunProvider, ArchiveDeletionProvider
print(*(serialize_provider(provider()) for provider in providers))
"""


@functools.cache
def serialized() -> list[str]:
    """What as many processes as there are ways to import the package store, each with its own hash seed and folder."""
    folders = [Path.cwd(), Path("/"), Path.home(), Path(sys.prefix), TESTS]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", f"{imports}\n{SERIALIZE}"],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed, (imports, folder) in enumerate(zip(IMPORTS, folders, strict=True))
    ]
    return [process.communicate(timeout=HANG)[0].strip() for process in processes]


@pytest.mark.parametrize("number", range(len(IMPORTS)), ids=IMPORTS)
def test_each_process_stores_the_same_provider(number: int) -> None:
    expected = [ORG_PROVIDER, PROTECTION_PROVIDER, SET_PROVIDER, RUN_PROVIDER, DELETION_PROVIDER]
    assert expected == [base64.b64decode(text) for text in serialized()[number].split()]
