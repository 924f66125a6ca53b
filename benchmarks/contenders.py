"""Ways to put policies on all resources of a tenant, each with the same commands."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from benchmarks.running import Project
from benchmarks.watching import Usage

__all__ = ["PAGE", "Contender", "Policies", "Setup", "Stack", "Step", "our_set"]

PAGE = 500
"""The items of a page, where there is a choice."""

Policies = Mapping[str, str]
"""Policies by resource: ids, where nothing else is said."""

_UP = ("up", "--yes", "--skip-preview")
_COMMANDS = {
    "first up": _UP,
    "second up": _UP,
    "preview": ("preview",),
    "refresh": ("refresh", "--yes", "--skip-preview"),
    "change": _UP,
    "destroy": ("destroy", "--yes", "--skip-preview"),
}

_WANTED = """
import json
from pathlib import Path
wanted = json.loads(Path("wanted.json").read_text())
"""
_SET = """
from pulumi_dataprotection import ProtectionSet
ProtectionSet("all", tenant_id="tenant-0001", assignments=wanted)
"""


class Step(NamedTuple):
    """What is to be done.

    Attributes:
        name: of which kind it is.
        before: the policies that are on.
        after: those that are wanted.
    """

    name: str
    before: Policies
    after: Policies


@dataclass(frozen=True)
class Setup:
    """What all contenders have in common.

    Attributes:
        programs: the folder of the programs of an environment with our package.
        bytecode: keeps what was compiled of modules, so that who comes later need not do it again.
        url: the service's address.
        api_key: its key.
        limit: the seconds that a command may take.
    """

    programs: Path
    bytecode: Path
    url: str
    api_key: str
    limit: float

    @property
    def service(self) -> dict[str, str]:
        """The address and the key, as the rivals take them from their environment."""
        return {"SERVICE_URL": self.url, "SERVICE_KEY": self.api_key}


class Contender(Protocol):
    """Somebody who is measured."""

    @property
    def name(self) -> str:
        """What the table calls it."""
        ...

    @property
    def writes(self) -> bool:
        """Whether it writes to the service at all."""
        ...

    def run(self, step: Step) -> Usage | None:
        """Run a command; return None where there is none that corresponds.

        Raises:
            TooLongError: It took longer than it may.
        """
        ...

    def state(self) -> int | None:
        """Return the size of what it keeps, in bytes of compact JSON; None where it keeps nothing."""
        ...


class Stack:
    """A Pulumi program that reads from a file what is wanted.

    Args:
        name: what the table calls it.
        folder: does not exist yet.
        setup: what all have in common.
        program: the text of the program, after `wanted` was read.
        environment: variables that the program and its provider need.
        spelled: turns policies by resource into what the program reads.
        writes: whether it writes to the service at all.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        setup: Setup,
        program: str,
        environment: Mapping[str, str] | None = None,
        *,
        spelled: Callable[[Policies], Policies] = dict,
        writes: bool = True,
    ) -> None:
        self.name = name
        self.writes = writes
        self._folder = folder
        self._spelled = spelled
        variables = {"PYTHONPYCACHEPREFIX": str(setup.bytecode), **(environment or {})}
        self._project = Project(folder, setup.programs, _WANTED + program, variables, setup.limit)
        self._project.pulumi("stack", "init")

    def run(self, step: Step) -> Usage:
        """Run the engine's command."""
        (self._folder / "wanted.json").write_text(json.dumps(self._spelled(step.after)))
        return self._project.pulumi(*_COMMANDS[step.name])

    def state(self) -> int:
        """Return the size of the entries of dynamic resources."""
        state = json.loads(self._project.pulumi("stack", "export").output)
        entries = [entry for entry in state["deployment"]["resources"] if "dynamic" in entry["type"]]
        return sum(len(json.dumps(entry, separators=(",", ":")).encode()) for entry in entries)


def our_set(name: str, folder: Path, setup: Setup, spelled: Callable[[Policies], Policies]) -> Stack:
    """Return a program with one set; see `Stack` for the arguments."""
    environment = {
        "DATAPROTECTION_BASE_URL": setup.url,
        "DATAPROTECTION_API_KEY": setup.api_key,
        "DATAPROTECTION_CALLS_PER_SECOND": "0",
        "DATAPROTECTION_READ_LAG": "0",
        "DATAPROTECTION_PAGE_SIZE": str(PAGE),
        "XDG_CACHE_HOME": f"{folder}/cache",
    }
    return Stack(name, folder, setup, _SET, environment, spelled=spelled)
