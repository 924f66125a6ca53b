"""The seed `empty`: one organization and the keys."""

from pulumi_dataprotection.emulator.seeds.keys import keys
from pulumi_dataprotection.emulator.store.document import Document

__all__ = ["empty"]


def empty() -> Document:
    """Return an estate of one organization without anything in it."""
    org = {"id": "org-root", "kind": "distributor", "name": "Root Organization"}
    return {"orgs": [org], **keys(org["id"])}
