"""Files of a user that no other user of this machine can read or replace."""

import os
import stat
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

from filelock import FileLock

__all__ = ["SharedFile", "open_privately", "private_folder"]


class SharedFile:
    """A file of a fixed length in a private folder, which all processes of this user change one after the other.

    Args:
        name: its name, which holds no secret.
        length: its length in bytes.
        patience: seconds to wait for another process to release it.

    Attributes:
        path: its path.
    """

    def __init__(self, name: str, length: int, patience: float) -> None:
        self.path = _folder() / name
        self._length = length
        self._patience = patience
        self._lock = FileLock(f"{self.path}.lock", mode=0o600, thread_local=False)

    def read(self) -> bytes:
        """Return the content without waiting for another process; empty if it cannot be read."""
        try:
            _check_private(self.path.parent)
            with self.path.open("rb", buffering=0) as file:
                return file.read(self._length)
        except OSError:
            return b""

    def change(self, change: Callable[[bytes], bytes]) -> None:
        """Replace the content, which no other process or thread changes meanwhile.

        Args:
            change: gets the content, which may be anything, and returns the new content.

        Raises:
            OSError: It cannot be used, or another process did not release it.
            RuntimeError: The same, for the lock's own reasons.
        """
        with self.hold() as file:
            content = change(file.read(self._length))
            file.seek(0)
            # One write of the same length as before: a reader without the lock sees all of it.
            file.write(content)

    @contextmanager
    def hold(self) -> Generator[FileIO]:
        """Open it for reading and writing, and lock it meanwhile; a missing file is created.

        Raises:
            OSError: It cannot be used, or another process did not release it.
            RuntimeError: The same, for the lock's own reasons.
        """
        if not self.path.is_absolute():
            raise FileNotFoundError("the home directory does not exist")
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_private(self.path.parent)
        with (
            self._lock.acquire(timeout=self._patience, poll_interval=0.001),
            open(self.path, "r+b", buffering=0, opener=open_privately) as file,
        ):
            yield file


def private_folder() -> Path:
    """Return a folder for temporary files of this user, and create it if it is missing.

    Raises:
        OSError: it cannot be used, or another user can write to it.
    """
    user = f"-{os.geteuid()}" if os.name == "posix" else ""
    folder = Path(tempfile.gettempdir(), f"pulumi-dataprotection{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    _check_private(folder)
    return folder


def _check_private(folder: Path) -> None:
    """Check that no other user can have written to a folder.

    Raises:
        PermissionError: another user can.
    """
    status = folder.lstat()
    found = (stat.S_ISDIR(status.st_mode), status.st_mode & 0o777)
    # On Windows modes and owners say nothing: a home keeps other users out.
    if os.name == "posix" and (*found, status.st_uid) != (True, 0o700, os.geteuid()):
        raise PermissionError(f"{folder} is not a folder of mode 0700 that belongs to this user")


def open_privately(path: str, flags: int) -> int:
    """Open a file, as `opener` of the built-in function: a new file has the mode 0600."""
    return os.open(path, flags | os.O_CREAT, 0o600)


def _folder() -> Path:
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # Its specification ignores a relative one. Without a home the `~` stays, which no file is written to.
    home = os.path.expanduser("~/.cache")  # noqa: PTH111 - Path's fails without a home
    return (given if given.is_absolute() else Path(home)) / "pulumi-dataprotection" / "budget"
