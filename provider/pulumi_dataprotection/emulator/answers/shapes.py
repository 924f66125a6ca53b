"""The words and the records that the interface does not show, as the dialect has them."""

from collections.abc import Callable, Mapping

from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.requests.request import Payload

_Shape = Callable[[Payload], Payload]

_STATUSES: Mapping[str, Callable[[str], str]] = {
    "lower": str,
    "upper": str.upper,
    "other": lambda status: "finalizing" if status == "running" else status,
}
_ACTIONS: Mapping[str, Callable[[str], str]] = {
    "dotted": str,
    "upper": lambda action: action.upper().replace(".", "_"),
}


def shaped(operation_id: str, answer: Payload, dialect: Dialect) -> Payload:
    """Return a handler's answer in the dialect's words, and arranged in its way."""
    match operation_id:
        case "get_task":
            answer = {**answer, "status": _STATUSES[dialect.task_statuses](answer["status"])}
        case "get_task_stats":
            name = _STATUSES[dialect.task_statuses]
            answer = _each(lambda item: {**item, "status": name(item["status"])})(answer)
        case "list_audit_events":
            name = _ACTIONS[dialect.audit_actions]
            answer = _each(lambda item: {**item, "action": name(item["action"])})(answer)
        case _:
            pass
    if operation_id not in _SHAPES:
        return answer
    field, shapes = _SHAPES[operation_id]
    variant = getattr(dialect, field)
    return shapes[variant](answer) if variant in shapes else answer


def _fields(names: str) -> _Shape:
    """Pick fields: `name`, or `new=name` for one that gets another name."""
    pairs = [(name.partition("=")[0], name.rpartition("=")[2]) for name in names.split()]
    return lambda record: {new: record[old] for new, old in pairs}


def _each(shape: _Shape) -> _Shape:
    return lambda answer: {**answer, "items": [shape(item) for item in answer["items"]]}


def _each_of(shapes: Mapping[str, _Shape]) -> Mapping[str, _Shape]:
    return {variant: _each(shape) for variant, shape in shapes.items()}


def _nested_task(answer: Payload) -> Payload:
    return {"task": {"id": answer["task_id"]}}


def _counts_by_status(answer: Payload) -> Payload:
    return {"statuses": {item["status"]: item["count"] for item in answer["items"]}}


def _subscription_with_number(record: Payload) -> Payload:
    return {
        "subscription_id": record["id"],
        "tenant_id": record["tenant_id"],
        "quantity": int(record["quantity"]),
    }


def _records_by_subscription(answer: Payload) -> Payload:
    records: dict[str, list[Payload]] = {}
    for item in answer["items"]:
        record = {name: value for name, value in item.items() if name != "subscription_id"}
        records.setdefault(item["subscription_id"], []).append(record)
    return {"subscriptions": [{"subscription_id": id, "records": found} for id, found in records.items()]}


def _quotas_without_usage(answer: Payload) -> Payload:
    return {"quotas": [_QUOTA(item) for item in answer["items"]]}


_QUOTA = _fields("kind count units")
_TENANT = {"bare": _fields("id kind name"), "prefixed": _fields("tenant_id=id kind name org_id")}
_SUBSCRIPTION = {"bare": _fields("tenant_id plan"), "prefixed": _subscription_with_number}
_TASK = {
    "bare": _fields("id status"),
    "prefixed": _fields(
        "tenant_id task_id=id job_id resource_id kind state=status progress error=message "
        "created_at started_at finished_at"
    ),
}

# By operation: the field of the dialect, and what its variants but the default make of the handler's answer.
_SHAPES: Mapping[str, tuple[str, Mapping[str, _Shape]]] = {
    "list_tenants": ("tenant_fields", _each_of(_TENANT)),
    "list_subscriptions": ("subscription_fields", _each_of(_SUBSCRIPTION)),
    "get_subscription_history": ("subscription_history", {"nested": _records_by_subscription}),
    "get_tenant": ("tenant_fields", _TENANT),
    "get_tenant_quotas": ("quotas_container", {"quotas": _fields("quotas=items"), "bare": _quotas_without_usage}),
    "trigger_job": ("triggered_task", {"id": _fields("id=task_id"), "task": _nested_task}),
    "get_task_stats": ("task_statistics", {"mapping": _counts_by_status}),
    "get_task": ("task_fields", _TASK),
}
