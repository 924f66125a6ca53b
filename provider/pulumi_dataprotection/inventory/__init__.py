"""The estate of a key, read one tenant at a time, and the states of the stacks that declare parts of it."""

from pulumi_dataprotection.inventory.contents import TenantContents, open_contents, read_contents
from pulumi_dataprotection.inventory.state_sources import StateSelection, read_states
from pulumi_dataprotection.inventory.states import Declared, StackState, StateResource
from pulumi_dataprotection.inventory.tenants import (
    LEFT_OUT,
    OrgTenants,
    Report,
    Scope,
    find_tenants,
    tenant_label,
    walk_orgs,
)

__all__ = [
    "LEFT_OUT",
    "Declared",
    "OrgTenants",
    "Report",
    "Scope",
    "StackState",
    "StateResource",
    "StateSelection",
    "TenantContents",
    "find_tenants",
    "open_contents",
    "read_contents",
    "read_states",
    "tenant_label",
    "walk_orgs",
]
