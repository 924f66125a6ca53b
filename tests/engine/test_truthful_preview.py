"""A preview reports the failures of the next `up`, in the same words, with a key that can only read."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import trustme

from support import Emulator
from support.certificates import encrypted
from support.engine.failures import FAILURES, PROGRAM, program, reason
from support.engine.stack import Outcome, Stack, traceback_in
from support.resources.contoso import BRONZE, protect, user


@dataclass(frozen=True)
class Scene:
    """A stack whose next `up` fails, and the outcome of that `up`.

    Attributes:
        stack: the stack, with a key that can only read.
        up: the outcome of an `up` without preview checks, with all failures.
    """

    stack: Stack
    up: Outcome


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
        yield Scene(stack, up)


def _change_the_service(emulator: Emulator) -> None:
    keys = {"lone": ["read"], "several": ["read"], "blind": []}
    homes = {"org-alpine": "several", "org-harbor": "several", "org-meridian": "blind"}
    emulator.patch(
        {
            "keys": [{"name": name, "key": f"key-{name}", "permissions": may} for name, may in keys.items()],
            "installations": [{"id": f"at-{org}", "key_name": name, "org_id": org} for org, name in homes.items()],
        }
    )
    protect(emulator, BRONZE, user(12))


# The unit tests have the other references, in the check and in a creation.
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


def test_all_impossible_changes_of_a_resource_are_reported_together_by_property(scene: Scene) -> None:
    line = 'org("fabrikam", "crm-7", "Litware", parent_org_id="org-alpine", admin_email="x@y.example")'
    scene.stack.write("\n".join([*(kept for kept in PROGRAM.splitlines() if 'org("fabrikam"' not in kept), line]))
    preview = scene.stack.preview()
    properties = ["external_id", "name", "parent_org_id"]
    message = preview.messages["fabrikam"]
    assert (True, properties) == (preview.failed, re.findall(r"property (\w+) ", message))
    # The engine would print the address beside the name of its property.
    assert (True, False) == ("problem: admin_email: cannot be changed" in message, "x@y.example" in preview.text)
