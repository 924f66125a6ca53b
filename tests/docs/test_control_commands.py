"""The commands of the documents that drive the emulator."""

import re
import shlex
from collections.abc import Iterator

import httpx
import pytest

from support import HANG, ROOT, Emulator
from support.emulator.cases import assigning, send

NAMES = ("emulator", "faults", "dialects")
TEXTS = {name: (ROOT / f"docs/{name}.md").read_text(encoding="utf-8") for name in NAMES}


def commands(name: str) -> Iterator[str]:
    """Yield the commands of a document that call the control plane."""
    for block in re.findall(r"^```sh\n(.*?)^```$", TEXTS[name], re.DOTALL | re.MULTILINE):
        yield from (line for line in block.splitlines() if line.startswith("curl "))


def run(emulator: Emulator, command: str) -> httpx.Response:
    """Send what curl would send; only the options of the documents are known."""
    words = iter(shlex.split(command.replace("$URL", emulator.url), comments=True)[1:])
    url, method, content = "", "", None
    for word in words:
        match word:
            case "-s":
                pass
            case "-X":
                method = next(words)
            case "--json":
                content = next(words)
            case _:
                assert not word.startswith("-"), f"{word}: the control plane takes JSON only, so use --json"
                url = word
    headers = {} if content is None else {"Content-Type": "application/json"}
    method = method or ("GET" if content is None else "POST")
    return httpx.request(method, url, content=content, headers=headers, timeout=HANG)


@pytest.mark.parametrize("command", [command for name in NAMES for command in commands(name)])
def test_a_command_works(emulator: Emulator, command: str) -> None:
    response = run(emulator, command)
    assert 200 == response.status_code, response.text


def test_the_licences_of_the_recipe_are_used_up_until_licensing_is_automatic(emulator: Emulator) -> None:
    _, recipe = TEXTS["emulator"].split("\n## A used-up licence\n")
    dialect, count, automatic = (line for line in recipe.splitlines() if line.startswith("curl "))
    (refusal,) = re.findall(r"# (403: .*)", recipe)
    with httpx.Client(base_url=f"{emulator.url}/api/v1/", headers={"Authorization": emulator.api_key}) as service:

        def protect() -> tuple[int, str]:
            response = send(service, assigning("res-contoso-user-20", "policy-contoso-gold"))
            return response.status_code, response.json().get("message", "")

        for command in (dialect, count):
            run(emulator, command)
        status, message = protect()
        assert refusal == f"{status}: {message}"
        run(emulator, automatic)
        assert 200 == protect()[0]
