"""The dialect: each thing that the interface leaves open, as a switch with the variants a real service could have."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class Dialect(BaseModel, frozen=True, extra="forbid", strict=True):
    """How this service reads what the interface leaves open.

    The docstring of a field holds the question, the section that leaves it open, and the meaning of each variant; for a
    number, of `number`. `docs/dialects.md` is made from the docstrings.
    """

    # Organizations.
    repeated_external_id: Literal["existing", "existing_invited", "invalid_argument", "conflict"] = "existing"
    """What does creating an organization with an existing external_id return? (section 4, operation 2 and rule 1)

    existing: 200 with the existing organization, without an invitation
    existing_invited: 200 with the existing organization, and an invitation URL
    invalid_argument: 400
    conflict: 409
    """

    external_id_scope: Literal["service", "parent"] = "service"
    """Within what is an external_id unique? (section 2, Org)

    service: the whole service: an external_id below another parent is a repeated external_id
    parent: the children of one parent
    """

    missing_parent: Literal["own_org", "invalid_argument"] = "own_org"
    """What is the parent if no parent_org_id is given? (section 4, operation 2)

    own_org: the organization that the application is installed for
    invalid_argument: 400
    """

    uninvited_org: Literal["no_url", "url"] = "no_url"
    """Is there an invitation_url without an admin_email? (section 2, CreateOrgResult)

    no_url: no
    url: yes
    """

    stored_name: Literal["as_sent", "normalized"] = "as_sent"
    """Is a name kept as it was sent? (section 2, Org)

    as_sent: yes, each code point
    normalized: in Unicode's form NFC, without blanks around it
    """

    # Policies and protections.
    second_policy: Literal["invalid_argument", "conflict", "replaces", "adds"] = "invalid_argument"
    """What does protecting do if the resource has another policy? (section 4, rule 4)

    invalid_argument: 400
    conflict: 409
    replaces: 200: the new policy replaces the old policy, with a new protection and job
    adds: 200: the resource has both (an account with a higher limit)
    """

    same_policy: Literal["ok", "invalid_argument", "conflict"] = "ok"
    """What does protecting do if the resource has the same policy? (section 4, operation 19)

    ok: 200 with the present job
    invalid_argument: 400
    conflict: 409
    """

    archived_resource: Literal["invalid_argument", "accepted"] = "invalid_argument"
    """What does protecting an archived resource do? (section 2, Resource)

    invalid_argument: 400
    accepted: 200, and its backups fail
    """

    absent_protection: Literal["not_found", "ok", "invalid_argument"] = "not_found"
    """What does removing a policy do that the resource does not have? (section 4, operation 20)

    not_found: 404
    ok: 200
    invalid_argument: 400
    """

    used_up_quota: Literal["accepted", "forbidden", "invalid_argument"] = "accepted"
    """What does protecting do if the quota of the resource's kind is used up? (section 2, Quota)

    accepted: 200, and the quota is exceeded
    forbidden: 403
    invalid_argument: 400
    """

    policy_name_filter: Literal["exact", "contains"] = "exact"
    """Which names does the filter `name` let through? (section 4, operation 14)

    exact: that name, each character
    contains: each name that contains it, in any case
    """

    unknown_resource_filter: Literal["empty", "not_found"] = "empty"
    """What does a filter by an unknown resource return? (section 4, operations 10 and 15)

    empty: an empty page
    not_found: 404
    """

    unknown_reference: Literal["not_found", "invalid_argument"] = "not_found"
    """What does an unknown policy_id or parent_org_id return? (section 7)

    not_found: 404, as an id in the path does
    invalid_argument: 400, as any other value that is invalid
    """

    # Archives, jobs, tasks, licensing.
    repeated_deletion: Literal["ok", "invalid_argument", "conflict"] = "ok"
    """What does deleting an archive do whose deletion is scheduled already? (section 3)

    ok: 200, and the deletion stays when it was
    invalid_argument: 400
    conflict: 409
    """

    task_progress: Literal["clock", "polls"] = "clock"
    """What advances a task? (section 3; section 4, rule 6)

    clock: time: it runs after 10 s and ends after 60 s
    polls: reading it: first it is queued, then running, then it has ended
    """

    task_statuses: Literal["published", "plain", "upper", "other"] = "published"
    """What are the task statuses called? (section 3)

    published: open, inprogress, suspended, done, warnings, failed, canceled
    plain: queued and running instead of open and inprogress
    upper: OPEN, INPROGRESS, …
    other: queued and finalizing instead of open and inprogress
    """

    task_fields: Literal["published", "plain", "prefixed"] = "published"
    """Which fields has a task? (section 2, Task)

    published: only id, resource_id and status
    plain: tenant_id, id, job_id, resource_id, kind, status, progress, message, created_at, …
    prefixed: the same with task_id, state, error, …
    """

    triggered_task: Literal["task_id", "id", "task"] = "task_id"
    """Where is the id of the spawned task? (section 2, trigger-job result)

    task_id: {"task_id": …}
    id: {"id": …}
    task: {"task": {"id": …}}
    """

    task_statistics: Literal["published", "items", "mapping"] = "published"
    """What do the task statistics look like? (section 4, operation 21)

    published: {"total": {"done", "failed", "warnings"}, "by_action": {action: the same}}
    items: {"items": [{"status", "count"}]}
    mapping: {"statuses": {status: count}}
    """

    tenant_fields: Literal["published", "plain", "prefixed"] = "published"
    """Which fields has a tenant? (section 2, Tenant)

    published: id, external_id, kind, name, region, deleted
    plain: id, org_id, kind, name, created_at
    prefixed: tenant_id, kind, name, org_id
    """

    deleted_tenant: Literal["not_found", "forbidden", "served"] = "not_found"
    """What does a request about a deleted tenant return, except for the tenant itself? (section 2, Tenant)

    not_found: 404
    forbidden: 403
    served: the same as before its deletion
    """

    quotas_container: Literal["published", "plain", "bare"] = "published"
    """What holds the quotas of a tenant? (section 2, tenant quotas)

    published: {"quotas": […]}, each with used, limit and exceeded, too
    plain: {"tenant_id", "items": […]}, each with used, too
    bare: {"quotas": […]} without usage
    """

    subscription_fields: Literal["published", "plain", "prefixed", "bare"] = "published"
    """Which fields has a subscription? (section 2, Subscription)

    published: id, status, expires, tenant_id, items: each with kind, qty, auto_license, auto_license_max
    plain: id, org_id, tenant_id, kind, plan, status, quantity, started_at
    prefixed: subscription_id, tenant_id, quantity as a number
    bare: only tenant_id and plan
    """

    subscription_history: Literal["published", "plain", "nested"] = "published"
    """What does the history look like? (section 2, subscription history)

    published: {"items": […]}, each with sub_id, tenant_id, kind, qty, start, end, amount
    plain: {"items": […]}, each with subscription_id, tenant_id, quantity, start, end
    nested: {"subscriptions": [{"subscription_id", "records": […]}]}
    """

    # Pages.
    default_limit: Annotated[int, Field(ge=1, le=100_000)] = 100
    """How many items has a page without a limit? (section 8)

    number: that many; 100 in any case for operations 4 and 5
    """

    largest_limit: Annotated[int, Field(ge=1, le=100_000)] = 1000
    """What is the largest limit that is granted? (section 8)

    number: that many items
    """

    larger_limit: Literal["clamped", "invalid_argument"] = "clamped"
    """What does a limit above the largest limit return? (section 8)

    clamped: a page of the largest size
    invalid_argument: 400
    """

    page_tokens: Literal["position", "offset"] = "position"
    """What does a page token stand for? (section 1, pagination)

    position: the last item: what is deleted meanwhile makes nothing be skipped
    offset: a number of items: what is deleted meanwhile shifts the rest
    """

    page_fill: Literal["full", "short"] = "full"
    """Is a page that others follow full? (section 1, pagination)

    full: yes
    short: no: the first page is empty, and each later page has half of the items
    """

    page_order: Literal["ascending", "descending"] = "ascending"
    """In which order do lists come? (section 1, pagination)

    ascending: by id; audit events from the newest to the oldest
    descending: the other way round
    """

    last_page: Literal["empty", "null", "absent"] = "empty"
    """How does the last page say that it is the last? (section 1, pagination)

    empty: next_page_token is ""
    null: next_page_token is null
    absent: next_page_token is left out
    """

    empty_list: Literal["list", "null", "absent"] = "list"
    """How is a list without items written? (section 1, pagination)

    list: []
    null: null, as servers written in Go do
    absent: left out
    """

    # Values and answers.
    empty_text: Literal["empty", "null", "absent"] = "empty"
    """How is a text without characters written? (section 2)

    empty: ""
    null: null
    absent: left out
    """

    empty_time: Literal["null", "absent", "empty", "zero"] = "null"
    """How is a time written that has not come yet? (section 2, Task)

    null: null
    absent: left out
    empty: ""
    zero: 0001-01-01T00:00:00Z, as servers written in Go do
    """

    zero_values: Literal["written", "absent"] = "written"
    """Are false and zero written? (section 2)

    written: yes
    absent: no, they are left out, as servers do that make their JSON from protocol buffers
    """

    extra_fields: Literal["none", "some"] = "none"
    """Can objects have fields, and kinds have values, that the interface does not name? (section 9)

    none: no
    some: yes: labels and a revision, a page's item_count, and now and then the kind office_holograms
    """

    times: Literal["milliseconds", "seconds", "nanoseconds", "offset", "lower_case"] = "milliseconds"
    """Which RFC 3339 spelling do times have? (section 1)

    milliseconds: 2026-01-31T08:00:00.123Z
    seconds: 2026-01-31T08:00:00Z
    nanoseconds: 2026-01-31T08:00:00.123000000Z
    offset: 2026-01-31T10:00:00.123+02:00
    lower_case: 2026-01-31t08:00:00.123z
    """

    media_type: Literal["bare", "charset"] = "bare"
    """Has the media type of JSON a parameter? (section 1)

    bare: no: application/json
    charset: yes: application/json; charset=utf-8
    """

    deletion_answer: Literal["object", "empty", "no_content"] = "object"
    """What does the success of a deletion look like on the wire? (section 4, operations 11 and 20)

    object: 200 with {}
    empty: 200 without a body
    no_content: 204
    """

    error_body: Literal["published", "message", "nested", "text", "html", "empty"] = "published"
    """What is in the body of an error? (section 7)

    published: {"status": 404, "code": "not_found", "message": …}
    message: {"message": …}
    nested: {"error": {"code": "not_found", "message": …}}
    text: plain text
    html: a page of HTML
    empty: nothing
    """

    audit_actions: Literal["dotted", "upper"] = "dotted"
    """What are the audit actions called? (section 6)

    dotted: resource.protect
    upper: RESOURCE_PROTECT
    """

    read_lag: Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)] = 0
    """How long after a write do reads still show what was before? (not mentioned)

    number: seconds; what the control plane changes shows at once
    """

    # The call rate.
    calls_per_second: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    """How many calls may a key make? (section 8)

    number: calls per second; 0: any number
    """

    burst: Annotated[int, Field(ge=0)] = 0
    """How many of them at once? (section 8)

    number: calls; 0: those of one second, at least one
    """

    retry_after: Literal["seconds", "date", "absent"] = "seconds"
    """How does a 429 say when to come back? (section 8)

    seconds: Retry-After with seconds
    date: Retry-After with a date
    absent: it does not
    """
