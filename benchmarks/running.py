"""An emulator in a process of its own, and programs that are measured from outside."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

__all__ = ["Project", "control", "install", "run", "running_emulator"]

_ROOT = Path(__file__).parents[1]


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


def install(folder: Path) -> Path:
    """Install the package as its users do: what its developers need beside it makes processes start later.

    Args:
        folder: does not exist yet.

    Returns:
        The folder of the environment's programs.
    """
    uv = shutil.which("uv") or str(_ROOT / ".local/uv/bin/uv")
    environment = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(folder)}
    environment.pop("VIRTUAL_ENV", None)
    sync = [uv, "sync", "--quiet", "--locked", "--no-dev", "--python", sys.executable]
    # The language host asks for it.
    pip = [uv, "pip", "install", "--quiet", "--python", str(folder), "pip>=25"]
    for command in (sync, pip):
        subprocess.run(command, check=True, cwd=_ROOT, env=environment, timeout=600)
    return folder / "bin"


class Project:
    """A Pulumi program in a folder of its own, whose commands are measured.

    Args:
        folder: an empty folder.
        programs: the folder of the Python environment's programs.
        program: the text of the program.
        environment: variables beside those of this process, of which ours are taken away.
    """

    def __init__(self, folder: Path, programs: Path, program: str, environment: Mapping[str, str]) -> None:
        folder.mkdir()
        self._folder = folder
        # Modules are compiled once, as in any installation, wherever this runs.
        taken_away = ("DATAPROTECTION_", "PYTHONDONTWRITEBYTECODE")
        foreign = {name: value for name, value in os.environ.items() if not name.startswith(taken_away)}
        self._environment = {
            **foreign,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(_ROOT),  # the provider of `benchmarks.nothing` is found there
            "PYTHONPYCACHEPREFIX": f"{folder}/bytecode",
            "PULUMI_BACKEND_URL": f"file://{folder}",
            "PULUMI_CONFIG_PASSPHRASE": "",
            "PULUMI_HOME": f"{folder}/home",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            **environment,
        }
        (folder / "Pulumi.yaml").write_text("name: benchmark\nruntime: python\n")
        self.write(program)

    def write(self, program: str) -> None:
        """Replace the program."""
        (self._folder / "__main__.py").write_text(program)

    def pulumi(self, *arguments: str, stack: str = "dev", **variables: str) -> float:
        """Run a command of the engine, and return the seconds that it took.

        Args:
            arguments: the command and its options.
            stack: the stack's name.
            variables: further environment variables.

        Raises:
            RuntimeError: the command failed; the text is what it printed.
        """
        started = time.perf_counter()
        ended = subprocess.run(
            ["pulumi", *arguments, "--stack", stack, "--non-interactive", "--color", "never"],  # noqa: S607 - from PATH
            cwd=self._folder,
            env={**self._environment, **variables},
            check=False,
            capture_output=True,
            text=True,
            timeout=600,
        )
        seconds = time.perf_counter() - started
        if ended.returncode:
            raise RuntimeError(f"pulumi {arguments[0]}: {ended.stdout}{ended.stderr}")
        return seconds
