"""What tests of all parts share: a running emulator that tells what was asked of it."""

from typing import Any

from pulumi_dataprotection.testing import Emulator as PublicEmulator

SEEN_OPERATIONS: set[str] = set()
"""The ids of the operations that were asked of any emulator of this session."""


class Emulator(PublicEmulator):
    """The emulator of the plugin; what it was asked for is noted in `SEEN_OPERATIONS`."""

    def close(self) -> None:
        """Stop the server."""
        self.note_operations()
        super().close()

    def clear_requests(self) -> None:
        """Forget the requests so far."""
        self.note_operations()
        super().clear_requests()

    def note_operations(self) -> None:
        """Add the operations that were asked for to `SEEN_OPERATIONS`."""
        SEEN_OPERATIONS.update(request["operation"] for request in self.requests() if request["operation"])

    def requests(self) -> list[Any]:
        """Return the requests since they were cleared; our tests know which fields each of them has."""
        return list[Any](super().requests())

    def writes(self) -> list[Any]:
        """Return those that were no reading."""
        return list[Any](super().writes())

    def state(self) -> dict[str, list[dict[str, Any]]]:
        """Return all content, by table; our tests know the types of its fields."""
        return super().state()
