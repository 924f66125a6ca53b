"""Reports that no service has to make."""

from dataclasses import replace

from pulumi_dataprotection.fleet.report.model import Report
from pulumi_dataprotection.fleet.report.parts import Customer, Kind, Licence, Point, Stack, Tasks

__all__ = ["customer", "full_report", "kind", "report"]

LONG = "a-rather-long-name-of-a-user-number-{}@customer-{}.example"


def kind(count: int, protected: int, *, by_code: int = 0, excluded: int = 0, archived: int = 0) -> Kind:
    """Return the coverage of people."""
    return Kind(
        kind="office_user",
        count=count,
        by_code=by_code,
        in_portal=protected - by_code,
        excluded=excluded,
        archived_protected=archived,
    )


def customer(number: int, name: str | None = None, **fields: object) -> Customer:
    """Return a customer with 20 people, of whom some have a policy."""
    plain = Customer(
        tenant_id=f"tenant-{number:04}",
        tenant_name=f"Customer {number}" if name is None else name,
        org_id=f"org-{number:04}",
        org_name=f"Organization {number}",
        kinds=[kind(20, number % 21, by_code=number % 21 // 2)],
        stacks=[f"stack-{number}"],
        unprotected=[LONG.format(person, number) for person in range(20 - number % 21)],
        licences=[
            Licence(kind="resource", used=number % 21, limit=20, units="", exceeded=False, unlimited=False),
            Licence(kind="storage", used=71, limit=2**32 - 1, units="GB", exceeded=False, unlimited=True),
        ],
        tasks=Tasks(done=100, warnings=2, failed=number % 4),
    )
    return replace(plain, **fields)  # type: ignore[arg-type]  # fields of a customer


def report(*customers: Customer, **fields: object) -> Report:
    """Return a report of these customers."""
    plain = Report(
        created_at="2026-11-29T04:00:00Z",
        scope="",
        days=7,
        with_states=True,
        anonymous=False,
        customers=customers,
    )
    return replace(plain, **fields)  # type: ignore[arg-type]  # fields of a report


def full_report(count: int) -> Report:
    """Return a report of many customers with all parts."""
    points = [Point(at=f"2026-{month:02}-01T04:00:00Z", count=100, protected=80 + month, failed=2) for month in (9, 10)]
    unreadable = customer(count, kinds=None, unprotected=(), licences=None, tasks=None, problems=["403 forbidden"])
    return report(
        *(customer(number) for number in range(count - 1)),
        unreadable,
        unseen=["the organizations below org-1: 403 forbidden"],
        ended_early="cannot list the resources: 503",
        stacks=[
            Stack(name="north", counts={"in step": 3}, is_drift=False),
            Stack(name="south", counts={"in step": 1, "bare": 2}, is_drift=True, findings=["bare: jane"]),
        ],
        history=points,
        since=points[-1].at,
    )
