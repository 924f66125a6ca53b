"""The folder beside the project in which a run collects its results, so that a later run goes on with them."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from pulumi_dataprotection._whole_file import write_whole
from pulumi_dataprotection.adoption.result import TenantResult

__all__ = ["Staging", "StagingError", "exclusive", "open_staging"]

_RESULT = TypeAdapter(TenantResult)

_MAX_AGE = 24 * 60 * 60
"""The seconds for which a result counts: the tenant may change."""


class StagingError(Exception):
    """The folder of the project cannot be written; the text says why."""


@contextmanager
def exclusive(out: Path) -> Generator[None]:
    """Keep other processes from writing a project.

    Args:
        out: the folder of the project.

    Raises:
        StagingError: Another process is writing the project.
    """
    out = out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(out.with_name(f".{out.name}.adopting.lock"), blocking=False)
    try:
        lock.acquire()
    except Timeout:
        raise StagingError(f"Cannot write {out}: another process is writing it. Wait for its end.") from None
    try:
        yield
    finally:
        # Before the release: a process that waits for this file must not share the project with one that makes another.
        # Windows removes the file at the release.
        with suppress(OSError):
            Path(lock.lock_file).unlink()
        lock.release()


@contextmanager
def open_staging(out: Path, fingerprint: str) -> Generator[Staging]:
    """Open the folder of a run, which no other process has meanwhile.

    Args:
        out: the folder of the project.
        fingerprint: the service and the options: results of a run with another fingerprint are dropped.

    Raises:
        StagingError: The folder of the project cannot be written.
        OSError: The folder of the run cannot be written.
    """
    out = out.resolve()
    if out == Path.cwd():
        # The shell would keep the folder that is renamed away.
        raise StagingError("Cannot write into the current folder. Choose a folder that does not exist.")
    with exclusive(out):
        if out.exists() and any(out.iterdir()):
            raise StagingError(f"Cannot write {out}: it is not empty. Choose a folder that does not exist.")
        yield Staging(out, fingerprint)


class Staging:
    """The unfinished project: only `publish` makes a folder for the user, by a single renaming.

    Args:
        out: the folder of the project.
        fingerprint: as in `open_staging`.
    """

    def __init__(self, out: Path, fingerprint: str) -> None:
        self._out = out
        self._folder = out.with_name(f".{out.name}.adopting")
        self._results = self._folder / hashlib.sha256(fingerprint.encode()).hexdigest()
        if not self._results.is_dir():
            shutil.rmtree(self._folder, ignore_errors=True)
            self._results.mkdir(parents=True)

    def load(self, tenant_id: str) -> TenantResult | None:
        """Return the result of an earlier run for a tenant; None without one."""
        path = self._path(tenant_id)
        try:
            return _RESULT.validate_json(path.read_bytes()) if time.time() - path.stat().st_mtime < _MAX_AGE else None
        except (FileNotFoundError, ValidationError):
            return None

    def save(self, tenant_id: str, result: TenantResult) -> None:
        """Keep the result for a tenant. A killed process leaves the whole result or none."""
        write_whole(self._path(tenant_id), _RESULT.dump_json(result))

    def publish(self, write: Callable[[Path], None]) -> None:
        """Write the project, rename it to the folder of the user, and forget the results.

        Args:
            write: writes the project into a folder that exists.
        """
        project = self._folder / "project"
        shutil.rmtree(project, ignore_errors=True)
        project.mkdir()
        write(project)
        if self._out.exists():
            # Windows does not rename a folder to an empty folder.
            self._out.rmdir()
        project.rename(self._out)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _path(self, tenant_id: str) -> Path:
        return self._results / f"{hashlib.sha256(tenant_id.encode()).hexdigest()}.json"
