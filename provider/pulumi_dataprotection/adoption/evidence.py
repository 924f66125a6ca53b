"""The folder `.adopted` of a project: what `dataprotection adopt` wrote, so that an update finds edits by hand."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pulumi_dataprotection._whole_file import write_whole
from pulumi_dataprotection.adoption import snapshot
from pulumi_dataprotection.adoption.snapshot import Snapshot

__all__ = ["Evidence"]


class Evidence:
    """The snapshots of a project.

    Args:
        folder: the folder of the project.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / ".adopted"

    def load(self, key: str) -> Snapshot:
        """Return the snapshot of a tenant by its id, or of another file by its path; an empty snapshot without one.

        Raises:
            DataFileError: The snapshot is broken.
            OSError: The snapshot cannot be read.
        """
        path = self._path(key)
        return snapshot.loads(path.read_bytes(), str(path)) if path.exists() else Snapshot()

    def save(self, key: str, taken: Snapshot) -> None:
        """Replace the snapshot of a tenant by its id, or of another file by its path, if it changed."""
        path, content = self._path(key), taken.dumps().encode()
        if not path.exists() or path.read_bytes() != content:
            write_whole(path, content)

    def _path(self, key: str) -> Path:
        # An id can hold characters that no file name has.
        return self._folder / f"{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.json"
