"""The handlers of all operations; each is named as its operation."""

from collections.abc import Callable, Mapping

from pulumi_dataprotection.emulator.handlers.archives import delete_archive, list_archives
from pulumi_dataprotection.emulator.handlers.audit import list_audit_events
from pulumi_dataprotection.emulator.handlers.installations import list_installations
from pulumi_dataprotection.emulator.handlers.licensing import get_subscription_history, list_subscriptions
from pulumi_dataprotection.emulator.handlers.orgs import create_org, get_org, list_orgs
from pulumi_dataprotection.emulator.handlers.policies import (
    list_policies,
    list_protections,
    protect_resource,
    unprotect_resource,
)
from pulumi_dataprotection.emulator.handlers.resources import get_resource, get_resource_stats, list_resources
from pulumi_dataprotection.emulator.handlers.tasks import get_task, get_task_stats, trigger_job
from pulumi_dataprotection.emulator.handlers.tenants import get_tenant, get_tenant_quotas, list_tenants
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Store

__all__ = ["HANDLERS", "Handler"]

Handler = Callable[[Request, Store], Payload]

_ALL = (
    list_installations,
    create_org,
    get_org,
    list_orgs,
    list_tenants,
    list_subscriptions,
    get_subscription_history,
    get_tenant,
    get_tenant_quotas,
    list_archives,
    delete_archive,
    list_audit_events,
    trigger_job,
    list_policies,
    list_protections,
    list_resources,
    get_resource_stats,
    get_resource,
    protect_resource,
    unprotect_resource,
    get_task_stats,
    get_task,
)

HANDLERS: Mapping[str, Handler] = {handler.__name__: handler for handler in _ALL}
