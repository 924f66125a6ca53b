"""The evidence of an earlier adoption: what the service had, and what was written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from pydantic import Field, ValidationError

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.references import item_references, policy_references
from pulumi_dataprotection.adoption.yaml_content import DataFileError, FileContent
from pulumi_dataprotection.inventory import TenantContents

__all__ = ["Snapshot", "loads", "of_text", "take"]


class Snapshot(FileContent):
    """The policies of a tenant's members at the last adoption, so that a later one can tell who changed what.

    Attributes:
        digest: the SHA-256 of the text that was written; another text was edited by hand.
        next_digest: the SHA-256 of a text that was about to be written; empty after the end of an update.
        policies: the references of the policies by id.
        members: the reference of each member and the id of its policy, by the id of the item.
    """

    digest: str = ""
    next_digest: str = ""
    policies: dict[str, str] = Field(default_factory=dict[str, str])
    members: dict[str, tuple[str, str]] = Field(default_factory=dict[str, tuple[str, str]])

    def wrote(self, text: str) -> bool:
        """Return whether a file has the text that was written, so that nobody edited it."""
        return _digest(text) in {self.digest, self.next_digest}

    def announcing(self, taken: Snapshot) -> Snapshot:
        """Return the snapshot for the time until a new text is written: the old text and the new text count."""
        return self.model_copy(update={"next_digest": taken.digest})

    def dumps(self) -> str:
        """Return the snapshot as JSON, with a line for each member, so that git can merge branches."""
        announced = f'"next_digest": {json.dumps(self.next_digest)},\n' if self.next_digest else ""
        head = f'{{"digest": {json.dumps(self.digest)},\n{announced}"policies": {json.dumps(self.policies)},\n'
        members = (f"{json.dumps(id)}: {json.dumps(member)}" for id, member in self.members.items())
        return f'{head}"members": {{\n' + ",\n".join(members) + "\n}}\n"


def take(text: str, contents: TenantContents, policy_of: Mapping[str, str]) -> Snapshot:
    """Return the snapshot of an adoption.

    Args:
        text: the text of the data file.
        contents: the tenant's contents.
        policy_of: the id of the policy of each member, by the id of the item.
    """
    items, policies = item_references(contents), policy_references(contents.policies, policy_of.values())
    return Snapshot(
        digest=_digest(text),
        policies={id: policies[id].text for id in sorted({*policy_of.values()})},
        members={id: (items[id].text, policy_of[id]) for id in sorted(policy_of)},
    )


def of_text(text: str) -> Snapshot:
    """Return the snapshot of a file without members."""
    return Snapshot(digest=_digest(text))


def loads(content: bytes, source: str) -> Snapshot:
    """Read a snapshot.

    Args:
        content: the content of the file.
        source: the file, as errors name it.

    Raises:
        DataFileError: The content is not a snapshot.
    """
    try:
        return Snapshot.model_validate_json(content)
    except ValidationError as error:
        cause = printable(error.errors()[0]["msg"])
        raise DataFileError(f"Cannot read {printable(source)}: {cause}. Restore the file.") from None


def _digest(text: str) -> str:
    # Git may change the ends of lines.
    return hashlib.sha256(text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()
