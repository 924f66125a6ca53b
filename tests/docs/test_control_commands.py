"""The commands of the documents that drive the emulator."""

import re
import shlex

import httpx
import pytest

from support import HANG, Emulator
from support.emulator.cases import assigning, send
from support.pages import DOCS, blocks

COMMANDS = [
    line
    for name in ("emulator", "faults", "dialects")
    for block in blocks(f"{name}.md", "sh")
    for line in block.splitlines()
    if line.startswith("curl ")
]
"""The commands of the documents that call the control plane."""


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


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_works(emulator: Emulator, command: str) -> None:
    response = run(emulator, command)
    assert 200 == response.status_code, response.text


def test_the_licences_of_the_recipe_are_used_up_until_licensing_is_automatic(emulator: Emulator) -> None:
    _, recipe = (DOCS / "emulator.md").read_text(encoding="utf-8").split("\n## A used-up licence\n")
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
