"""The service's records, field by field (section 2 of the interface).

A field has the service's name in whole words: `qty` is `quantity`, `sub_id` is `subscription_id`. A record is a
dictionary, which has a method `items`, so that a field `items` has the name of its content: `periods`. A field that the
interface does not name is read under each name that services give it; a value of another type is None.
"""

from collections.abc import Mapping
from typing import Annotated, TypeVar, cast, get_type_hints

from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BeforeValidator,
    Field,
    PlainSerializer,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic.dataclasses import dataclass

from pulumi_dataprotection.client._record import (
    MAX_EXACT,
    OpenRecord,
    Record,
    WideInt,
    json_object,
    read_names,
    with_wide_ints,
)
from pulumi_dataprotection.client._times import Time, Timestamp, parse_time, rfc3339

__all__ = [
    "MAX_EXACT",
    "UNLIMITED",
    "Archive",
    "ArchiveStats",
    "AuditEvent",
    "CreateOrgResult",
    "Installation",
    "OpenRecord",
    "Org",
    "Policy",
    "ProtectResourceResult",
    "Protection",
    "Quota",
    "Record",
    "Resource",
    "ResourceStats",
    "ResourceStatsDetailedEntry",
    "ResourceStatsTotalEntry",
    "ResourceTenantStats",
    "Subscription",
    "SubscriptionHistory",
    "SubscriptionItem",
    "SubscriptionPeriod",
    "Task",
    "TaskCounts",
    "TaskStats",
    "Tenant",
    "TenantQuotas",
    "Timestamp",
    "TriggerJobResult",
    "WideInt",
    "parse_time",
    "read_names",
    "rfc3339",
]

T = TypeVar("T")

UNLIMITED = 2**32 - 1
"""The limit of a quota without a limit."""


def _else_none(value: object, validate: ValidatorFunctionWrapHandler) -> object:
    """Leave out what another service may mean by a field of this name."""
    try:
        return validate(value)
    except ValidationError:
        return None


def _else_empty(value: object, validate: ValidatorFunctionWrapHandler) -> object:
    return _else_none(value, validate) or []


def _else_no_entries(value: object, validate: ValidatorFunctionWrapHandler) -> object:
    return _else_none(value, validate) or {}


def _spread(sent: object) -> object:
    """Spread records that are nested below their subscription."""
    if not isinstance(sent, list):
        return sent
    spread: list[object] = []
    for part in cast("list[object]", sent):
        fields = json_object(part) or {}
        records = fields.get("records")
        nested = cast("list[object]", records) if isinstance(records, list) else None
        spread += [part] if nested is None else [{**fields, **(json_object(record) or {})} for record in nested]
    return spread


def _by_status(sent: object) -> object:
    """Read counts by status from a list of them; statuses may be in upper case, and must not all be unknown."""
    if isinstance(sent, list):
        counts = [fields for fields in map(json_object, cast("list[object]", sent)) if fields]
        sent = {str(fields.get("status")): fields.get("count", 0) for fields in counts}
    fields = json_object(sent)
    counted = {name.lower(): count for name, count in (fields or {}).items()}
    return counted if fields == {} or {*get_type_hints(TaskCounts)} & counted.keys() else None


# 64-bit integers travel as decimal text, since JSON's readers, Pulumi's state among them, round them.
Decimal = Annotated[int, AfterValidator(with_wide_ints), PlainSerializer(str, when_used="json")]

# Servers written in Go send null for an empty list.
Items = Annotated[list[T], BeforeValidator(lambda sent: [] if sent is None else sent)]

