"""The places of states: the stacks of projects, read with the `pulumi` command, and files."""

from __future__ import annotations

import functools
import glob as globbing
import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import cast

from pulumi_dataprotection.inventory.pulumi_command import PulumiError, run_pulumi
from pulumi_dataprotection.inventory.state_file import parse_state
from pulumi_dataprotection.inventory.states import StackState

__all__ = ["StateSelection", "read_states"]

_SUFFIXES = (".json", ".json.gz")
_STACKS = (".pulumi/stacks", "stacks")
"""The folder with states in the folder of a backend that keeps files; beside it are older states."""

_READERS = 4
"""The states that are read at the same time: each export is a process."""


@dataclass(frozen=True, slots=True)
class StateSelection:
    """The states that a command reads.

    Attributes:
        projects: the folders of the projects whose stacks are read.
        files: files with states, globs, or folders, also the folder of a backend that keeps files.
        stacks: globs; the stacks with a name that matches one of them are read.
    """

    projects: Sequence[Path] = ()
    files: Sequence[str] = ()
    stacks: Sequence[str] = ("*",)


_Sources = dict[tuple[str, ...], Callable[[], StackState]]
"""The function that reads a state, by the place of the state."""


def read_states(
    selection: StateSelection, progress: Callable[[int, int], None] = lambda _done, _all: None
) -> Iterator[StackState]:
    """Read the states of stacks, several at a time.

    Args:
        selection: the states.
        progress: gets the number of states that are read, and the number of all states.

    Yields:
        Each state. A state that cannot be read has a problem, and so has a project that cannot be read or has no
        stacks, a path without a file, and a glob without a stack.
    """
    sources: _Sources = {}
    problems: list[StackState] = []
    for folder in selection.projects:
        found = _in_project(folder, selection.stacks)
        if isinstance(found, StackState):
            problems.append(found)
        else:
            sources |= found
    for path in selection.files:
        files = _files(path)
        sources |= {(os.path.realpath(file),): functools.partial(_read_file, file) for file in files}
        problems += [] if files else [StackState(path, path, problem="no file with a state was found")]
    unmatched = {*selection.stacks}
    pool = ThreadPoolExecutor(_READERS)
    try:
        futures = [pool.submit(read) for read in sources.values()]
        for done, future in enumerate(futures, 1):
            state = future.result()
            progress(done, len(futures))
            matching = {glob for glob in selection.stacks if _matches(state.name, glob)}
            unmatched -= matching
            if matching or state.problem:
                yield state
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    yield from problems
    if not problems:
        yield from (StackState(name, name, problem="no stack has such a name") for name in sorted(unmatched))


def _in_project(folder: Path, globs: Sequence[str]) -> _Sources | StackState:
    """Find the stacks of a project; return a state with a problem if they cannot be listed."""
    name = str(folder)
    try:
        stacks = cast("list[dict[str, str]]", json.loads(run_pulumi(folder, "stack", "ls", "--json")))
        names = [stack["name"] for stack in stacks]
    except PulumiError as error:
        return StackState(name, name, problem=f"its stacks cannot be listed: {error}")
    except (ValueError, TypeError, KeyError):
        return StackState(name, name, problem="`pulumi stack ls --json` did not answer with a list of stacks")
    if not names:
        return StackState(name, name, problem="the project has no stacks")
    return {
        (os.path.realpath(folder), stack): functools.partial(_export, folder, stack)
        for stack in names
        if any(_matches(stack, glob) for glob in globs)
    }


def _export(folder: Path, stack: str) -> StackState:
    """Export the state of a stack; decrypt it only if a comparison needs that and the passphrase is there."""
    command, source = ("stack", "export", f"--stack={stack}"), str(folder)
    try:
        state = parse_state(run_pulumi(folder, *command).encode(), stack, source)
        if any(resource.hidden for resource in state.resources):
            # Without the passphrase, only the resources that need the secrets are missing.
            with suppress(PulumiError):
                state = parse_state(run_pulumi(folder, *command, "--show-secrets").encode(), stack, source)
    except PulumiError as error:
        return StackState(stack, source, problem=str(error))
    return replace(state, name=stack)


def _files(path: str) -> list[Path]:
    """Return the files that a path or a glob means; of a folder, the files with states in it and in its folders."""
    matching = sorted(globbing.glob(path, recursive=True))  # noqa: PTH207 - a glob may be absolute
    found = [Path(path)] if Path(path).exists() else [*map(Path, matching)]
    files: list[Path] = []
    for each in found:
        if not each.is_dir():
            files.append(each)
            continue
        stacks = next((each / name for name in _STACKS if (each / name).is_dir()), each)
        inside = [file for depth in ("*", "*/*") for file in sorted(stacks.glob(depth))]
        files += [file for file in inside if file.name.endswith(_SUFFIXES) and file.is_file()]
    return files


def _read_file(path: Path) -> StackState:
    name = path.name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    try:
        return parse_state(path.read_bytes(), name, str(path))
    except OSError as error:
        return StackState(name, str(path), problem=str(error.strerror or error))


def _matches(name: str, glob: str) -> bool:
    """Return whether a glob means a stack; a backend may name the organization in front of the stack."""
    return fnmatchcase(name, glob) or fnmatchcase(name.rsplit("/", 1)[-1], glob)
