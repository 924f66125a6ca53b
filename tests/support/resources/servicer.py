"""The provider process of the SDK, and the engine's side of its wire."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent import futures
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

import grpc
import pytest
from google.protobuf.empty_pb2 import Empty  # type: ignore[import-untyped]  # generated code without types
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]  # generated code without types
from google.rpc.status_pb2 import Status
from pulumi.dynamic import dynamic
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc, provider_pb2, provider_pb2_grpc

from pulumi_dataprotection.resources.archive_deletion import ArchiveDeletionProvider
from pulumi_dataprotection.resources.backup_run import BackupRunProvider
from pulumi_dataprotection.resources.member_removal import MemberRemovalProvider
from pulumi_dataprotection.resources.org import OrgProvider
from pulumi_dataprotection.resources.protection import ProtectionProvider
from pulumi_dataprotection.resources.protection_set import ProtectionSetProvider
from support import HANG, TESTS, Emulator
from support.notes import note_process
from support.scripted import KEY, Scripted

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""The form in which a value travels that is not known yet."""

_URN = "urn:pulumi:dev::shop::pulumi-python:dynamic/dataprotection:"
_PROVIDERS: dict[str, Callable[[], object]] = {
    "ArchiveDeletion::old": ArchiveDeletionProvider,
    "BackupRun::final": BackupRunProvider,
    "MemberRemoval::people-removal": MemberRemovalProvider,
    "Org::contoso": OrgProvider,
    "Protection::jane": ProtectionProvider,
    "ProtectionSet::people": ProtectionSetProvider,
}
"""The provider of each resource, by the resource's type and its name in the program."""

Properties = dict[str, Any]
_runs = count(1)


class OperationError(Exception):
    """An operation failed; the text is what the engine shows.

    Attributes:
        text: the text.
        code: the code beside the text; None if the provider gave no text of its own.
        everything: all that crossed the wire.
        half_done: the outputs that the engine keeps, with the id; None if it keeps nothing.
    """

    def __init__(self, error: grpc.RpcError) -> None:
        call = cast("grpc.Call", error)
        details = call.details() or ""
        trailers = {trailer[0]: trailer[1] for trailer in call.trailing_metadata() or ()}
        sent = trailers.get("grpc-status-details-bin")
        status = Status.FromString(cast("bytes", sent)) if sent else None
        super().__init__(status.message if status else details)
        self.text = str(self)
        self.code = status.code if status else None
        self.everything = f"{details}\n{trailers}\n{self}"
        self.half_done = _half_done(status) if status and status.details else None


def _half_done(status: Status) -> "Made":
    kept = provider_pb2.ErrorResourceInitFailed()
    assert status.details[0].Unpack(kept)
    outs: Properties = MessageToDict(kept.properties)
    assert outs.pop("__provider")
    return Made(kept.id, outs)


class Checked(NamedTuple):
    """The answer of a check: the inputs, and the failures as pairs of property and reason."""

    inputs: Properties
    failures: list[tuple[str, str]]

    @property
    def names(self) -> list[str]:
        """The properties that the failures are reported on."""
        return [name for name, _ in self.failures]

    @property
    def reason(self) -> str:
        """The reason of the only failure."""
        ((_, reason),) = self.failures
        return reason


class Difference(NamedTuple):
    """The answer of a diff; "unknown" leaves the comparison to the engine."""

    changes: str
    replaces: list[str]


class Made(NamedTuple):
    """The answer of a creation."""

    id: str
    outs: Properties


class Found(NamedTuple):
    """The answer of a reading; an empty id means that the resource is gone."""

    id: str
    outs: Properties
    inputs: Properties


class Engine(engine_pb2_grpc.EngineServicer):
    """The engine, as far as a provider talks to it: it takes messages.

    Attributes:
        messages: the messages.
        address: the address that providers are started with.
    """

    def __init__(self) -> None:
        self.messages: list[engine_pb2.LogRequest] = []
        self._server = grpc.server(futures.ThreadPoolExecutor(2))
        engine_pb2_grpc.add_EngineServicer_to_server(self, self._server)
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def Log(self, request: engine_pb2.LogRequest, context: object) -> Empty:  # noqa: N802 - the wire's name
        """Keep a message."""
        del context
        self.messages.append(request)
        return Empty()

    @property
    def warnings(self) -> list[str]:
        """The warnings, each after the name of its resource."""
        return [_named(message) for message in self.messages if message.severity == engine_pb2.WARNING]

    @property
    def notes(self) -> list[str]:
        """The messages that are neither warnings nor progress, each after the name of its resource."""
        kept = [message for message in self.messages if message.severity == engine_pb2.INFO and not message.ephemeral]
        return [_named(message) for message in kept]

    @property
    def progress(self) -> list[str]:
        """The texts of the status column."""
        return [message.message for message in self.messages if message.ephemeral]

    def close(self) -> None:
        """Stop answering."""
        self._server.stop(None).wait(HANG)


