"""The dialect: each thing that the interface leaves open, as a switch with the variants a real service could have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo


@dataclass(frozen=True, slots=True)
class Switch:
    """The documentation of one field of the dialect.

    Attributes:
        source: the section of the interface that leaves it open.
        question: what is not said there.
        variants: what each value means; for a number, the one entry `number`.
    """

    source: str
    question: str
    variants: Mapping[str, str]


def _switch(source: str, question: str, /, **variants: str) -> Any:  # noqa: ANN401 - stands for the field's value
    """Declare a switch; its first variant is the default."""
    return _declared(Switch(source, question, variants), default=next(iter(variants)))


def _number(source: str, question: str, /, meaning: str, **limits: Any) -> Any:  # noqa: ANN401 - as `_switch`
    """Declare a switch that takes a number."""
    return _declared(Switch(source, question, {"number": meaning}), **limits)


def _declared(switch: Switch, **arguments: Any) -> Any:  # noqa: ANN401 - as `_switch`
    field: FieldInfo = Field(**arguments)
    field.metadata.append(switch)
    return field


class Dialect(BaseModel, frozen=True, extra="forbid", strict=True):
    """How this service reads what the interface leaves open."""

    # Organizations.
    repeated_external_id: Literal["existing", "existing_invited", "invalid_argument", "conflict"] = _switch(
        "section 4, operation 2 and rule 1",
        "What does creating an organization with an existing external_id return?",
        existing="200 with the existing organization, without an invitation",
        existing_invited="200 with the existing organization, and an invitation URL",
        invalid_argument="400",
        conflict="409",
    )
    external_id_scope: Literal["service", "parent"] = _switch(
        "section 2, Org",
        "Within what is an external_id unique?",
        service="the whole service: an external_id below another parent is a repeated external_id",
        parent="the children of one parent",
    )
    missing_parent: Literal["own_org", "invalid_argument"] = _switch(
        "section 4, operation 2",
        "What is the parent if no parent_org_id is given?",
        own_org="the organization that the application is installed for",
        invalid_argument="400",
    )
    uninvited_org: Literal["no_url", "url"] = _switch(
        "section 2, CreateOrgResult",
        "Is there an invitation_url without an admin_email?",
        no_url="no",
        url="yes",
    )
    stored_name: Literal["as_sent", "normalized"] = _switch(
        "section 2, Org",
        "Is a name kept as it was sent?",
        as_sent="yes, each code point",
        normalized="in Unicode's form NFC, without blanks around it",
    )

    # Policies and protections.
    second_policy: Literal["invalid_argument", "conflict", "replaces", "adds"] = _switch(
        "section 4, rule 4",
        "What does protecting do if the resource has another policy?",
        invalid_argument="400",
        conflict="409",
        replaces="200: the new policy replaces the old policy, with a new protection and job",
        adds="200: the resource has both (an account with a higher limit)",
    )
    same_policy: Literal["ok", "invalid_argument", "conflict"] = _switch(
        "section 4, operation 19",
        "What does protecting do if the resource has the same policy?",
        ok="200 with the present job",
        invalid_argument="400",
        conflict="409",
    )
    archived_resource: Literal["invalid_argument", "accepted"] = _switch(
        "section 2, Resource",
        "What does protecting an archived resource do?",
        invalid_argument="400",
        accepted="200, and its backups fail",
    )
    absent_protection: Literal["not_found", "ok", "invalid_argument"] = _switch(
        "section 4, operation 20",
        "What does removing a policy do that the resource does not have?",
        not_found="404",
        ok="200",
        invalid_argument="400",
    )
    used_up_quota: Literal["accepted", "forbidden", "invalid_argument"] = _switch(
        "section 2, Quota",
        "What does protecting do if the quota of the resource's kind is used up?",
        accepted="200, and the quota is exceeded",
        forbidden="403",
        invalid_argument="400",
    )
    policy_name_filter: Literal["exact", "contains"] = _switch(
        "section 4, operation 14",
        "Which names does the filter `name` let through?",
        exact="that name, each character",
        contains="each name that contains it, in any case",
    )
    unknown_resource_filter: Literal["empty", "not_found"] = _switch(
        "section 4, operations 10 and 15",
        "What does a filter by an unknown resource return?",
        empty="an empty page",
        not_found="404",
    )

    unknown_reference: Literal["not_found", "invalid_argument"] = _switch(
        "section 7",
        "What does an unknown policy_id or parent_org_id return?",
        not_found="404, as an id in the path does",
        invalid_argument="400, as any other value that is invalid",
    )

    # Archives, jobs, tasks, licensing.
    repeated_deletion: Literal["ok", "invalid_argument", "conflict"] = _switch(
        "section 3",
        "What does deleting an archive do whose deletion is scheduled already?",
        ok="200, and the deletion stays when it was",
        invalid_argument="400",
        conflict="409",
    )
    task_progress: Literal["clock", "polls"] = _switch(
        "section 3; section 4, rule 6",
        "What advances a task?",
        clock="time: it runs after 10 s and ends after 60 s",
        polls="reading it: first it is queued, then running, then it has ended",
    )
    task_statuses: Literal["published", "plain", "upper", "other"] = _switch(
        "section 3",
        "What are the task statuses called?",
        published="open, inprogress, suspended, done, warnings, failed, canceled",
        plain="queued and running instead of open and inprogress",
        upper="OPEN, INPROGRESS, …",
        other="queued and finalizing instead of open and inprogress",
    )
    task_fields: Literal["published", "plain", "prefixed"] = _switch(
        "section 2, Task",
        "Which fields has a task?",
        published="only id, resource_id and status",
        plain="tenant_id, id, job_id, resource_id, kind, status, progress, message, created_at, …",
        prefixed="the same with task_id, state, error, …",
    )
    triggered_task: Literal["task_id", "id", "task"] = _switch(
        "section 2, trigger-job result",
        "Where is the id of the spawned task?",
        task_id='{"task_id": …}',
        id='{"id": …}',
        task='{"task": {"id": …}}',
    )
    task_statistics: Literal["published", "items", "mapping"] = _switch(
        "section 4, operation 21",
        "What do the task statistics look like?",
        published='{"total": {"done", "failed", "warnings"}, "by_action": {action: the same}}',
        items='{"items": [{"status", "count"}]}',
        mapping='{"statuses": {status: count}}',
    )
    tenant_fields: Literal["published", "plain", "prefixed"] = _switch(
        "section 2, Tenant",
        "Which fields has a tenant?",
        published="id, external_id, kind, name, region, deleted",
        plain="id, org_id, kind, name, created_at",
        prefixed="tenant_id, kind, name, org_id",
    )
    deleted_tenant: Literal["not_found", "forbidden", "served"] = _switch(
        "section 2, Tenant",
        "What does a request about a deleted tenant return, except for the tenant itself?",
        not_found="404",
        forbidden="403",
        served="the same as before its deletion",
    )
    quotas_container: Literal["published", "plain", "bare"] = _switch(
        "section 2, tenant quotas",
        "What holds the quotas of a tenant?",
        published='{"quotas": […]}, each with used, limit and exceeded, too',
        plain='{"tenant_id", "items": […]}, each with used, too',
        bare='{"quotas": […]} without usage',
    )
    subscription_fields: Literal["published", "plain", "prefixed", "bare"] = _switch(
        "section 2, Subscription",
        "Which fields has a subscription?",
        published="id, status, expires, tenant_id, items: each with kind, qty, auto_license, auto_license_max",
        plain="id, org_id, tenant_id, kind, plan, status, quantity, started_at",
        prefixed="subscription_id, tenant_id, quantity as a number",
        bare="only tenant_id and plan",
    )
    subscription_history: Literal["published", "plain", "nested"] = _switch(
        "section 2, subscription history",
        "What does the history look like?",
        published='{"items": […]}, each with sub_id, tenant_id, kind, qty, start, end, amount',
        plain='{"items": […]}, each with subscription_id, tenant_id, quantity, start, end',
        nested='{"subscriptions": [{"subscription_id", "records": […]}]}',
    )

    # Pages.
    default_limit: int = _number(
        "section 8",
        "How many items has a page without a limit?",
        meaning="that many; 100 in any case for operations 4 and 5",
        default=100,
        ge=1,
        le=100_000,
    )
    largest_limit: int = _number(
        "section 8",
        "What is the largest limit that is granted?",
        meaning="that many items",
        default=1000,
        ge=1,
        le=100_000,
    )
    larger_limit: Literal["clamped", "invalid_argument"] = _switch(
        "section 8",
        "What does a limit above the largest limit return?",
        clamped="a page of the largest size",
        invalid_argument="400",
    )
    page_tokens: Literal["position", "offset"] = _switch(
        "section 1, pagination",
        "What does a page token stand for?",
        position="the last item: what is deleted meanwhile makes nothing be skipped",
        offset="a number of items: what is deleted meanwhile shifts the rest",
    )
    page_fill: Literal["full", "short"] = _switch(
        "section 1, pagination",
        "Is a page that others follow full?",
        full="yes",
        short="no: the first page is empty, and each later page has half of the items",
    )
    page_order: Literal["ascending", "descending"] = _switch(
        "section 1, pagination",
        "In which order do lists come?",
        ascending="by id; audit events from the newest to the oldest",
        descending="the other way round",
    )
    last_page: Literal["empty", "null", "absent"] = _switch(
        "section 1, pagination",
        "How does the last page say that it is the last?",
        empty='next_page_token is ""',
        null="next_page_token is null",
        absent="next_page_token is left out",
    )
    empty_list: Literal["list", "null", "absent"] = _switch(
        "section 1, pagination",
        "How is a list without items written?",
        list="[]",
        null="null, as servers written in Go do",
        absent="left out",
    )

    # Values and answers.
    empty_text: Literal["empty", "null", "absent"] = _switch(
        "section 2",
        "How is a text without characters written?",
        empty='""',
        null="null",
        absent="left out",
    )
    empty_time: Literal["null", "absent", "empty", "zero"] = _switch(
        "section 2, Task",
        "How is a time written that has not come yet?",
        null="null",
        absent="left out",
        empty='""',
        zero="0001-01-01T00:00:00Z, as servers written in Go do",
    )
    zero_values: Literal["written", "absent"] = _switch(
        "section 2",
        "Are false and zero written?",
        written="yes",
        absent="no, they are left out, as servers do that make their JSON from protocol buffers",
    )
    extra_fields: Literal["none", "some"] = _switch(
        "section 9",
        "Can objects have fields, and kinds have values, that the interface does not name?",
        none="no",
        some="yes: labels and a revision, a page's item_count, and now and then the kind office_holograms",
    )
    times: Literal["milliseconds", "seconds", "nanoseconds", "offset", "lower_case"] = _switch(
        "section 1",
        "Which RFC 3339 spelling do times have?",
        milliseconds="2026-01-31T08:00:00.123Z",
        seconds="2026-01-31T08:00:00Z",
        nanoseconds="2026-01-31T08:00:00.123000000Z",
        offset="2026-01-31T10:00:00.123+02:00",
        lower_case="2026-01-31t08:00:00.123z",
    )
    media_type: Literal["bare", "charset"] = _switch(
        "section 1",
        "Has the media type of JSON a parameter?",
        bare="no: application/json",
        charset="yes: application/json; charset=utf-8",
    )
    deletion_answer: Literal["object", "empty", "no_content"] = _switch(
        "section 4, operations 11 and 20",
        "What does the success of a deletion look like on the wire?",
        object="200 with {}",
        empty="200 without a body",
        no_content="204",
    )
    error_body: Literal["published", "message", "nested", "text", "html", "empty"] = _switch(
        "section 7",
        "What is in the body of an error?",
        published='{"status": 404, "code": "not_found", "message": …}',
        message='{"message": …}',
        nested='{"error": {"code": "not_found", "message": …}}',
        text="plain text",
        html="a page of HTML",
        empty="nothing",
    )
    audit_actions: Literal["dotted", "upper"] = _switch(
        "section 6",
        "What are the audit actions called?",
        dotted="resource.protect",
        upper="RESOURCE_PROTECT",
    )
    read_lag: float = _number(
        "not mentioned",
        "How long after a write do reads still show what was before?",
        meaning="seconds; what the control plane changes shows at once",
        default=0,
        ge=0,
        le=3600,
        allow_inf_nan=False,
    )

    # The call rate.
    calls_per_second: float = _number(
        "section 8",
        "How many calls may a key make?",
        meaning="calls per second; 0: any number",
        default=0,
        ge=0,
        allow_inf_nan=False,
    )
    burst: int = _number(
        "section 8", "How many of them at once?", meaning="calls; 0: those of one second, at least one", default=0, ge=0
    )
    retry_after: Literal["seconds", "date", "absent"] = _switch(
        "section 8",
        "How does a 429 say when to come back?",
        seconds="Retry-After with seconds",
        date="Retry-After with a date",
        absent="it does not",
    )
