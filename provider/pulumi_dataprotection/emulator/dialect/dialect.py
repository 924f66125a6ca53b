"""The dialect: each thing that the interface leaves open, as a switch with the variants a real service could have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, Field


@dataclass(frozen=True, slots=True)
class Switch:
    """What one field of the dialect decides.

    Attributes:
        source: the section of the interface that leaves it open.
        question: what is not said there.
        variants: what each value means; for a number, the one entry `number`.
    """

    source: str
    question: str
    variants: Mapping[str, str]


def _switch(source: str, question: str, /, **variants: str) -> Switch:
    return Switch(source, question, variants)


def _number(source: str, question: str, /, meaning: str) -> Switch:
    return Switch(source, question, {"number": meaning})


class Dialect(BaseModel, frozen=True, extra="forbid", strict=True):
    """How this service reads what the interface leaves open."""

    # Organizations.
    repeated_external_id: Annotated[
        Literal["existing", "existing_invited", "invalid_argument", "conflict"],
        _switch(
            "section 4, operation 2 and rule 1",
            "What does creating an organization with an external_id that exists bring?",
            existing="200 with the existing organization, without an invitation",
            existing_invited="200 with the existing organization, and an invitation URL",
            invalid_argument="400",
            conflict="409",
        ),
    ] = "existing"
    external_id_scope: Annotated[
        Literal["service", "parent"],
        _switch(
            "section 2, Org",
            "Within what is an external_id unique?",
            service="the whole service: one that exists below another parent is a repeated one",
            parent="the children of one parent",
        ),
    ] = "service"
    missing_parent: Annotated[
        Literal["own_org", "invalid_argument"],
        _switch(
            "section 4, operation 2",
            "What is the parent where no parent_org_id is given?",
            own_org="the organization that the application is installed for",
            invalid_argument="400: there is none",
        ),
    ] = "own_org"
    uninvited_org: Annotated[
        Literal["no_url", "url"],
        _switch(
            "section 2, CreateOrgResult",
            "Is there an invitation_url without an admin_email?",
            no_url="no",
            url="yes, for whoever gets it",
        ),
    ] = "no_url"
    stored_name: Annotated[
        Literal["as_sent", "normalized"],
        _switch(
            "section 2, Org",
            "Is a name kept as it was sent?",
            as_sent="yes, each code point",
            normalized="in Unicode's form NFC, without blanks around it",
        ),
    ] = "as_sent"

    # Policies and protections.
    second_policy: Annotated[
        Literal["invalid_argument", "conflict", "replaces", "adds"],
        _switch(
            "section 4, rule 4",
            "What does protecting do where another policy is on the resource?",
            invalid_argument="400",
            conflict="409",
            replaces="200: the new policy takes the old one's place, with a new protection and job",
            adds="200: both are on it (an account with a higher limit)",
        ),
    ] = "invalid_argument"
    same_policy: Annotated[
        Literal["ok", "invalid_argument", "conflict"],
        _switch(
            "section 4, operation 19",
            "What does protecting do where the same policy is on the resource?",
            ok="200 with the job that is there",
            invalid_argument="400",
            conflict="409",
        ),
    ] = "ok"
    archived_resource: Annotated[
        Literal["invalid_argument", "accepted"],
        _switch(
            "section 2, Resource",
            "What does protecting an archived resource do?",
            invalid_argument="400",
            accepted="200, and its backups fail",
        ),
    ] = "invalid_argument"
    absent_protection: Annotated[
        Literal["ok", "invalid_argument", "not_found"],
        _switch(
            "section 4, operation 20",
            "What does removing a policy do that is not on the resource?",
            ok="200",
            invalid_argument="400",
            not_found="404",
        ),
    ] = "not_found"
    policy_name_filter: Annotated[
        Literal["exact", "contains"],
        _switch(
            "section 4, operation 14",
            "Which names does the filter `name` let through?",
            exact="that name, each character",
            contains="each name that contains it, in any case",
        ),
    ] = "exact"
    unknown_resource_filter: Annotated[
        Literal["empty", "not_found"],
        _switch(
            "section 4, operations 10 and 15",
            "What does filtering by a resource bring that does not exist?",
            empty="an empty page",
            not_found="404",
        ),
    ] = "empty"

    unknown_reference: Annotated[
        Literal["not_found", "invalid_argument"],
        _switch(
            "section 7",
            "What does a policy_id or parent_org_id bring that does not exist?",
            not_found="404, as an id in the path does",
            invalid_argument="400, as any other value that is invalid",
        ),
    ] = "not_found"

    # Archives, jobs, tasks, licensing.
    repeated_deletion: Annotated[
        Literal["ok", "invalid_argument", "conflict"],
        _switch(
            "section 3",
            "What does deleting an archive do whose deletion is scheduled already?",
            ok="200, and the deletion stays when it was",
            invalid_argument="400",
            conflict="409",
        ),
    ] = "ok"
    task_progress: Annotated[
        Literal["clock", "polls"],
        _switch(
            "section 3; section 4, rule 6",
            "What makes a task go on?",
            clock="time: it runs after 10 s and ends after 60 s",
            polls="reading it: the first time it is queued, then running, then it has ended",
        ),
    ] = "clock"
    task_statuses: Annotated[
        Literal["lower", "upper", "other"],
        _switch(
            "section 3",
            "What are the task statuses called?",
            lower="queued, running, done, warnings, failed, canceled",
            upper="QUEUED, RUNNING, …",
            other="finalizing instead of running",
        ),
    ] = "lower"
    task_fields: Annotated[
        Literal["plain", "prefixed", "bare"],
        _switch(
            "section 2, Task",
            "How are the fields of a task called?",
            plain="tenant_id, id, job_id, resource_id, kind, status, progress, message, created_at, …",
            prefixed="task_id, state, error, …",
            bare="id and status alone",
        ),
    ] = "plain"
    triggered_task: Annotated[
        Literal["task_id", "id", "task"],
        _switch(
            "section 2, trigger-job result",
            "Where is the id of the spawned task?",
            task_id='{"task_id": …}',
            id='{"id": …}',
            task='{"task": {"id": …}}',
        ),
    ] = "task_id"
    task_statistics: Annotated[
        Literal["items", "mapping"],
        _switch(
            "section 4, operation 21",
            "What do the task statistics look like?",
            items='{"items": [{"status", "count"}]}',
            mapping='{"statuses": {status: count}}',
        ),
    ] = "items"
    tenant_fields: Annotated[
        Literal["full", "bare", "prefixed"],
        _switch(
            "section 2, Tenant",
            "Which fields has a tenant?",
            full="id, org_id, kind, name, created_at",
            bare="id, kind, name",
            prefixed="tenant_id, kind, name, org_id",
        ),
    ] = "full"
    quotas_container: Annotated[
        Literal["items", "quotas", "bare"],
        _switch(
            "section 2, tenant quotas",
            "What holds the quotas of a tenant?",
            items='{"tenant_id", "items": […]}, each with what is used',
            quotas='{"quotas": […]}, each with what is used',
            bare='{"quotas": […]} without usage',
        ),
    ] = "items"
    subscription_fields: Annotated[
        Literal["full", "prefixed", "bare"],
        _switch(
            "section 2, Subscription",
            "Which fields has a subscription?",
            full="id, org_id, tenant_id, kind, plan, status, quantity, started_at",
            prefixed="subscription_id, tenant_id, quantity as a number",
            bare="tenant_id and plan alone",
        ),
    ] = "full"
    subscription_history: Annotated[
        Literal["items", "nested"],
        _switch(
            "section 2, subscription history",
            "How are the records of the history arranged?",
            items='{"items": [record, …]}',
            nested='{"subscriptions": [{"subscription_id", "records": […]}]}',
        ),
    ] = "items"

    # Pages.
    default_limit: Annotated[
        int,
        Field(ge=1, le=100_000),
        _number(
            "section 8",
            "How many items has a page where no limit is asked for?",
            meaning="that many; 100 in any case for operations 4 and 5",
        ),
    ] = 100
    largest_limit: Annotated[
        int,
        Field(ge=1, le=100_000),
        _number("section 8", "What is the largest limit that is granted?", meaning="that many items"),
    ] = 1000
    larger_limit: Annotated[
        Literal["clamped", "invalid_argument"],
        _switch(
            "section 8",
            "What does a limit above the largest one bring?",
            clamped="a page of the largest size",
            invalid_argument="400",
        ),
    ] = "clamped"
    page_tokens: Annotated[
        Literal["position", "offset"],
        _switch(
            "section 1, pagination",
            "What does a page token stand for?",
            position="the last item: what is deleted meanwhile makes nothing be skipped",
            offset="a number of items: what is deleted meanwhile shifts the rest",
        ),
    ] = "position"
    page_fill: Annotated[
        Literal["full", "short"],
        _switch(
            "section 1, pagination",
            "Is a page that others follow full?",
            full="yes",
            short="no: the first one is empty, and each later one half as long as it might be",
        ),
    ] = "full"
    page_order: Annotated[
        Literal["ascending", "descending"],
        _switch(
            "section 1, pagination",
            "In which order do lists come?",
            ascending="by id; audit events from the newest to the oldest",
            descending="the other way round",
        ),
    ] = "ascending"
    last_page: Annotated[
        Literal["empty", "null", "absent"],
        _switch(
            "section 1, pagination",
            "How does the last page say that it is the last?",
            empty='next_page_token is ""',
            null="next_page_token is null",
            absent="there is no next_page_token",
        ),
    ] = "empty"
    empty_list: Annotated[
        Literal["list", "null", "absent"],
        _switch(
            "section 1, pagination",
            "How is a list without items written?",
            list="[]",
            null="null, as servers written in Go do",
            absent="left out",
        ),
    ] = "list"

    # Values and answers.
    empty_text: Annotated[
        Literal["empty", "null", "absent"],
        _switch(
            "section 2",
            "How is a text without characters written?",
            empty='""',
            null="null",
            absent="left out",
        ),
    ] = "empty"
    empty_time: Annotated[
        Literal["null", "absent", "empty", "zero"],
        _switch(
            "section 2, Task",
            "How is a time written that has not come yet?",
            null="null",
            absent="left out",
            empty='""',
            zero="0001-01-01T00:00:00Z, as servers written in Go do",
        ),
    ] = "null"
    zero_values: Annotated[
        Literal["written", "absent"],
        _switch(
            "section 2",
            "Are false and zero written?",
            written="yes",
            absent="no, they are left out, as servers do that make their JSON from protocol buffers",
        ),
    ] = "written"
    extra_fields: Annotated[
        Literal["none", "some"],
        _switch(
            "section 9",
            "Can objects have fields, and kinds have values, that the interface does not name?",
            none="no",
            some="yes: labels and a revision, a page's item_count, and now and then the kind office_holograms",
        ),
    ] = "none"
    times: Annotated[
        Literal["milliseconds", "seconds", "nanoseconds", "offset", "lower_case"],
        _switch(
            "section 1",
            "Which RFC 3339 spelling do times have?",
            milliseconds="2026-01-31T08:00:00.123Z",
            seconds="2026-01-31T08:00:00Z",
            nanoseconds="2026-01-31T08:00:00.123000000Z",
            offset="2026-01-31T10:00:00.123+02:00",
            lower_case="2026-01-31t08:00:00.123z",
        ),
    ] = "milliseconds"
    media_type: Annotated[
        Literal["bare", "charset"],
        _switch(
            "section 1",
            "Has the media type of JSON a parameter?",
            bare="no: application/json",
            charset="yes: application/json; charset=utf-8",
        ),
    ] = "bare"
    deletion_answer: Annotated[
        Literal["object", "empty", "no_content"],
        _switch(
            "section 4, operations 11 and 20",
            "What does the success of a deletion look like on the wire?",
            object="200 with {}",
            empty="200 without a body",
            no_content="204",
        ),
    ] = "object"
    error_body: Annotated[
        Literal["message", "nested", "details", "text", "html", "empty"],
        _switch(
            "section 7",
            "What is in the body of an error?",
            message='{"message": …}',
            nested='{"error": {"code": "not_found", "message": …}}',
            details='{"code": "not_found", "message": …, "details": […]}',
            text="plain text",
            html="a page of HTML",
            empty="nothing",
        ),
    ] = "message"
    audit_actions: Annotated[
        Literal["dotted", "upper"],
        _switch(
            "section 6",
            "What are the audit actions called?",
            dotted="resource.protect",
            upper="RESOURCE_PROTECT",
        ),
    ] = "dotted"
    read_lag: Annotated[
        float,
        Field(ge=0, le=3600, allow_inf_nan=False),
        _number(
            "not mentioned",
            "How long after a write do reads still show what was before?",
            meaning="seconds; what the control plane changes shows at once",
        ),
    ] = 0

    # The call rate.
    calls_per_second: Annotated[
        float,
        Field(ge=0, allow_inf_nan=False),
        _number("section 8", "How many calls may a key make?", meaning="calls per second; 0: any number"),
    ] = 0
    burst: Annotated[
        int,
        Field(ge=0),
        _number("section 8", "How many of them at once?", meaning="calls; 0: those of one second, at least one"),
    ] = 0
    retry_after: Annotated[
        Literal["seconds", "date", "absent"],
        _switch(
            "section 8",
            "How does a 429 say when to come back?",
            seconds="Retry-After with seconds",
            date="Retry-After with a date",
            absent="it does not",
        ),
    ] = "seconds"
