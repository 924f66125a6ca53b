"""An emulator in a process of its own, and programs that are measured from outside."""

import json
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

__all__ = ["control", "run", "running_emulator"]


@contextmanager
def running_emulator(*options: str) -> Generator[dict[str, str]]:
    """Run `dataprotection emulator serve` with options; gives what it says: `url`, `api_key`, `pid`."""
    command = [str(Path(sys.executable).with_name("dataprotection")), "emulator", "serve", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()


def control(url: str, method: str, name: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
    """Ask an emulator's control plane."""
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{url}/_emulator/{name}", data, method=method), timeout=60) as response:  # noqa: S310 - ours
        return json.load(response)


def run(program: str, environment: Mapping[str, str] | None = None) -> str:
    """Run a Python program, and return what it prints."""
    return subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=600, env=environment
    ).stdout
