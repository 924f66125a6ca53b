"""Files that no other user of this machine can read or replace."""

import os
import stat
import tempfile
from pathlib import Path

__all__ = ["check_private", "open_privately", "private_folder"]


def private_folder() -> Path:
    """Return a folder for temporary files of this user, and create it if it is missing.

    Raises:
        OSError: it cannot be used, or another user can write to it.
    """
    user = f"-{os.geteuid()}" if os.name == "posix" else ""
    folder = Path(tempfile.gettempdir(), f"pulumi-dataprotection{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    check_private(folder)
    return folder


def check_private(folder: Path) -> None:
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
