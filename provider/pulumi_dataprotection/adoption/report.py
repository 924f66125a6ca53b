"""The report of an adoption: the items and organizations that are left out, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from pulumi_dataprotection._markdown import as_code
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.members import KINDS, Entry
from pulumi_dataprotection.adoption.proof import Proof
from pulumi_dataprotection.adoption.result import Result

__all__ = ["as_json", "as_markdown", "columns", "proof_fields", "rows", "summary"]

_MAX_LISTED = 20
"""The items of a kind that the report for people lists."""

_EXPLAINED = {
    "by_id": "Adopted by id: other items have the name, too, or the name is not readable",
    "unprotected": "Not protected: no policy is on them",
    "archived": "Left out: archived, but still with a policy. Nothing backs them up any more",
    "several_policies": "Left out: several policies are on them. Remove all but one in the portal",
    "unknown_policy": "Left out: the tenant does not list their policy",
    "gone": "Left out: their items do not exist any more",
}


def summary(orgs: Proof, sets: Proof) -> str:
    """Return the last line of a run.

    Args:
        orgs: the preview of the organizations.
        sets: the preview of the sets.
    """
    both = Proof.total([orgs, sets])
    parts = f"protections: {sets.adopt:,}, organizations: {orgs.adopt:,}"
    return f"{both.adopt:,} to adopt, {both.write:,} to write ({parts})"


def proof_fields(orgs: Proof, sets: Proof) -> dict[str, object]:
    """Return the summary for programs; arguments as in `summary`."""
    both = Proof.total([orgs, sets])
    return {
        "to_adopt": both.adopt,
        "to_write": both.write,
        "organizations_to_adopt": orgs.adopt,
        "problems": both.problems,
    }


def columns(result: Result) -> dict[str, str]:
    """Return the headings of the table, without columns in which nothing would stand."""
    used = {kind for _, tenant in result.tenants for kind in tenant.entries}
    kinds = {kind: heading for kind, heading in KINDS.items() if kind in used}
    return {"customer": "customer", "tenant": "tenant", "to_adopt": "to adopt", **kinds}


def rows(result: Result) -> Iterator[dict[str, str]]:
    """Yield the rows of the table."""
    for place, tenant in result.tenants:
        counts = {kind: f"{len(entries):,}" for kind, entries in tenant.entries.items()}
        yield {"customer": place.customer, "tenant": place.slug, "to_adopt": f"{tenant.proof.adopt:,}", **counts}


def as_json(result: Result) -> str:
    """Return the report for programs, with the texts as the service has them."""
    tenants = [
        {
            "customer": place.customer,
            "tenant": place.slug,
            "tenant_id": place.tenant.id,
            "tenant_name": place.tenant.name,
            "to_adopt": tenant.proof.adopt,
            "to_write": tenant.proof.write,
            **{kind: [_fields(entry) for entry in tenant.entries.get(kind, ())] for kind in KINDS},
        }
        for place, tenant in result.tenants
    ]
    orgs = [
        {"name": slug, "org_id": result.estate.orgs.by_id[slug], "reason": reason}
        for slug, reason in result.estate.by_id.items()
    ]
    content = {
        **proof_fields(result.orgs, result.sets),
        "unread": [{"what": unread.what, "reason": unread.reason} for unread in result.unread],
        "organizations_by_id": orgs,
        "tenants": tenants,
    }
    return json.dumps(content, indent=2) + "\n"


def as_markdown(result: Result) -> str:
    """Return the report for people."""
    return "".join(f"{line}\n" for line in _lines(result))


def _lines(result: Result) -> Iterator[str]:
    yield from ("# Report of the adoption", "", f"{summary(result.orgs, result.sets)}.", "")
    headings = columns(result)
    yield from (f"| {' | '.join(headings.values())} |", f"|{'---|' * len(headings)}")
    for row in rows(result):
        yield f"| {' | '.join(row.get(name, '') for name in headings)} |"
    yield from _section("Differences", [_code(problem) for problem in [*result.orgs.problems, *result.sets.problems]])
    yield from _section("Not readable", [f"{_code(unread.what)}: {_code(unread.reason)}" for unread in result.unread])
    by_id = result.estate.by_id.items()
    yield from _section("Organizations that are looked up by id", [f"{slug}: {reason}" for slug, reason in by_id])
    for place, tenant in result.tenants:
        if tenant.entries:
            yield from ("", f"## {place.customer}/{place.slug}")
        for kind, entries in tenant.entries.items():
            yield from ("", f"{_EXPLAINED[kind]} ({len(entries):,}).", "")
            yield from (f"- {_item(entry)}" for entry in entries[:_MAX_LISTED])
            if len(entries) > _MAX_LISTED:
                yield f"- and {len(entries) - _MAX_LISTED:,} more, in `report.json`"


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"## {title}", "", *(f"- {line}" for line in lines))


def _item(entry: Entry) -> str:
    name = _code(entry.name) if entry.name else "without a name"
    policies = f": {', '.join(map(_code, entry.policies))}" if entry.policies else ""
    return f"{name} ({_code(entry.id)}){policies}"


def _code(text: str) -> str:
    return as_code(printable(" ".join(text.split())))


def _fields(entry: Entry) -> Mapping[str, object]:
    return {"id": entry.id, "name": entry.name, "policies": [*entry.policies]}
