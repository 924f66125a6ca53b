"""A preview reports the failures of the next `up`, in the same words, with a key that can only read."""

import json
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
import trustme

from support import Emulator
from support.certificates import encrypted
from support.engine.failures import FAILURES, PROGRAM, program, reason
from support.engine.stack import Outcome, Stack, traceback_in


@dataclass(frozen=True)
class Scene:
    """A stack whose next `up` fails, and the outcome of that `up`.

    Attributes:
        stack: the stack, with a key that can only read.
        emulator: its service.
        up: the outcome of an `up` without preview checks, with all failures.
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
    """Return a deployed stack, a service that changed since, and the outcome of an `up` without preview checks."""
    with Emulator() as emulator, encrypted(trustme.CA()) as distrusted:
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
def test_a_preview_reports_on_the_property_what_up_fails_on(scene: Scene, case: str) -> None:
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
    "resource": (
        'first = protect("first", 13)\nprotect("second", "yuki.tanaka@contoso.example", depends_on=[first])\n'
    ),
    "external_id": (
        'first = org("first", "crm-9", "Litware")\norg("second", "crm-9", "Litware", depends_on=[first])\n'
    ),
}


@pytest.mark.parametrize("property_", TWICE)
def test_a_preview_reports_a_second_declaration_as_up_does(stack: Stack, emulator: Emulator, property_: str) -> None:
    stack.write(PROGRAM + TWICE[property_])
    stack.set_environment(DATAPROTECTION_API_KEY=emulator.read_only_key)
    preview = stack.preview()
    assert (True, [property_]) == (preview.failed, re.findall(r"property (\w+) ", preview.messages["second"]))
    assert re.search('declared twice.*"first"', reason(preview, "second"))
    stack.set_environment(DATAPROTECTION_API_KEY=emulator.api_key, DATAPROTECTION_PREVIEW_CHECKS="false")
    assert reason(preview, "second") == reason(stack.up(), "second")


WRONG_AT_ONCE: dict[str, tuple[str, list[str]]] = {
    "values": (
        'Protection("p", tenant_id="a\\nb", resource=5, policy=" ", on_conflict="maybe", on_destroy="burn", profile=7)',
        ["tenant_id", "resource", "policy", "profile", "on_conflict", "on_destroy"],
    ),
    "changes": (
        'org("fabrikam", "crm-7", "Litware", parent_org_id="org-alpine", admin_email="x@y.example")',
        ["external_id", "name", "parent_org_id", "admin_email"],
    ),
}


@pytest.mark.parametrize("case", WRONG_AT_ONCE)
def test_all_mistakes_of_a_resource_are_reported_together_by_property(scene: Scene, case: str) -> None:
    line, properties = WRONG_AT_ONCE[case]
    name = line.split('"')[1]
    scene.stack.write("\n".join([*(kept for kept in PROGRAM.splitlines() if f'org("{name}"' not in kept), line]))
    preview = scene.stack.preview()
    assert (True, properties) == (preview.failed, re.findall(r"property (\w+) ", preview.messages[name]))
    scene.emulator.clear_requests()
    with scene.settings(DATAPROTECTION_API_KEY=None, DATAPROTECTION_PREVIEW_CHECKS="false"):
        up = scene.stack.up()
    assert (preview.messages[name], []) == (up.messages[name], scene.emulator.requests())
