"""The provider's dealings with the SDK and the engine: errors, warnings, and the loss of the engine."""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from google.rpc.status_pb2 import Status
from pulumi.runtime.proto import engine_pb2, provider_pb2

from pulumi_dataprotection.resources._sdk import ResourceError, fail_half_done, listen_to_the_engine, warn
from support import HANG, Emulator, run_process, until
from support.resources.arguments import SHOP, members, protection, state
from support.resources.contoso import JANE, JANE_ID, SILVER, TENANT
from support.resources.servicer import Engine, Properties, Run, Servicer, assert_names, failure_of

SET = members(JANE, policy="Silver")
OWN_SET = {**SET, "protected": {JANE: SILVER}, "adopted": {}, "schema_version": 2}


def hooks(wire: str, id: str, inputs: Properties, outs: Properties) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """Yield the hooks of a provider, each with arguments."""
    yield from ((wire, "check", ({}, inputs)), (wire, "create", (inputs,)), (wire, "read", (id, outs)))
    if wire != "protection_set":
        yield wire, "get", (id,)
    if wire != "org":
        yield from ((wire, "update", (id, outs, inputs)), (wire, "delete", (id, outs)))


HOOKS = [
    *hooks("org", "org-1", SHOP, SHOP),
    *hooks("protection", JANE_ID, protection(), state()),
    *hooks("protection_set", TENANT, SET, OWN_SET),
]


@pytest.mark.parametrize(("provider", "hook", "arguments"), HOOKS)
def test_an_error_reaches_the_engine_as_text_without_a_traceback(
    servicer: Servicer, provider: str, hook: str, arguments: tuple[Any, ...]
) -> None:
    failure = failure_of(getattr(getattr(servicer.run(), provider), hook), *arguments)
    assert (2, 1) == (failure.code, len(failure.text.splitlines()))
    assert_names(failure, "DATAPROTECTION_API_KEY", "dataprotection:apiKey")


@pytest.mark.parametrize(
    "program",
    [
        "fail('the cause\\nthe fix')",
        "fail_half_done('the cause\\nthe fix', '', {})",
        # The name of a function of the servicer is not enough.
        "def Create(request):\n    fail('the cause\\nthe fix')\nCreate(None)\n",
    ],
)
def test_an_error_without_the_servicer_is_its_text(tmp_path: Path, program: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"from pulumi_dataprotection.resources._sdk import fail, fail_half_done\n{program}")
    done = run_process([sys.executable, file])
    expected = ["pulumi_dataprotection.resources._sdk.ResourceError: the cause", "the fix"]
    assert expected == done.stderr.splitlines()


class Context:
    """The context of a call, which sends a status after the answer."""

    def __init__(self) -> None:
        self.status = Status()

    def set_trailing_metadata(self, trailing_metadata: tuple[tuple[str, bytes], ...]) -> None:
        """Keep the status."""
        self.status = Status.FromString(dict(trailing_metadata)["grpc-status-details-bin"])


@pytest.mark.parametrize(("count", "kept", "lines"), [(100_000, 1, 1), (200_000, 0, 2)])
def test_outputs_of_unfinished_work_are_kept_up_to_the_limit_of_the_engine(count: int, kept: int, lines: int) -> None:
    def Create(request: provider_pb2.CreateRequest, context: Context) -> None:  # noqa: ARG001, N802 - as the SDK's
        outs = {"protected": {f"{number:036}": f"{0:036}" for number in range(count)}}
        fail_half_done("1 failed", TENANT, outs)

    request, context = provider_pb2.CreateRequest(), Context()
    cast("Any", request).properties.update({"__provider": "pickled"})
    with pytest.raises(ResourceError):
        Create(request, context)
    first, *others = context.status.message.splitlines()
    assert ("1 failed", lines, kept) == (first, 1 + len(others), len(context.status.details))
    assert context.status.ByteSize() * 4 / 3 < 1 << 24


def test_each_warning_belongs_to_its_resource(run: Run, engine: Engine) -> None:
    run.archive_deletion.delete("tenant-contoso/archive-contoso-01", {})
    run.org.delete("org-1", SHOP)
    run.protection.delete(JANE_ID, state(own=None))
    run.protection_set.delete(TENANT, {**OWN_SET, "protected": {}, "adopted": OWN_SET["protected"]})
    expected = [provider.urn for provider in (run.archive_deletion, run.org, run.protection, run.protection_set)]
    assert [(engine_pb2.WARNING, urn) for urn in expected] == [(one.severity, one.urn) for one in engine.messages]


def test_a_warning_without_the_servicer_is_lost_silently(engine: Engine) -> None:
    warn("a text")
    assert [] == engine.messages


def test_a_warning_without_an_engine_is_lost_silently(tmp_path: Path, emulator: Emulator) -> None:
    with Servicer(tmp_path / "log") as servicer:
        servicer.run(emulator).org.delete("org-1", SHOP)
        assert [] == emulator.requests()


def test_a_warning_does_not_wait_for_an_engine_that_never_answers(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with Servicer(tmp_path / "log", address) as servicer:
            servicer.run().org.delete("org-1", SHOP)
        silent.settimeout(HANG)
        connection, (host, _) = silent.accept()
        connection.close()
    assert host == "127.0.0.1"


def test_a_process_without_the_servicer_does_not_listen_for_a_cancel() -> None:
    listen_to_the_engine()
    assert not hasattr(sys.modules["__main__"], "DynamicResourceProviderServicer")


def test_a_provider_ends_when_it_loses_its_engine_and_not_before(tmp_path: Path, emulator: Emulator) -> None:
    engine = Engine()
    with Servicer(tmp_path / "log", engine.address) as servicer:
        provider = servicer.run(emulator).org
        provider.read("org-contoso", {})
        assert servicer.runs()
        engine.close()
        until(lambda: not servicer.runs())
