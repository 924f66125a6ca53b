"""Files that are replaced as a whole."""

import os
from contextlib import suppress
from pathlib import Path

__all__ = ["remove_unfinished", "write_whole"]

_UNFINISHED = ".unfinished"


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file. A killed process or a full disk leaves the whole old file or the whole new file.

    Args:
        path: the file. Its folder is created if it does not exist. A link stays, and the file behind it is replaced.
        content: the new content.

    Raises:
        OSError: The file cannot be written; it stays as it was.
    """
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    # Two processes may write the same file.
    beside = target.with_name(f".{target.name[:40]}.{os.getpid()}{_UNFINISHED}")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def remove_unfinished(folder: Path) -> None:
    """Remove the files that killed processes left in a folder and below; no other process may write there."""
    for left in folder.rglob(f".*{_UNFINISHED}"):
        left.unlink(missing_ok=True)
