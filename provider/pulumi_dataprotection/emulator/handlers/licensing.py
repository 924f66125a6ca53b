"""Subscriptions and their history: operations 6 and 7."""

from datetime import datetime, timedelta

from pulumi_dataprotection.emulator._errors import InvalidArgument
from pulumi_dataprotection.emulator._times import format_time
from pulumi_dataprotection.emulator.handlers._handler import by_switch, each_item, fields, handler
from pulumi_dataprotection.emulator.handlers._pages import page
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Row, Store

_SHORTEST = timedelta(days=1)
_LONGEST = timedelta(days=40)
_USUAL = timedelta(days=30)
_LAG = timedelta(hours=1)

_view = fields("id org_id tenant_id kind plan status quantity started_at")


def _with_number(subscription: Payload) -> Payload:
    return {
        "subscription_id": subscription["id"],
        "tenant_id": subscription["tenant_id"],
        "quantity": int(subscription["quantity"]),
    }


def _records_by_subscription(history: Payload) -> Payload:
    records: dict[str, list[Payload]] = {}
    for item in history["items"]:
        record = {name: value for name, value in item.items() if name != "subscription_id"}
        records.setdefault(item["subscription_id"], []).append(record)
    return {"subscriptions": [{"subscription_id": id, "records": found} for id, found in records.items()]}


@handler(
    "SubscriptionsPage",
    shape=each_item(by_switch("subscription_fields", {"bare": fields("tenant_id plan"), "prefixed": _with_number})),
)
def list_subscriptions(request: Request, store: Store) -> Payload:
    """List the subscriptions of an organization's tenants (operation 6)."""
    return page(
        request,
        store,
        """
        SELECT subscriptions.*, org_id FROM subscriptions JOIN tenants ON tenants.id = tenant_id
        WHERE org_id = :org_id
        """,
        _view,
    )


@handler("SubscriptionHistory", shape=by_switch("subscription_history", {"nested": _records_by_subscription}))
def get_subscription_history(request: Request, store: Store) -> Payload:
    """Read which quantities an organization's post-pay subscriptions had in a period (operation 7)."""
    start, end = _window(request)
    periods = store.all(
        """
        SELECT * FROM (
            SELECT subscription_id, tenant_id, history.quantity, start,
                lead(start) OVER (PARTITION BY subscription_id ORDER BY start) AS "end"
            FROM subscription_history AS history
            JOIN subscriptions ON subscriptions.id = subscription_id
            JOIN tenants ON tenants.id = tenant_id
            WHERE org_id = :org_id AND subscriptions.kind = 'post_pay'
        )
        WHERE start < :end AND ("end" IS NULL OR "end" > :start)
        ORDER BY subscription_id, start
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
    if not _SHORTEST <= end - start <= _LONGEST:
        raise InvalidArgument('the time from "start" to "end" must be 1 to 40 days')
    return start, end


def _period(row: Row, start: str, end: str) -> Payload:
    return {**dict(row), "start": max(row["start"], start), "end": min(row["end"] or end, end)}
