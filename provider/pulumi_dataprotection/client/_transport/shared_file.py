"""A small file that all processes of a user on this machine read and change, one after the other."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

from filelock import FileLock

from pulumi_dataprotection.client._private_files import check_private, open_privately

__all__ = ["SharedFile"]


class SharedFile:
    """A file of a fixed length in a folder that is this user's alone.

    Args:
        name: its name, which holds no secret.
        length: its bytes.
        patience: seconds to wait for another process to let go of it.

    Attributes:
        path: where it is.
    """

    def __init__(self, name: str, length: int, patience: float) -> None:
        self.path = _folder() / name
        self._length = length
        self._patience = patience
        self._lock = FileLock(f"{self.path}.lock", mode=0o600, thread_local=False)

    def read(self) -> bytes:
        """Return what is in it, without waiting for anybody; nothing where that cannot be read."""
        try:
            check_private(self.path.parent)
            with self.path.open("rb", buffering=0) as file:
                return file.read(self._length)
        except OSError:
            return b""

    def change(self, change: Callable[[bytes], bytes]) -> None:
        """Replace what is in it, which nobody else changes meanwhile; one thread at a time.

        Args:
            change: gets what is in it, which may be anything, and returns what is to be.

        Raises:
            OSError: it cannot be used, or another process did not let go of it.
            RuntimeError: the same, for the lock's own reasons.
        """
        with self.hold() as file:
            content = change(file.read(self._length))
            file.seek(0)
            # One write over what was there, always as long: whoever reads without the lock sees all of it.
            file.write(content)

    @contextmanager
    def hold(self) -> Generator[FileIO]:
        """Open it for reading and writing, and keep all others out meanwhile; it is made where it is not there.

        Raises:
            OSError: it cannot be used, or another process did not let go of it.
            RuntimeError: the same, for the lock's own reasons.
        """
        if not self.path.is_absolute():
            raise FileNotFoundError("there is no home directory")
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_private(self.path.parent)
        with (
            self._lock.acquire(timeout=self._patience, poll_interval=0.001),
            open(self.path, "r+b", buffering=0, opener=open_privately) as file,
        ):
            yield file


def _folder() -> Path:
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # Its specification ignores a relative one. Without a home the `~` stays, which no file is written to.
    home = os.path.expanduser("~/.cache")  # noqa: PTH111 - Path's fails without a home
    return (given if given.is_absolute() else Path(home)) / "pulumi-dataprotection" / "budget"