def _named(message: engine_pb2.LogRequest) -> str:
    return f"{message.urn.rpartition('::')[2]}: {message.message}"


HURRIED = {"PYTHONPATH": str(TESTS), "DATAPROTECTION_DRIVEN_CLOCK": "support.scripted:DrivenClock"}
"""Environment variables of a provider process whose waits end at once."""


class Servicer:
    """The process that the engine starts for dynamic resources.

    Args:
        log: the file that its standard error goes to.
        engine: the engine, or an address; by default an address that nobody listens on.
        variables: environment variables beside the variables of this process, of which ours are removed.
        measured: whether its coverage is measured, which takes a process that is not killed.

    Attributes:
        address: the engine's address.
        engine: the engine, if there is one.
    """

    def __init__(
        self,
        log: Path,
        engine: Engine | str = "",
        variables: Mapping[str, str] | None = None,
        *,
        measured: bool = True,
    ) -> None:
        self.log = log
        self.engine = engine if isinstance(engine, Engine) else None
        self.address = engine.address if isinstance(engine, Engine) else engine or f"unix:{log}.nobody"
        self.current: Run | None = None
        left_out = ("DATAPROTECTION_",) if measured else ("DATAPROTECTION_", "COVERAGE_")
        foreign = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
        quiet = {"DATAPROTECTION_CALLS_PER_SECOND": "0", "DATAPROTECTION_READ_LAG": "0"}
        own = {"XDG_CACHE_HOME": str(log.parent / "cache")}
        environment = {**foreign, **quiet, **own, **(variables or {})}
        with log.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-u", "-m", "pulumi.dynamic", self.address],
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
            )
        if measured:
            note_process(self._process.pid, f"the provider's process with the log {log}")
        port = self._first_line()
        # The engine takes that much too, which is more than gRPC's own 16 KB.
        limits = [("grpc.max_metadata_size", 1 << 24), ("grpc.absolute_max_metadata_size", 1 << 24)]
        self._channel = grpc.insecure_channel(f"127.0.0.1:{port}", limits)
        self.stub = provider_pb2_grpc.ResourceProviderStub(self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def run(self, service: Emulator | Scripted | None = None, /, **config: str) -> "Run":
        """Begin a command of the engine.

        Args:
            service: the service that the stack's config names; none by default.
            config: the rest of the stack's config, without the namespace.
        """
        if service:
            key = service.api_key if isinstance(service, Emulator) else KEY
            config = {"apiKey": key, "baseUrl": service.url, **config}
        return Run(self, config)

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()

    def runs(self) -> bool:
        """Return whether the process runs."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process."""
        self._channel.close()
        self._process.terminate()
        try:
            self._process.wait(HANG)
        finally:
            self._process.kill()
            self._process.wait()
            if self._process.stdout:
                self._process.stdout.close()

    def _first_line(self) -> int:
        limit = threading.Timer(HANG, self._process.kill)
        limit.start()
        line = self._process.stdout.readline() if self._process.stdout else b""
        limit.cancel()
        if not line:
            raise RuntimeError(f"the provider's process did not start: {self.log.read_text()}")
        return int(line)


class Run:
    """One command of the engine: a config, and a view of the service that nothing is known from before.

    A process keeps a provider for each spelling of its pickled text, and what was read for each different settings.
    So a run spells the text in its own way and asks for a time limit that no other run has, which spares a process
    for each test; what runs in one process shares nothing else.

    Attributes:
        archive_deletion: the provider of deletions of archives.
        backup_run: the provider of runs of jobs.
        member_removal: the provider of removals of members of sets.
        org: the provider of organizations.
        protection: the provider of protections.
        protection_set: the provider of protection sets.
    """

    def __init__(self, servicer: Servicer, config: Mapping[str, str]) -> None:
        self._number = next(_runs)
        own = {"requestTimeout": str(HANG + self._number / 1000), **config}
        self._servicer = servicer
        self._config = {f"dataprotection:{key}": value for key, value in own.items()}
        self.archive_deletion = self.wire("ArchiveDeletion")
        self.backup_run = self.wire("BackupRun")
        self.member_removal = self.wire("MemberRemoval")
        self.org = self.wire("Org")
        self.protection = self.wire("Protection")
        self.protection_set = self.wire("ProtectionSet")

    def wire(self, kind: str) -> "Wire":
        """Return the provider of a class of resources."""
        ((name, provider),) = [one for one in _PROVIDERS.items() if one[0].startswith(f"{kind}::")]
        # The blanks change nothing: they are not in the alphabet of the text.
        pickled = str(cast("Any", dynamic).serialize_provider(provider())) + " " * self._number
        return Wire(self, f"{_URN}{name}", pickled)

    def stub(self) -> provider_pb2_grpc.ResourceProviderStub:
        """The way to the process, which has this run's config."""
        if self._servicer.current is not self:
            configure = provider_pb2.ConfigureRequest()
            configure.args.update(self._config)
            cast("Any", self._servicer.stub).Configure(configure, timeout=HANG)
            self._servicer.current = self
        return self._servicer.stub


class Wire:
    """One provider, called as the engine calls it: with dictionaries for the messages' structures."""

    def __init__(self, run: Run, urn: str, pickled: str) -> None:
        self.urn = urn
        self._run = run
        self._pickled = pickled

    def named(self, name: str) -> "Wire":
        """Return the provider, called about the resource with another name in the program."""
        return Wire(self._run, f"{self.urn.rpartition('::')[0]}::{name}", self._pickled)

    def check(self, olds: Properties, news: Properties) -> Checked:
        """Check new inputs, given the old inputs; a new resource has none."""
        answer = self._call("Check", provider_pb2.CheckRequest(), **({"olds": olds} if olds else {}), news=news)
        failures = [(failure.property, failure.reason) for failure in answer.failures]
        return Checked(self._got(answer.inputs), failures)

    def diff(self, id: str, olds: Properties, news: Properties) -> Difference:
        """Compare old outputs with new inputs."""
        answer = self._call("Diff", provider_pb2.DiffRequest(id=id), olds=olds, news=news)
        changes = provider_pb2.DiffResponse.DiffChanges.Name(answer.changes)
        return Difference(changes.removeprefix("DIFF_").lower(), list(answer.replaces))

    def create(self, props: Properties) -> Made:
        """Create it."""
        answer = self._call("Create", provider_pb2.CreateRequest(), properties=props)
        return Made(answer.id, self._got(answer.properties))

    def read(self, id: str, props: Properties, inputs: Properties | None = None) -> Found:
        """Read it, given its outputs, and the inputs that the engine knows, as a refresh does."""
        known = {"inputs": inputs} if inputs else {}
        answer = self._call("Read", provider_pb2.ReadRequest(id=id), properties=props, **known)
        return Found(answer.id, self._got(answer.properties), self._got(answer.inputs))

    def get(self, id: str, inputs: Properties | None = None) -> Found:
        """Read it, given the arguments of the class's `get`."""
        answer = self._call("Read", provider_pb2.ReadRequest(id=id), inputs=inputs or {})
        return Found(answer.id, self._got(answer.properties), self._got(answer.inputs))

    def update(self, id: str, olds: Properties, news: Properties) -> Properties:
        """Update it, given old outputs and new inputs."""
        return self._got(self._call("Update", provider_pb2.UpdateRequest(id=id), olds=olds, news=news).properties)

    def delete(self, id: str, props: Properties) -> None:
        """Delete it, given its outputs."""
        self._call("Delete", provider_pb2.DeleteRequest(id=id), properties=props)

    def _call(self, name: str, request: Any, **structures: Properties) -> Any:  # noqa: ANN401 - no common type
        request.urn = self.urn
        for field, properties in structures.items():
            getattr(request, field).update({**properties, "__provider": self._pickled})
        try:
            return getattr(self._run.stub(), name)(request, timeout=HANG)
        except grpc.RpcError as error:
            raise OperationError(error) from None

    def _got(self, structure: Any) -> Properties:  # noqa: ANN401 - it has no typed class
        properties: Properties = MessageToDict(structure)
        if properties:
            assert self._pickled == properties.pop("__provider")
        return properties


def failure_of(operation: Callable[..., object], *arguments: object) -> OperationError:
    """Return the error of an operation, which has to fail."""
    with pytest.raises(OperationError) as raised:
        operation(*arguments)
    return raised.value


def assert_names(message: object, *names: str) -> None:
    """Require a message to hold names and numbers, whatever its wording."""
    text = str(message)
    assert [] == [name for name in names if name not in text], text
