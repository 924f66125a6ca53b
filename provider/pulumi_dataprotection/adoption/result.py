"""The result of an adoption, for one tenant and for the whole estate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pulumi_dataprotection.adoption.estate import Estate, TenantPlace
from pulumi_dataprotection.adoption.members import Entry
from pulumi_dataprotection.adoption.proof import Proof
from pulumi_dataprotection.adoption.snapshot import Snapshot
from pulumi_dataprotection.inventory import Report

__all__ = ["Result", "TenantResult", "Unread", "noting"]


@dataclass(frozen=True, slots=True)
class TenantResult:
    """The result for one tenant.

    Attributes:
        text: the data file; empty if nothing is to adopt.
        entries: the items in the report, by the kinds of `KINDS`.
        proof: the preview of the data file.
        snapshot: the evidence for an update.
    """

    text: str
    entries: Mapping[str, Sequence[Entry]]
    proof: Proof
    snapshot: Snapshot = field(default_factory=Snapshot)


@dataclass(frozen=True, slots=True)
class Unread:
    """A tenant or an organization that could not be read, and the reason."""

    what: str
    reason: str


def noting(unread: list[Unread], report: Report) -> Report:
    """Return a function that shows what is left out, and adds it to a list."""

    def note(what: str, error: object) -> None:
        unread.append(Unread(what, str(error)))
        report(what, error)

    return note


@dataclass(frozen=True, slots=True)
class Result:
    """The result for the whole estate.

    Attributes:
        estate: the estate.
        tenants: the tenants that were read, with their results.
        orgs: the preview of the organizations.
        unread: the tenants and organizations that could not be read.
    """

    estate: Estate
    tenants: Sequence[tuple[TenantPlace, TenantResult]]
    orgs: Proof
    unread: Sequence[Unread]

    @property
    def sets(self) -> Proof:
        """The preview of all sets."""
        return Proof.total(result.proof.at(f"{place.customer}/{place.slug}") for place, result in self.tenants)
