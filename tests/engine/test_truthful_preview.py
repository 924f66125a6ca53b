"""What `up` would fail on: a preview says it first, with the same words, and with a key that can only read."""

import json
import re
import ssl
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
import trustme

from pulumi_dataprotection import Protection
from support import Emulator
from support.engine.failures import FAILURES, PROGRAM, program, reason
from support.engine.stack import Outcome, Stack, traceback_in
from support.scripted import Scripted


@dataclass(frozen=True)
class Scene:
    """A stack whose next `up` fails, and what `up` says.

    Attributes:
        stack: the stack, with a key that can only read.
        emulator: its service.
        up: the end of an `up` that nothing was checked for, of all failures at once.
    """

    stack: Stack
    emulator: Emulator
    up: Outcome

    @contextmanager
    def settings(self, **variables: str | None) -> Generator[None]:
        """Set variables for the commands of the block; None takes one away."""
        before = {name: self.stack.environment.get(name) for name in variables}
        self.stack.set_environment(**variables)
        try:
            yield
        finally:
            self.stack.set_environment(**before)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A stack that was made, a service that changed since, and an `up` without preview checks."""
    certificate = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with trustme.CA().issue_cert("127.0.0.1").private_key_and_cert_chain_pem.tempfile() as path:
        certificate.load_cert_chain(path)
    with Emulator() as emulator, Scripted(certificate) as distrusted:
        stack = Stack(tmp_path_factory.mktemp("scene"), emulator)
        stack.write(PROGRAM)
        assert not stack.up().failed
        _change_the_service(emulator)
        profiles = {
            name: {"apiKey": f"key-{name}", "baseUrl": distrusted.url if name == "distrusted" else emulator.url}
            for name in ("wrong", "blind", "lone", "several", "distrusted")
        }
        stack.set_environment(DATAPROTECTION_PROFILES=json.dumps(profiles), DATAPROTECTION_PREVIEW_CHECKS="false")
        stack.write(program(*FAILURES, named=True))
        writes = len(emulator.writes())
        # Without this option the engine ends with the first failure.
        up = stack.up("--continue-on-error")
        assert writes == len(emulator.writes()), "what fails wrote"
        stack.set_environment(
            DATAPROTECTION_API_KEY=emulator.read_only_key,
            DATAPROTECTION_PREVIEW_CHECKS=None,
        )
        yield Scene(stack, emulator, up)


def _change_the_service(emulator: Emulator) -> None:
    (wei,) = (one for one in emulator.state()["protections"] if one["resource_id"] == "res-contoso-user-12")
    keys = {"lone": ["read"], "several": ["read"], "blind": []}
    homes = {"org-alpine": "several", "org-harbor": "several", "org-meridian": "blind"}
    emulator.patch(
        {
            "keys": [{"name": name, "key": f"key-{name}", "permissions": may} for name, may in keys.items()],
            "installations": [{"id": f"at-{org}", "key_name": name, "org_id": org} for org, name in homes.items()],
            "policies": [
                {"tenant_id": "tenant-contoso", "id": f"policy-{number}", "name": "Twin"} for number in (1, 2)
            ],
            "protections": [{**wei, "policy_id": "policy-contoso-bronze"}],
        }
    )


@pytest.mark.parametrize("case", FAILURES)
def test_a_preview_says_on_the_property_what_up_fails_on(scene: Scene, case: str) -> None:
    line, property_, words = FAILURES[case]
    name = line.split('"')[1]
    scene.stack.write(program(case))
    preview = scene.stack.preview()
    assert preview.failed
    assert re.search(words, reason(preview, name))
    assert reason(preview, name) == reason(scene.up, name if name == "wei" else case)
    tied = re.findall(r"property (\w+) ", preview.messages[name])
    assert ([property_] if property_ else []) == tied
    assert not traceback_in(preview, scene.up)


TWICE = {
    "resource": """
first = protect("first", "res-contoso-user-13")
protect("second", "yuki.tanaka@contoso.example", opts=pulumi.ResourceOptions(depends_on=[first]))
""",
    "external_id": """
