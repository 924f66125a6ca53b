"""An emulator in a process of its own, and programs that are measured from outside."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.watching import Usage, watch
from pulumi_dataprotection.testing._project import pulumi_variables, write_program

__all__ = ["Project", "compiling", "install", "run", "running_emulator", "sizes"]

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


def run(program: str, environment: Mapping[str, str] | None = None) -> str:
    """Run a Python program, and return what it prints."""
    return subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=600, env=environment
    ).stdout


def sizes(*usual: int) -> tuple[int, ...]:
    """Return the sizes to measure: those of BENCHMARK_SIZES, where that is set, else the usual ones."""
    asked = os.environ.get("BENCHMARK_SIZES")
    return tuple(int(size) for size in asked.split(",")) if asked else usual


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


def compiling(folder: Path) -> dict[str, str]:
    """Return this process's environment, without settings of ours; modules are compiled once, as in any installation.

    Args:
        folder: keeps what was compiled.
    """
    taken_away = ("DATAPROTECTION_", "PYTHONDONTWRITEBYTECODE")
    foreign = {name: value for name, value in os.environ.items() if not name.startswith(taken_away)}
    return {**foreign, "PYTHONPYCACHEPREFIX": str(folder)}


class Project:
    """A Pulumi program in a folder of its own, whose commands are measured.

    Args:
        folder: an empty folder.
        programs: the folder of the Python environment's programs.
        program: the text of the program.
        environment: variables beside those of this process, of which ours are taken away.
        limit: the seconds that a command may take.
    """

    def __init__(
        self, folder: Path, programs: Path, program: str, environment: Mapping[str, str], limit: float = 600
    ) -> None:
        folder.mkdir()
        self._folder = folder
        self._limit = limit
        self._environment = {
            **compiling(folder / "bytecode"),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(_ROOT),  # the provider of `benchmarks.nothing` is found there
            **pulumi_variables(folder, folder / "home"),
            **environment,
        }
        (folder / "Pulumi.yaml").write_text("name: benchmark\nruntime: python\n")
        self.write(program)

    def write(self, program: str) -> None:
        """Replace the program."""
        write_program(program, self._folder)

    def pulumi(self, *arguments: str, stack: str = "dev", **variables: str) -> Usage:
        """Run a command of the engine, and return what it took.

        Args:
            arguments: the command and its options.
            stack: the stack's name.
            variables: further environment variables.

        Raises:
            RuntimeError: the command failed; the text is what it printed.
            TooLongError: the command took longer.
        """
        return self.run("pulumi", *arguments, "--stack", stack, "--non-interactive", "--color", "never", **variables)

    def run(self, *command: str, **variables: str) -> Usage:
        """Run any command in the folder of the program; arguments and errors as with `pulumi`."""
        return watch(command, folder=self._folder, environment={**self._environment, **variables}, limit=self._limit)
