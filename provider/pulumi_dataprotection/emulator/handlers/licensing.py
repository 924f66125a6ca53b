"""Subscriptions and their history: operations 6 and 7."""

from datetime import datetime, timedelta

from pulumi_dataprotection.emulator._errors import InvalidArgument
from pulumi_dataprotection.emulator._times import format_time, parse_time
from pulumi_dataprotection.emulator.handlers._handler import by_switch, each_item, fields, handler
from pulumi_dataprotection.emulator.handlers._pages import page
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Row, Store

_DAY = timedelta(days=1)
_LONGEST = timedelta(days=40)
_USUAL = timedelta(days=30)
_LAG = timedelta(hours=1)

# Cents per unit and day.
_PRICE = 10
_INT64_MAX = 2**63 - 1

_with_quantity = fields("id org_id tenant_id kind plan status quantity started_at")
_with_number = fields("subscription_id=id tenant_id quantity")
_record = fields("tenant_id quantity=qty start end")
_shape = by_switch(
    "subscription_fields",
    {
        "published": fields("id status expires tenant_id items"),
        "plain": lambda subscription: {**_with_quantity(subscription), "quantity": str(subscription["quantity"])},
        "prefixed": _with_number,
        "bare": fields("tenant_id plan"),
    },
)


def _records(history: Payload) -> Payload:
    return {"items": [{"subscription_id": item["sub_id"], **_record(item)} for item in history["items"]]}


def _records_by_subscription(history: Payload) -> Payload:
    records: dict[str, list[Payload]] = {}
    for item in history["items"]:
        records.setdefault(item["sub_id"], []).append(_record(item))
    return {"subscriptions": [{"subscription_id": id, "records": found} for id, found in records.items()]}


@handler("SubscriptionsPage", shape=each_item(_shape))
def list_subscriptions(request: Request, store: Store) -> Payload:
    """List the subscriptions of an organization's tenants (operation 6)."""

    def view(row: Row) -> Payload:
        items = store.all("SELECT * FROM subscription_items WHERE subscription_id = ? ORDER BY kind", (row["id"],))
        shown = [_item(item) for item in items]
        return {**dict(row), "items": shown, "quantity": shown[0]["qty"] if shown else 0}

    return page(
        request,
        store,
        """
        SELECT subscriptions.*, org_id FROM subscriptions JOIN tenants ON tenants.id = tenant_id
        WHERE org_id = :org_id
        """,
        view,
    )


@handler(
    "SubscriptionHistory",
    shape=by_switch("subscription_history", {"plain": _records, "nested": _records_by_subscription}),
)
def get_subscription_history(request: Request, store: Store) -> Payload:
    """Read which quantities an organization's post-pay subscriptions had in a period (operation 7)."""
    start, end = _window(request)
    periods = store.all(
        """
        SELECT * FROM (
            SELECT subscription_id AS sub_id, tenant_id, history.kind, qty, start,
                lead(start) OVER (PARTITION BY subscription_id, history.kind ORDER BY start) AS "end"
            FROM subscription_history AS history
            JOIN subscriptions ON subscriptions.id = subscription_id
            JOIN tenants ON tenants.id = tenant_id
            WHERE org_id = :org_id AND subscriptions.kind = 'post_pay'
        )
        WHERE start < :end AND ("end" IS NULL OR "end" > :start)
        ORDER BY sub_id, kind, start
        """,
        {"org_id": request.path["org_id"], "start": format_time(start), "end": format_time(end)},
    )
    return {"items": [_period(row, format_time(start), format_time(end)) for row in periods]}


def _window(request: Request) -> tuple[datetime, datetime]:
    end = request.time("end") or request.now - _LAG
    try:
        start = request.time("start") or end - _USUAL
    except OverflowError:
        raise InvalidArgument('nothing is known from before "end"') from None
    if end > request.now - _LAG:
        raise InvalidArgument('"end" must be at least one hour before the current time')
    if not _DAY <= end - start <= _LONGEST:
        raise InvalidArgument('the time from "start" to "end" must be 1 to 40 days')
    return start, end


def _item(row: Row) -> Payload:
    return {
        "kind": row["kind"],
        "qty": int(row["qty"]),
        "auto_license": bool(row["auto_license"]),
        "auto_license_max": int(row["auto_license_max"]),
    }


def _period(row: Row, start: str, end: str) -> Payload:
    first, last = max(row["start"], start), min(row["end"] or end, end)
    days = (parse_time(last) - parse_time(first)) / _DAY
    amount = min(round(int(row["qty"]) * days * _PRICE), _INT64_MAX)
    return {**dict(row), "start": first, "end": last, "amount": amount}
