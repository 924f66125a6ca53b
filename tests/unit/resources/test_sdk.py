"""What users read of an error and of a warning."""

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from google.rpc.status_pb2 import Status
from pulumi.runtime.proto import engine_pb2, provider_pb2

from pulumi_dataprotection.resources._sdk import ResourceError, fail_half_done, warn
from support import HANG, Emulator
from support.resources.servicer import Engine, OperationError, Run, Servicer

NO_KEY = (
    "no apiKey: set the environment variable DATAPROTECTION_API_KEY, "
    "or run `pulumi config set --secret dataprotection:apiKey`; a preview without look-ups needs none where "
    "previewChecks is false"
)
ORG = {"external_id": "crm-7", "name": "Shop"}
JANE_ID = "tenant-contoso/res-contoso-user-01"
JANE = {
    "tenant_id": "tenant-contoso",
    "resource": "jane.doe@contoso.example",
    "policy": "Silver",
    "on_conflict": "fail",
    "on_destroy": "unprotect",
}
OWN = {**JANE, "own_policy_id": "policy-contoso-silver", "schema_version": 1}
SET = {
    "tenant_id": "tenant-contoso",
    "assignments": {"jane.doe@contoso.example": "Silver"},
    "on_conflict": "fail",
    "on_destroy": "unprotect",
}
OWN_SET = {**SET, "protected": {"res-contoso-user-01": "policy-contoso-silver"}, "adopted": {}, "schema_version": 1}

HOOKS: list[tuple[str, str, tuple[Any, ...]]] = [
    ("org", "check", ({}, ORG)),
    ("org", "create", (ORG,)),
    ("org", "read", ("org-1", ORG)),
    ("org", "get", ("org-1",)),
    ("protection", "check", ({}, JANE)),
    ("protection", "create", (JANE,)),
    ("protection", "read", (JANE_ID, OWN)),
    ("protection", "get", (JANE_ID,)),
    ("protection", "update", (JANE_ID, OWN, JANE)),
    ("protection", "delete", (JANE_ID, OWN)),
    ("protection_set", "check", ({}, SET)),
    ("protection_set", "create", (SET,)),
    ("protection_set", "read", ("tenant-contoso", OWN_SET)),
    ("protection_set", "update", ("tenant-contoso", OWN_SET, SET)),
    ("protection_set", "delete", ("tenant-contoso", OWN_SET)),
]


@pytest.mark.parametrize(("provider", "hook", "arguments"), HOOKS)
def test_an_error_reaches_the_engine_as_its_text_alone(
    servicer: Servicer, provider: str, hook: str, arguments: tuple[Any, ...]
) -> None:
    run = servicer.run({})
    with pytest.raises(OperationError) as raised:
        getattr(getattr(run, provider), hook)(*arguments)
    assert (2, NO_KEY) == (raised.value.code, str(raised.value))


def fail_alone(tmp_path: Path, program: str) -> list[str]:
    """Run a program that fails outside of the SDK's servicer, and return what it prints."""
    file = tmp_path / "program.py"
    file.write_text(f"from pulumi_dataprotection.resources._sdk import fail, fail_half_done\n{program}")
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=HANG, check=False)
    return done.stderr.splitlines()


WITHOUT_TRACEBACK = ["pulumi_dataprotection.resources._sdk.ResourceError: what happened", "what to do"]


@pytest.mark.parametrize(
    "call", ["fail('what happened\\nwhat to do')", "fail_half_done('what happened\\nwhat to do', '', {})"]
)
def test_an_error_is_its_text_where_the_servicer_is_not_found(tmp_path: Path, call: str) -> None:
    assert fail_alone(tmp_path, call) == WITHOUT_TRACEBACK


class Context:
    """Takes the place of gRPC's, which sends what it is given behind the answer."""

    def __init__(self) -> None:
        self.status = Status()

    def set_trailing_metadata(self, trailing_metadata: tuple[tuple[str, bytes], ...]) -> None:
        """Keep the status."""
        self.status = Status.FromString(dict(trailing_metadata)["grpc-status-details-bin"])


@pytest.mark.parametrize(
    ("members", "kept", "text"),
    [(100_000, 1, "1 failed"), (200_000, 0, "1 failed\nThat is more than the engine can keep")],
)
def test_work_that_is_half_done_is_kept_as_far_as_the_engine_takes_it(members: int, kept: int, text: str) -> None:
    def Create(request: provider_pb2.CreateRequest, context: Context) -> None:  # noqa: ARG001, N802 - as the SDK's
        fail_half_done(
            "1 failed", "tenant-contoso", {"protected": {f"{number:036}": f"{0:036}" for number in range(members)}}
        )

    request, context = provider_pb2.CreateRequest(), Context()
    cast("Any", request).properties.update({"__provider": "pickled"})
    with pytest.raises(ResourceError):
        Create(request, context)
    assert kept == len(context.status.details)
    assert context.status.message.startswith(text)
    assert context.status.ByteSize() * 4 / 3 < 1 << 24


def test_a_function_that_is_only_named_as_the_servicers_is_not_taken_for_it(tmp_path: Path) -> None:
    program = "def Create(request):\n    fail('what happened\\nwhat to do')\nCreate(None)\n"
    assert fail_alone(tmp_path, program) == WITHOUT_TRACEBACK


def test_a_warning_stands_beside_its_resource(run: Run, engine: Engine) -> None:
    run.org.delete("org-1", ORG)
    (message,) = engine.messages
    expected = (engine_pb2.WARNING, "urn:pulumi:dev::shop::pulumi-python:dynamic/dataprotection:Org::contoso")
    assert expected == (message.severity, message.urn)


def test_each_warning_stands_beside_its_own_resource(run: Run, engine: Engine) -> None:
    run.archive_deletion.delete("tenant-contoso/archive-contoso-01", {})
    run.org.delete("org-1", ORG)
    run.protection.delete(JANE_ID, {**OWN, "own_policy_id": None})
    run.protection_set.delete("tenant-contoso", {**OWN_SET, "protected": {}, "adopted": OWN_SET["protected"]})
    expected = [provider.urn for provider in (run.archive_deletion, run.org, run.protection, run.protection_set)]
    assert expected == [message.urn for message in engine.messages]


def test_a_warning_without_the_servicer_is_lost_quietly(engine: Engine) -> None:
    warn("nobody reads this")
    assert [] == engine.messages


def test_a_warning_is_lost_quietly_where_the_engine_does_not_answer(tmp_path: Path, emulator: Emulator) -> None:
    with Servicer(tmp_path / "log") as servicer:
        run = servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})
        run.org.delete("org-1", ORG)
        assert [] == emulator.requests()


def test_a_warning_holds_nothing_up_where_the_engine_never_answers(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with Servicer(tmp_path / "log", address) as servicer:
            servicer.run({}).org.delete("org-1", ORG)
        silent.settimeout(HANG)
        connection, (host, _) = silent.accept()
        connection.close()
    assert host == "127.0.0.1"