# A field that the interface does not name.
Open = Annotated[T | None, WrapValidator(_else_none)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Org(Record):
    """An organization.

    Attributes:
        id: its id.
        external_id: its id in another system, such as a CRM.
        kind: distributor, msp or basic.
        name: its name.
    """

    id: str
    external_id: str | None = None
    kind: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateOrgResult(Record):
    """A newly created organization, and the address that makes the invited user its administrator: a secret."""

    org: Org
    invitation_url: str | None = Field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation(Record):
    """Where the calling application is installed: for one tenant, or for a whole organization.

    Attributes:
        tenant_id: the tenant; empty if it is installed for an organization.
        org_id: the organization; empty if it is installed for a tenant.
    """

    tenant_id: str | None = None
    org_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant(OpenRecord):
    """A connected customer workspace.

    Attributes:
        id: its id.
        external_id: its id in the office suite.
        kind: the office suite, in the service's own word.
        name: its name, usually the domain.
        region: the place of its data, in two letters such as US or UK.
        deleted: whether the service says that the tenant was terminated. Such a tenant cannot be queried any more.
    """

    id: str = Field(validation_alias=AliasChoices("id", "tenant_id"))
    external_id: Open[str] = None
    kind: str | None = None
    name: str | None = None
    region: Open[str] = None
    deleted: bool = Field(default=False, init=False)

    def __post_init__(self) -> None:
        states = (self.fields.get(name) for name in ("deleted", "status", "state"))
        deleted = any(state is True or (isinstance(state, str) and state.lower() in _DELETED) for state in states)
        object.__setattr__(self, "deleted", deleted)
        Record.__post_init__(self)


_DELETED = {"deleted", "terminated", "true"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource(Record):
    """Something in a tenant that can be protected: a user, a shared drive.

    Attributes:
        id: its id.
        external_id: its id in the office suite.
        tenant_id: the tenant that owns it.
        name: a user's e-mail address, or the name of a shared drive.
        kind: what it is, such as `office_user` or `office_teamdrive`.
        archived: whether it can be backed up no more, for example since it was deleted.
    """

    id: str
    external_id: str | None = None
    tenant_id: str | None = None
    name: str | None = None
    kind: str | None = None
    archived: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Record):
    """A protection policy of a tenant.

    Attributes:
        id: its id.
        tenant_id: the tenant that owns it.
        name: its name.
    """

    id: str
    tenant_id: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection(Record):
    """A policy applied to a resource.

    Attributes:
        id: its id.
        resource_id: the resource.
        policy_id: the policy that is on it.
        job_id: the job that backs it up, as a `BackupRun` takes it.
    """

    id: str
    resource_id: str
    policy_id: str
    job_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectResourceResult(Record):
    """The job that belongs to a protection."""

    job_id: str = Field(min_length=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveStats(Record):
    """Statistics of an archive.

    Attributes:
        size: the storage that it takes, in KB.
    """

    size: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive(Record):
    """Related backups of one resource in one location.

    Attributes:
        id: its id.
        tenant_id: the tenant that owns it.
        resource_id: whose backups they are.
        delete_pending: whether its deletion is scheduled.
        created_at: when it was created.
        stats: its `size` in KB.
    """

    id: str
    tenant_id: str | None = None
    resource_id: str | None = None
    delete_pending: bool | None = None
    created_at: Time = None
    stats: ArchiveStats | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent(Record):
    """Something that was done in a tenant.

    Attributes:
        id: its id.
        actor_email: the address of who did it.
        actor_name: the name of who did it.
        action: what was done, in the service's own word.
        subject: to what.
        created_at: when.
        details: more about it as JSON text, which may change from one version of the service to the next.
    """

    id: str
    actor_email: str | None = None
    actor_name: str | None = None
    action: str | None = None
    subject: str | None = None
    created_at: Time = None
    details: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota(Record):
    """The licensed limit for one kind of item, and its use.

    Attributes:
        kind: the kind, such as resource or storage.
        used: the number of units in use.
        limit: the number of units that are allowed, which the interface calls `count`. With automatic licensing it is
            the subscription's `auto_license_max`.
        units: MB or GB for storage, else empty.
        exceeded: whether the limit is exceeded: the service is restricted, and backups may fail.
        unlimited: whether the limit is 4294967295, which stands for no limit.
    """

    kind: str | None = None
    used: Open[Decimal] = None
    limit: Decimal | None = Field(default=None, validation_alias=AliasChoices("limit", "count"))
    units: str | None = None
    exceeded: Open[bool] = None
    unlimited: bool = Field(default=False, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "unlimited", self.limit == UNLIMITED)
        Record.__post_init__(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantQuotas(OpenRecord):
    """Usage and limits of a tenant.

    Attributes:
        quotas: the limits.
    """

    quotas: Items[Quota] = Field(default_factory=list[Quota], validation_alias=AliasChoices("items", "quotas"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceStatsDetailedEntry(Record):
    """How many resources of one kind there are, and how many of them are protected.

    Attributes:
        kind: the kind of resource.
        count: the number of resources.
        protected_count: the number of protected resources.
    """

    kind: str | None = None
    count: int = 0
    protected_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceStatsTotalEntry(Record):
    """The same over all kinds.

    Attributes:
        count: the number of resources.
        protected_count: the number of protected resources.
        size_total: the storage that they take, in KB.
    """

    count: int = 0
    protected_count: int = 0
    size_total: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceTenantStats(Record):
    """The statistics of one tenant.

    Attributes:
        tenant_id: the tenant.
        kind: its kind.
        name: its name.
        resource_details: the counts for each kind of resource.
        resources_total: the counts over all kinds.
    """

    tenant_id: str
    kind: str | None = None
    name: str | None = None
    resource_details: Items[ResourceStatsDetailedEntry] = Field(default_factory=list[ResourceStatsDetailedEntry])
    resources_total: ResourceStatsTotalEntry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceStats(Record):
    """Protection statistics per tenant.

    Attributes:
        tenants: the statistics of each tenant.
    """

    tenants: Items[ResourceTenantStats] = Field(default_factory=list[ResourceTenantStats])


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionItem(Record):
    """The licences of one kind in a subscription.

    Attributes:
        kind: the kind of licence, in the service's own word.
        quantity: the number of licences. A unit of extra storage stands for 100 GB.
        auto_license: whether licences are added automatically as they are needed.
        auto_license_max: the maximum of the automatically added licences.
    """

    kind: Open[str] = None
    quantity: Open[Decimal] = Field(default=None, validation_alias=AliasChoices("quantity", "qty"))
    auto_license: Open[bool] = None
    auto_license_max: Open[Decimal] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription(OpenRecord):
    """A licensing subscription of a tenant.

    Attributes:
        id: its id, if the service sends an id.
        tenant_id: the tenant.
        status: trial, trial_expired, active, expired or canceled.
        expires: the time of its end or renewal.
        licensed_items: the licences by kind.
    """

    id: str | None = Field(default=None, validation_alias=AliasChoices("id", "subscription_id"))
    tenant_id: Open[str] = None
    status: Open[str] = None
    expires: Annotated[Time, WrapValidator(_else_none)] = None
    licensed_items: Annotated[list[SubscriptionItem], WrapValidator(_else_empty)] = Field(
        default_factory=list[SubscriptionItem], validation_alias=AliasChoices("items", "licensed_items")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionPeriod(Record):
    """The use of a subscription in an interval without a change of its quantity.

    Attributes:
        subscription_id: the subscription.
        tenant_id: the tenant.
        kind: the kind of licence.
        quantity: the number of licences.
        start: the start of the interval.
        end: the end of the interval.
        amount: the amount billed for the interval, in cents. It may change until the invoice.
    """

    subscription_id: Open[str] = Field(default=None, validation_alias=AliasChoices("subscription_id", "sub_id"))
    tenant_id: Open[str] = None
    kind: Open[str] = None
    quantity: Open[Decimal] = Field(default=None, validation_alias=AliasChoices("quantity", "qty"))
    start: Annotated[Time, WrapValidator(_else_none)] = None
    end: Annotated[Time, WrapValidator(_else_none)] = None
    amount: Open[Decimal] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionHistory(OpenRecord):
    """The historical usage of an organization's subscriptions.

    Attributes:
        periods: the intervals, several of a subscription if its quantity changed.
    """

    periods: Annotated[list[SubscriptionPeriod], BeforeValidator(_spread), WrapValidator(_else_empty)] = Field(
        default_factory=list[SubscriptionPeriod], validation_alias=AliasChoices("items", "subscriptions", "periods")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(OpenRecord):
    """One run of a job. Services differ in the fields that they send.

    Attributes:
        id: its id.
        resource_id: the resource that is backed up.
        status: its status, in the service's own word. A task that is open, inprogress or suspended goes on. It has
            ended if it is done, warnings (done, with a problem to look at), failed or canceled.
        message: the problem, if the service sends it.
        started_at: the start, if the service sends it.
    """

    id: str = Field(validation_alias=AliasChoices("id", "task_id"))
    resource_id: Open[str] = None
    status: str | None = Field(default=None, validation_alias=AliasChoices("status", "state"))
    message: Open[str] = Field(default=None, validation_alias=AliasChoices("message", "error"))
    started_at: Annotated[Time, WrapValidator(_else_none)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerJobResult(OpenRecord):
    """The task that was spawned."""

    task_id: str = Field(validation_alias=AliasChoices("task_id", "id", AliasPath("task", "id")))


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCounts(Record):
    """Ended tasks, counted by status.

    Attributes:
        done: the number of tasks without a problem.
        warnings: the number of tasks that are done, with a problem to look at.
        failed: the number of tasks that failed.
    """

    done: int = 0
    warnings: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStats(OpenRecord):
    """The tasks of a period, counted by status.

    Attributes:
        total: the counts over all tasks; None if the service does not state them.
        by_action: the counts for each action of tasks, in the service's own word.
    """

    total: Annotated[Open[TaskCounts], BeforeValidator(_by_status)] = Field(
        default=None, validation_alias=AliasChoices("total", "statuses", "items")
    )
    by_action: Annotated[Mapping[str, TaskCounts], WrapValidator(_else_no_entries)] = Field(
        default_factory=dict[str, TaskCounts]
    )
