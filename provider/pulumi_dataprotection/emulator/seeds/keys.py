"""The two keys of the ready-made seeds."""

from pulumi_dataprotection.emulator.store.document import Record

FULL_KEY = "emulator-full-access-key-4b1d9c"
READ_ONLY_KEY = "emulator-read-only-key-8e2f7a"


def keys(**place: str) -> dict[str, list[Record]]:
    """Return the sections of the two keys, both installed for an `org_id` or a `tenant_id`."""
    return {
        "keys": [
            {"name": "Full access", "key": FULL_KEY, "permissions": ["read", "write", "billing"]},
            {"name": "Read-only", "key": READ_ONLY_KEY, "permissions": ["read", "billing"]},
        ],
        "installations": [
            {"id": "installation-1", "key_name": "Full access", **place},
            {"id": "installation-2", "key_name": "Read-only", **place},
        ],
    }