first = Org("first", external_id="crm-9", name="Litware")
Org("second", external_id="crm-9", name="Litware", opts=pulumi.ResourceOptions(depends_on=[first]))
""",
}


@pytest.mark.parametrize("property_", TWICE)
def test_a_preview_says_what_is_declared_twice_and_so_does_up(stack: Stack, emulator: Emulator, property_: str) -> None:
    stack.write(PROGRAM + TWICE[property_])
    stack.set_environment(DATAPROTECTION_API_KEY=emulator.read_only_key)
    preview = stack.preview()
    assert (True, [property_]) == (preview.failed, re.findall(r"property (\w+) ", preview.messages["second"]))
    assert re.search('declared twice.*"first"', reason(preview, "second"))
    stack.set_environment(DATAPROTECTION_API_KEY=emulator.api_key, DATAPROTECTION_PREVIEW_CHECKS="false")
    assert reason(preview, "second") == reason(stack.up(), "second")


WRONG_AT_ONCE: dict[str, tuple[str, list[str]]] = {
    "values": (
        'protect("p", "a\\nb", 5, " ", on_conflict="maybe", on_destroy="burn", profile=7)',
        ["tenant_id", "resource", "policy", "profile", "on_conflict", "on_destroy"],
    ),
    "changes": (
        'Org("fabrikam", external_id="crm-7", name="Litware", parent_org_id="org-alpine", admin_email="x@y.example")',
        ["external_id", "name", "parent_org_id", "admin_email"],
    ),
}


@pytest.mark.parametrize("case", WRONG_AT_ONCE)
def test_all_that_is_wrong_with_a_resource_is_told_at_once_by_property(scene: Scene, case: str) -> None:
    line, properties = WRONG_AT_ONCE[case]
    name = line.split('"')[1]
    scene.stack.write("\n".join([*(kept for kept in PROGRAM.splitlines() if f'Org("{name}"' not in kept), line]))
    preview = scene.stack.preview()
    assert (True, properties) == (preview.failed, re.findall(r"property (\w+) ", preview.messages[name]))
    scene.emulator.clear_requests()
    with scene.settings(DATAPROTECTION_API_KEY=None, DATAPROTECTION_PREVIEW_CHECKS="false"):
        up = scene.stack.up()
    assert (preview.messages[name], []) == (up.messages[name], scene.emulator.requests())


@pytest.mark.parametrize(
    ("variable", "words"),
    [("DATAPROTECTION_API_KEY", "no apiKey: set .* previewChecks"), ("DATAPROTECTION_BASE_URL", "no baseUrl: set the")],
)
def test_a_setting_that_is_missing_is_told_by_a_preview_and_by_up(scene: Scene, variable: str, words: str) -> None:
    scene.stack.write(PROGRAM + 'protect("p", "res-contoso-user-13")')
    with scene.settings(**{variable: None}):
        preview = scene.stack.preview()
    with scene.settings(**{variable: None, "DATAPROTECTION_PREVIEW_CHECKS": "false"}):
        up = scene.stack.up()
    # The engine ends with the first resource that fails, whichever that is.
    said = {reason(preview, name) for name in preview.messages if name}
    assert {reason(up, "p")} == said
    assert re.search(words, reason(up, "p"))


def test_without_preview_checks_a_preview_needs_no_key_and_asks_for_nothing(scene: Scene) -> None:
    scene.emulator.clear_requests()
    with scene.settings(
        DATAPROTECTION_API_KEY=None, DATAPROTECTION_BASE_URL=None, DATAPROTECTION_PREVIEW_CHECKS="false"
    ):
        scene.stack.write(PROGRAM)
        assert not scene.stack.preview("--expect-no-changes").failed
        scene.stack.write(program("another policy on it by now", "unknown tenant"))
        preview = scene.stack.preview()
        assert (False, {"wei": "update", "p": "create"}) == (preview.failed, preview.steps)
        scene.stack.write(PROGRAM + 'get_tenant("tenant-contoso")')
        assert "no apiKey: set the environment variable" in scene.stack.preview().messages[""]
    assert [] == scene.emulator.requests()


def test_a_misspelt_argument_is_refused() -> None:
    with pytest.raises(TypeError, match="polcy"):
        Protection("p", tenant_id="t", resource="r", polcy="Gold")  # type: ignore[call-arg]  # what is tested


UNKNOWN = """
late = Org("late", external_id="crm-7", name="Litware")
later = lambda text: late.id.apply(lambda id: text)
q = protect("q", later("res-contoso-user-13"), policy=later("Gold"), tenant_id=later("tenant-contoso"))
protect("p", later("nobody@contoso.example"), opts=pulumi.ResourceOptions(depends_on=[q]))
"""
PLACEHOLDERS = ("04da6b54", "Unknown", "Output", "None", "object at")


def test_what_hangs_on_something_unknown_is_left_to_up_also_when_it_becomes_unknown_again(
    stack: Stack, emulator: Emulator
) -> None:
    stack.write(PROGRAM + UNKNOWN)
    preview = stack.preview()
    assert (False, {"late", "p", "q", "wei", "fabrikam"}) == (preview.failed, {*preview.steps})
    up = stack.up()
    assert 'no resource "nobody@contoso.example"' in up.messages["p"]
    (late,) = (org["id"] for org in emulator.state()["orgs"] if org["external_id"] == "crm-7")
    emulator.patch({"orgs": [{"id": late, "deleted": True}]})
    assert stack.refresh().refreshed == {"late": "delete"}
    again = stack.preview()
    assert (False, {"late": "create", "q": "update", "p": "create"}) == (again.failed, again.steps)
    targets = [f"{request['path']} {request['query']}" for request in emulator.requests()]
    assert [target for target in targets for text in PLACEHOLDERS if text in target] == []
