"""The names in states and programs of users: a changed line here breaks them."""

import base64
import json
import sys
from typing import Any

import pytest

from pulumi_dataprotection import resources
from pulumi_dataprotection.client import OPTIONS
from support import TESTS, run_process
from support.resources.arguments import SHOP, assigned, protection
from support.resources.servicer import Properties, Run

Declared = dict[str, dict[str, Any]]

KINDS = {
    "ArchiveDeletion": "archive-deletion",
    "BackupRun": "backup-run",
    "Org": "org",
    "Protection": "protection",
    "ProtectionSet": "protection-set",
}
"""The name in the program `declare` by type; with "got-" before it the resource is read."""
READ = {"ArchiveDeletion": "t-1/a-1", "BackupRun": "t-1/k-1", "Org": "org-1", "Protection": "t-1/r-1"}
"""The id by type that can be read."""


def stored(module: str, name: str) -> str:
    """Return the form in which states keep an instance of a class that holds nothing: a pickle of protocol 4."""
    texts = [f"pulumi_dataprotection.resources.{module}", name]
    frame = b"".join(b"\x8c" + bytes([len(text)]) + text.encode() + b"\x94" for text in texts) + b"\x93\x94)\x81\x94."
    return base64.b64encode(b"\x80\x04\x95" + len(frame).to_bytes(8, "little") + frame).decode()


STORED = {kind: stored(name.replace("-", "_"), f"{kind}Provider") for kind, name in KINDS.items()}

PROTECTION_INPUTS = {"tenant_id", "resource", "policy", "on_conflict", "on_destroy", "adopt", "profile"}
SET_OPTIONS = {"tenant_id", "on_conflict", "on_destroy", "adopt", "on_missing", "max_removals", "profile"}
RUN_INPUTS = {"tenant_id", "job_id", "triggers", "wait", "timeout", "success_statuses", "failure_statuses", "profile"}
INPUTS = {
    "ArchiveDeletion": {"tenant_id", "archive_id", "reason", "profile"},
    "BackupRun": RUN_INPUTS,
    "Org": {"external_id", "name", "parent_org_id", "admin_email", "profile"},
    "Protection": PROTECTION_INPUTS,
    "ProtectionSet": SET_OPTIONS | {"assignments"},
}
CHECKED = {
    "Org": INPUTS["Org"],
    "Protection": PROTECTION_INPUTS | {"resource_id", "policy_id"},
    "ProtectionSet": INPUTS["ProtectionSet"] | {"resource_ids", "policy_ids", "missing"},
}
OUTPUTS = {
    "ArchiveDeletion": INPUTS["ArchiveDeletion"] | {"resource_id", "schema_version"},
    "BackupRun": RUN_INPUTS | {"task_id", "status", "started_at", "schema_version"},
    "Org": INPUTS["Org"] | {"kind", "invitation_url", "schema_version"},
    "Protection": CHECKED["Protection"] | {"job_id", "own_policy_id", "schema_version"},
    "ProtectionSet": SET_OPTIONS | {"protected", "adopted", "counts", "schema_version"},
}


@pytest.fixture(scope="module")
def declared() -> Declared:
    """The registrations of a program that declares one resource of each class, by name."""
    program = TESTS / "support/resources/declare.py"
    done = run_process([sys.executable, program], check=True)
    answer = json.loads(done.stdout)
    return {"outputs": answer["outputs"], **{resource["name"]: resource for resource in answer["resources"]}}


@pytest.mark.parametrize("kind", KINDS)
def test_a_declared_resource_keeps_its_type_its_provider_and_its_arguments(declared: Declared, kind: str) -> None:
    found = declared[KINDS[kind]]
    assert f"pulumi-python:dynamic/dataprotection:{kind}" == found["type"]
    # A check takes the names of secret inputs out.
    assert INPUTS[kind] | {"__provider"} == found["object"].keys() - {"secret_inputs"}
    assert STORED[kind] == found["object"]["__provider"]
    assert (["invitation_url"] if kind == "Org" else []) == found["secrets"]


@pytest.mark.parametrize("kind", READ)
def test_a_read_resource_keeps_its_type_its_provider_and_its_id(declared: Declared, kind: str) -> None:
    found = declared[f"got-{KINDS[kind]}"]
    assert (f"pulumi-python:dynamic/dataprotection:{kind}", READ[kind]) == (found["type"], found["id"])
    assert {"__provider", "profile"} == found["object"].keys()
    assert STORED[kind] == found["object"]["__provider"]
    assert (["invitation_url"] if kind == "Org" else []) == found["secrets"]


def test_arguments_keep_their_defaults(declared: Declared) -> None:
    for name in ("plain-protection", "plain-protection-set"):
        properties = declared[name]["object"]
        assert ("fail", "unprotect") == (properties["on_conflict"], properties["on_destroy"])
    names = ("triggers", "wait", "timeout", "success_statuses", "failure_statuses")
    properties = declared["plain-backup-run"]["object"]
    expected = [None, True, 7200, ["done", "warnings"], ["failed", "canceled"]]
    assert expected == [properties.get(name) for name in names]


def test_forms_of_an_argument_become_the_same_value(declared: Declared) -> None:
    assert ["monday", 7] == declared["backup-run"]["object"]["triggers"]
    for name in ("protection-set", "plain-protection-set"):
        assert {"jane": "Gold", "john": "Gold"} == declared[name]["object"]["assignments"]


def test_the_program_gets_the_computed_outputs(declared: Declared) -> None:
    expected = {"kind": "basic", "invitation_url": None, "policy_id": "policy-1", "job_id": None}
    assert expected == {name: value for name, value in declared["outputs"].items() if name != "ids"}


@pytest.mark.parametrize(
    ("kind", "inputs"),
    [
        ("Org", {**SHOP, "admin_email": "it@shop.example"}),
        ("Protection", protection("res-contoso-user-20", "Gold", adopt="own")),
        (
            "ProtectionSet",
            assigned(
                {"hannah.cohen@contoso.example": "Gold", "nobody": "Gold"},
                adopt="own",
                on_missing="warn",
                max_removals=7,
            ),
        ),
    ],
)
def test_checked_inputs_and_outputs_keep_their_names(run: Run, kind: str, inputs: Properties) -> None:
    wire = run.wire(kind)
    checked = wire.check({}, inputs).inputs
    outs = wire.create(checked).outs
    assert (CHECKED[kind] - {"profile"}, OUTPUTS[kind] - {"profile"}) == ({*checked}, {*outs})


@pytest.mark.parametrize("kind", KINDS)
def test_a_class_has_its_outputs_as_attributes(kind: str) -> None:
    attributes = {name for name in getattr(resources, kind).__annotations__ if not name.startswith("_")}
    assert OUTPUTS[kind] - {"profile", "schema_version"} == attributes


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
        "licenceCheck": "DATAPROTECTION_LICENCE_CHECK",
    }
    assert expected == {option.key: option.variable for option in OPTIONS}
