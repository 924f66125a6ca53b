"""The operations of the service, one row each."""

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["BY_ID", "OPERATIONS", "Operation", "Outcome", "Query"]

Outcome = Literal["not_sent", "too_many_requests", "busy", "conflict", "service_error", "answer_lost"]
"""The failures after which another attempt can help.

No connection; 429; 408, 423, 425, and 400 or 409 with `Retry-After`; 409 without it; 5xx; and a lost answer.
"""

_NOTHING_DONE: frozenset[Outcome] = frozenset({"not_sent", "too_many_requests"})
# After the others the service may have done the work: only an operation that can be repeated is sent again.
_ANY = _NOTHING_DONE | frozenset[Outcome]({"busy", "service_error", "answer_lost"})
# A conflict may say that a write is done already: only a read of its effect can decide whether to send it again.
_AFTER_READ = _ANY | frozenset[Outcome]({"conflict"})

_OK = frozenset({200})
_REFUSED = frozenset({400, 401, 403, 404, 429})
_DELETED = _OK | {204}  # A success without a body; the interface describes an empty object.


@dataclass(frozen=True, slots=True)
class Query:
    """One query parameter of an operation."""

    name: str
    type: Literal["string", "int32", "date-time"] = "string"
    required: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the interface's table of endpoints (section 4).

    Attributes:
        number: the operation's number in that table.
        id: our name for the operation: the verb, then the noun.
        method: the HTTP method.
        path: the path with its parameters in braces.
        query: the query parameters.
        does: the work of the operation, as error texts name it: "cannot <does>".
        answers: a `record` that the path names by its id, a `page` of a listing (section 1, pagination), another
            `result`, or `nothing`.
        permission: the permission that the application needs.
        repeat_after: the outcomes after which the same request may be sent again.
        body: whether the request has a JSON body (an object without fields).
        success: the HTTP statuses of a success; any other 2xx is an error.
        refusals: the HTTP statuses of a refusal (section 7).
    """

    number: int
    id: str
    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    query: tuple[Query, ...]
    does: str
    answers: Literal["record", "page", "result", "nothing"]
    permission: Literal["read", "write", "billing"]
    repeat_after: frozenset[Outcome]
    body: bool = False
    success: frozenset[int] = _OK
    refusals: frozenset[int] = _REFUSED

    @property
    def status(self) -> int:
        """The HTTP status of a success with a body."""
        return min(self.success)

    @property
    def writes(self) -> bool:
        """Whether the operation changes anything in the service."""
        return self.method != "GET"

    @property
    def needs_org(self) -> bool:
        """Whether the operation is about organizations, which an application that is installed for a tenant lacks."""
        return self.path.startswith("/api/v1/orgs")

    @property
    def path_parameters(self) -> tuple[str, ...]:
        """The names of the path's parameters, in order."""
        return tuple(re.findall(r"{(\w+)}", self.path))


PAGE = (Query("limit", "int32"), Query("page_token"))


def _read(  # noqa: PLR0917 - a row reads as a row
    number: int,
    id: str,
    path: str,
    query: tuple[Query, ...],
    does: str,
    answers: Literal["record", "page", "result"],
    permission: Literal["read", "billing"] = "read",
) -> Operation:
    """Make the row of an operation that changes nothing and can always be repeated."""
    return Operation(number, id, "GET", path, query, does, answers, permission, _AFTER_READ)


def _write(  # noqa: PLR0917 - a row reads as a row
    number: int,
    id: str,
    method: Literal["POST", "PUT", "DELETE"],
    path: str,
    query: tuple[Query, ...],
    does: str,
    answers: Literal["result", "nothing"],
    *,
    repeat_after: frozenset[Outcome],
    body: bool = False,
    success: frozenset[int] = _OK,
) -> Operation:
    """Make the row of an operation that changes the service."""
    return Operation(number, id, method, path, query, does, answers, "write", repeat_after, body, success)


