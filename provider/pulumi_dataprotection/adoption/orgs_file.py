"""The data file of the organizations: `orgs.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import Field

from pulumi_dataprotection.adoption.yaml_content import FileContent, Text, load
from pulumi_dataprotection.adoption.yaml_text import comment, scalar

__all__ = ["DeclaredOrg", "OrgsFile", "dumps", "loads"]


class DeclaredOrg(FileContent):
    """An organization that a program declares.

    Attributes:
        external_id: its identity in another system.
        name: its name.
        parent_org_id: the organization above it.
    """

    external_id: Text
    name: Text
    parent_org_id: Text


class OrgsFile(FileContent):
    """The organizations of a program.

    Attributes:
        declared: the organizations to declare, by the names of their resources.
        by_id: the ids of the organizations to look up, by the same kind of name.
    """

    declared: dict[Text, DeclaredOrg] = Field(default_factory=dict[str, DeclaredOrg])
    by_id: dict[Text, Text] = Field(default_factory=dict[str, str])


def dumps(orgs: OrgsFile, names: Mapping[str, str | None]) -> str:
    """Return the text of the file.

    Args:
        orgs: the content.
        names: the names of organizations by their ids, for comments.
    """
    return "".join(f"{line}\n" for line in _lines(orgs, names))


def loads(text: str, source: str) -> OrgsFile:
    """Read the text of the file.

    Args:
        text: the content of the file.
        source: the file, as errors name it.

    Raises:
        DataFileError: The text is not the content of such a file; the error names the line.
    """
    return load(text, source, OrgsFile)


def _lines(orgs: OrgsFile, names: Mapping[str, str | None]) -> Iterator[str]:
    yield comment("Each of these is an Org, which adopts the organization with this external_id and name.")
    yield "declared:" if orgs.declared else "declared: {}"
    for slug, org in sorted(orgs.declared.items()):
        yield f"  {scalar(slug)}:"
        yield from (f"    {field}: {scalar(value)}" for field, value in org.model_dump().items())
    yield comment("The program looks these up, because an Org needs an external_id. The report has the reasons.")
    yield "by_id:" if orgs.by_id else "by_id: {}"
    for slug, id in sorted(orgs.by_id.items()):
        name = names.get(id)
        yield f"  {scalar(slug)}: {scalar(id)}" + (f"  {comment(name)}" if name else "")
