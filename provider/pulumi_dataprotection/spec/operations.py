"""The 22 operations of the service, one row each."""

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["BY_ID", "OPERATIONS", "Operation", "Outcome", "Query"]

Outcome = Literal["not_sent", "too_many_requests", "service_error", "answer_lost"]
"""How a try can fail so that another one could help: the service was not reached; 429; 5xx; or no answer came."""

_NOTHING_DONE: frozenset[Outcome] = frozenset({"not_sent", "too_many_requests"})
# After the other two the service may have done the work, so that only doing it twice is the same as doing it once.
_ANY = _NOTHING_DONE | frozenset[Outcome]({"service_error", "answer_lost"})

_OK = frozenset({200})
_DELETED = _OK | {204}  # An answer without a body; the interface has an empty object there.


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
        id: our name for it: the verb, then the noun.
        method: the HTTP method.
        path: the path with its parameters in braces.
        query: the query parameters that it takes.
        does: what the application does with it, as error texts say it: "cannot <does>".
        repeat_after: the outcomes of a try after which it may be sent again as it is.
        body: whether it takes a JSON body (an object without fields).
        success: the HTTP statuses of an answer that says that it is done; any other 2xx is not such an answer.
    """

    number: int
    id: str
    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    query: tuple[Query, ...]
    does: str
    repeat_after: frozenset[Outcome] = _ANY
    body: bool = False
    success: frozenset[int] = _OK

    @property
    def paged(self) -> bool:
        """Whether the answer is a page (section 1, pagination)."""
        return PAGE[-1] in self.query

    @property
    def reads_a_record(self) -> bool:
        """Whether it reads one record by its id."""
        return self.method == "GET" and self.path.endswith("}")

    @property
    def writes(self) -> bool:
        """Whether it changes anything in the service."""
        return self.method != "GET"

    @property
    def permission(self) -> Literal["read", "write", "billing"]:
        """What an application needs the permission for to call it."""
        if self.writes:
            return "write"
        return "billing" if "/licensing/" in self.path else "read"

    @property
    def path_parameters(self) -> tuple[str, ...]:
        """The names of the path's parameters, in order."""
        return tuple(re.findall(r"{(\w+)}", self.path))


PAGE = (Query("limit", "int32"), Query("page_token"))

# A row reads as a row.
# fmt: off
OPERATIONS: tuple[Operation, ...] = (
    Operation(
        1, "list_installations", "GET", "/api/v1/applications/me/installations", PAGE,
        "list the installations of this application",
    ),
    Operation(
        2, "create_org", "POST", "/api/v1/orgs",
        (Query("parent_org_id"), Query("external_id"), Query("name"), Query("admin_email")),
        "create an organization", repeat_after=_NOTHING_DONE,
    ),
    Operation(3, "get_org", "GET", "/api/v1/orgs/{id}", (), "read an organization"),
    Operation(4, "list_orgs", "GET", "/api/v1/orgs/{org_id}/orgs", PAGE, "list child organizations"),
    Operation(5, "list_tenants", "GET", "/api/v1/orgs/{org_id}/tenants", PAGE, "list tenants"),
    Operation(
        6, "list_subscriptions", "GET", "/api/v1/orgs/{org_id}/licensing/subscriptions", PAGE,
        "list subscriptions",
    ),
    Operation(
        7, "get_subscription_history", "GET", "/api/v1/orgs/{org_id}/licensing/subscriptions/history",
        (Query("start", "date-time"), Query("end", "date-time")),
        "read the subscription history",
    ),
    Operation(8, "get_tenant", "GET", "/api/v1/tenants/{id}", (), "read a tenant"),
    Operation(9, "get_tenant_quotas", "GET", "/api/v1/tenants/{id}/quotas", (), "read the quotas of a tenant"),
    Operation(
        10, "list_archives", "GET", "/api/v1/tenants/{tenant_id}/archives", (Query("resource_id"), *PAGE),
        "list archives",
    ),
    Operation(
        11, "delete_archive", "DELETE", "/api/v1/tenants/{tenant_id}/archives/{id}",
        (Query("reason", required=True),),
        "schedule an archive for deletion", success=_DELETED,
    ),
    Operation(
        12, "list_audit_events", "GET", "/api/v1/tenants/{tenant_id}/audit/events",
        (*PAGE, Query("start_time", "date-time"), Query("end_time", "date-time")),
        "list audit events",
    ),
    Operation(
        13, "trigger_job", "PUT", "/api/v1/tenants/{tenant_id}/jobs/{job_id}/trigger", (),
        "run a job", repeat_after=_NOTHING_DONE,
    ),
    Operation(
        14, "list_policies", "GET", "/api/v1/tenants/{tenant_id}/policies", (*PAGE, Query("name")),
        "list policies",
    ),
    Operation(
        15, "list_protections", "GET", "/api/v1/tenants/{tenant_id}/protections", (Query("resource_id"), *PAGE),
        "list protections",
    ),
    Operation(
        16, "list_resources", "GET", "/api/v1/tenants/{tenant_id}/resources", PAGE,
        "list resources",
    ),
    Operation(
        17, "get_resource_stats", "GET", "/api/v1/tenants/{tenant_id}/resources/statistics/summary", (),
        "read the protection statistics",
    ),
    Operation(
        18, "get_resource", "GET", "/api/v1/tenants/{tenant_id}/resources/{id}", (),
        "read a resource",
    ),
    Operation(
        19, "protect_resource", "POST", "/api/v1/tenants/{tenant_id}/resources/{resource_id}/protect",
        (Query("policy_id", required=True),),
        "protect a resource", body=True,
    ),
    Operation(
        20, "unprotect_resource", "DELETE", "/api/v1/tenants/{tenant_id}/resources/{resource_id}/protect",
        (Query("policy_id", required=True),),
        "unprotect a resource", success=_DELETED,
    ),
    Operation(
        21, "get_task_stats", "GET", "/api/v1/tenants/{tenant_id}/tasks/statistics/summary",
        (Query("start_time", "date-time", required=True), Query("end_time", "date-time", required=True)),
        "read the task statistics",
    ),
    Operation(22, "get_task", "GET", "/api/v1/tenants/{tenant_id}/tasks/{task_id}", (), "read a task"),
)

# fmt: on

BY_ID = {operation.id: operation for operation in OPERATIONS}
