"""The policy pack, over the wire on which the engine asks it, and on an engine whose language host starts packs."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.empty_pb2 import Empty  # type: ignore[import-untyped]  # generated code without types
from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc

from support import HANG, ROOT, Emulator
from support.engine.programs import program
from support.engine.stack import Stack

PACK = ROOT / "examples/policy-pack"
TENANT = "tenant-contoso"

Properties = Mapping[str, Any]

DRIVES = {"tenant_id": TENANT, "kind": "office_teamdrive"}
BARE = [f"res-contoso-drive-{number:02}" for number in range(3, 12)]  # the seed protects the first two


class Pack:
    """The pack's process, asked as the engine asks it."""

    def __init__(self, port: int) -> None:
        self._channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        self.stub: Any = analyzer_pb2_grpc.AnalyzerStub(self._channel)

    def configure(self, **configs: Properties) -> None:
        """Give policies their config; the underscores of their names stand for hyphens."""
        request = analyzer_pb2.ConfigureAnalyzerRequest()
        for name, config in configs.items():
            given = request.policyConfig[name.replace("_", "-")]
            given.enforcementLevel = analyzer_pb2.MANDATORY
            given.properties.update(dict(config))
        self.stub.Configure(request, timeout=HANG)

    def about(self, type: str, *, protect: bool = False, **properties: str) -> list[str]:
        """Return its messages about a resource."""
        request = analyzer_pb2.AnalyzeRequest(type=f"pulumi-python:dynamic/dataprotection:{type}", name="x")
        request.options.protect = protect
        request.properties.update(properties)
        return _told(self.stub.Analyze(request, timeout=HANG))

    def about_all(self, resources: Sequence[tuple[str, Properties]]) -> list[str]:
        """Return its messages about a stack, given as pairs of type and properties."""
        request = analyzer_pb2.AnalyzeStackRequest()
        for type, properties in resources:
            request.resources.add(type=type).properties.update(dict(properties))
        return _told(self.stub.AnalyzeStack(request, timeout=HANG))

    def close(self) -> None:
        """Hang up."""
        self._channel.close()


def _told(answer: analyzer_pb2.AnalyzeResponse) -> list[str]:
    mandatory = {one.enforcementLevel for one in answer.diagnostics} <= {analyzer_pb2.MANDATORY}
    assert mandatory, answer.diagnostics
    # The policy's description comes before what it reports.
    return [f"{one.policyName}: {one.message.splitlines()[-1]}" for one in answer.diagnostics]


@pytest.fixture
def pack(stack: Stack, emulator: Emulator) -> Iterator[Pack]:
    """The pack with a key that can only read."""
    command = [sys.executable, "-u", "-m", "pulumi.policy", "127.0.0.1:1", str(PACK)]
    environment = {**stack.environment, "DATAPROTECTION_API_KEY": emulator.read_only_key}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        limit = threading.Timer(HANG, process.kill)
        limit.start()
        port = process.stdout.readline() if process.stdout else ""
        limit.cancel()
        try:
            pack = Pack(int(port))
            yield pack
            pack.close()
        finally:
            process.kill()


def test_the_pack_names_its_policies(pack: Pack) -> None:
    info = pack.stub.GetAnalyzerInfo(Empty(), timeout=HANG)
    levels = {policy.name: policy.enforcementLevel for policy in info.policies}
    names = ("orgs-are-protected", "deletions-have-a-ticket", "everything-has-a-policy", "coverage-is-high")
    assert dict.fromkeys(names, analyzer_pb2.MANDATORY) == levels


def test_an_organization_is_protected_and_a_deletion_has_a_ticket(pack: Pack) -> None:
    assert [] == pack.about("Org", protect=True, name="Shop")
    assert ["orgs-are-protected"] == [told.partition(":")[0] for told in pack.about("Org", name="Shop")]
    assert [] == pack.about("ProtectionSet")

    assert [] == pack.about("ArchiveDeletion", reason="DP-17: left")
    for reason in ("left", "see DP-17", "dp-17"):
        (told,) = pack.about("ArchiveDeletion", reason=reason)
        assert told.startswith("deletions-have-a-ticket: "), reason
    pack.configure(deletions_have_a_ticket={"pattern": "^case [0-9]+$"})
    assert [] == pack.about("ArchiveDeletion", reason="case 17")
    assert 1 == len(pack.about("ArchiveDeletion", reason="DP-17"))


def test_an_item_of_a_kind_without_a_policy_is_reported(pack: Pack, stack: Stack, emulator: Emulator) -> None:
    single, *others, left_out = BARE
    others[0] = "Sales Europe"
    stack.write(program(f'protect("single", "{single}")', f'protect_all("set", {others})'))
    assert not stack.up().failed
    made = stack.resources().values()
    # The pack has to learn the protections only from the stack.
    new = [one for one in emulator.state()["protections"] if one["resource_id"] in BARE]
    emulator.patch({"protections": [{**one, "deleted": True} for one in new]})
    emulator.clear_requests()

    assert [] == pack.about_all([]), "without a config it makes no call"
    assert [] == emulator.requests()

    pack.configure(everything_has_a_policy=DRIVES)
    # The engine shows a resource's inputs in a preview that makes it, its outputs afterwards.
    for shape in ("inputs", "outputs"):
        declared = [(one["type"], one[shape]) for one in made]
        (told,) = pack.about_all(declared)
        assert re.fullmatch(
            f"everything-has-a-policy: .* 1 .* office_teamdrive in {TENANT}: support@contoso.example", told
        )
        assert left_out == "res-contoso-drive-11"

        whole = [*declared, (declared[0][0], {"tenant_id": TENANT, "resource_id": left_out})]
        assert [] == pack.about_all(whole)
        elsewhere = [*declared, (declared[0][0], {"tenant_id": "tenant-adatum", "resource_id": left_out})]
        assert 1 == len(pack.about_all(elsewhere)), "the same id in another tenant is another item"
    assert {"GET"} == {request["method"] for request in emulator.requests()}


def test_a_kind_of_which_too_few_have_a_policy_is_reported(pack: Pack, emulator: Emulator) -> None:
    assert [] == pack.about_all([]), "without a config it makes no call"
    assert [] == emulator.requests()

    # The seed protects 8 of 29 people, and 2 of 11 drives.
    for percent, kinds in [(18.1, []), (27.5, ["office_teamdrive"]), (100, ["office_teamdrive", "office_user"])]:
        pack.configure(coverage_is_high={"tenant_id": TENANT, "min_percent": percent})
        reported = [told for told in pack.about_all([]) if told.startswith("coverage-is-high: ")]
        assert kinds == [kind for kind in ("office_teamdrive", "office_user") for told in reported if kind in told]


def test_the_engine_refuses_a_program_that_breaks_a_policy(stack: Stack, tmp_path: Path) -> None:
    config = tmp_path / "policies.json"
    config.write_text(json.dumps({"everything-has-a-policy": DRIVES}))
    stack.write(program('org("shop", "crm-1", "Shop")'))
    outcome = stack.preview("--policy-pack", str(PACK), "--policy-pack-config", str(config))
    if "failed to start: could not read plugin" in outcome.text:
        pytest.skip("the language host on PATH cannot start policy packs; that of Pulumi's installer can")
    assert outcome.failed
    assert re.search("protect=True", outcome.text)
    assert re.search(" 9 .* office_teamdrive", outcome.text)