# A row reads as a row.
# fmt: off
OPERATIONS: tuple[Operation, ...] = (
    _read(
        1, "list_installations", "/api/v1/applications/me/installations", PAGE,
        "list the installations of this application", "page",
    ),
    _write(
        2, "create_org", "POST", "/api/v1/orgs",
        (Query("parent_org_id"), Query("external_id"), Query("name"), Query("admin_email")),
        "create an organization", "result", repeat_after=_NOTHING_DONE,
    ),
    _read(3, "get_org", "/api/v1/orgs/{id}", (), "read an organization", "record"),
    _read(4, "list_orgs", "/api/v1/orgs/{org_id}/orgs", PAGE, "list child organizations", "page"),
    _read(5, "list_tenants", "/api/v1/orgs/{org_id}/tenants", PAGE, "list tenants", "page"),
    _read(
        6, "list_subscriptions", "/api/v1/orgs/{org_id}/licensing/subscriptions", PAGE,
        "list subscriptions", "page", "billing",
    ),
    _read(
        7, "get_subscription_history", "/api/v1/orgs/{org_id}/licensing/subscriptions/history",
        (Query("start", "date-time"), Query("end", "date-time")),
        "read the subscription history", "result", "billing",
    ),
    _read(8, "get_tenant", "/api/v1/tenants/{id}", (), "read a tenant", "record"),
    _read(9, "get_tenant_quotas", "/api/v1/tenants/{id}/quotas", (), "read the quotas of a tenant", "result"),
    _read(
        10, "list_archives", "/api/v1/tenants/{tenant_id}/archives", (Query("resource_id"), *PAGE),
        "list archives", "page",
    ),
    _write(
        11, "delete_archive", "DELETE", "/api/v1/tenants/{tenant_id}/archives/{id}",
        (Query("reason", required=True),),
        "schedule an archive for deletion", "nothing", repeat_after=_ANY, success=_DELETED,
    ),
    _read(
        12, "list_audit_events", "/api/v1/tenants/{tenant_id}/audit/events",
        (*PAGE, Query("start_time", "date-time"), Query("end_time", "date-time")),
        "list audit events", "page",
    ),
    _write(
        13, "trigger_job", "PUT", "/api/v1/tenants/{tenant_id}/jobs/{job_id}/trigger", (),
        "run a job", "result", repeat_after=_NOTHING_DONE,
    ),
    _read(
        14, "list_policies", "/api/v1/tenants/{tenant_id}/policies", (*PAGE, Query("name")),
        "list policies", "page",
    ),
    _read(
        15, "list_protections", "/api/v1/tenants/{tenant_id}/protections", (Query("resource_id"), *PAGE),
        "list protections", "page",
    ),
    _read(
        16, "list_resources", "/api/v1/tenants/{tenant_id}/resources", PAGE,
        "list resources", "page",
    ),
    _read(
        17, "get_resource_stats", "/api/v1/tenants/{tenant_id}/resources/statistics/summary", (),
        "read the protection statistics", "result",
    ),
    _read(
        18, "get_resource", "/api/v1/tenants/{tenant_id}/resources/{id}", (),
        "read a resource", "record",
    ),
    _write(
        19, "protect_resource", "POST", "/api/v1/tenants/{tenant_id}/resources/{resource_id}/protect",
        (Query("policy_id", required=True),),
        "protect a resource", "result", repeat_after=_ANY, body=True,
    ),
    _write(
        20, "unprotect_resource", "DELETE", "/api/v1/tenants/{tenant_id}/resources/{resource_id}/protect",
        (Query("policy_id", required=True),),
        "unprotect a resource", "nothing", repeat_after=_ANY, success=_DELETED,
    ),
    _read(
        21, "get_task_stats", "/api/v1/tenants/{tenant_id}/tasks/statistics/summary",
        (Query("start_time", "date-time", required=True), Query("end_time", "date-time", required=True)),
        "read the task statistics", "result",
    ),
    _read(22, "get_task", "/api/v1/tenants/{tenant_id}/tasks/{task_id}", (), "read a task", "record"),
)

# fmt: on

BY_ID = {operation.id: operation for operation in OPERATIONS}
