"""A dynamic resource with the properties of a protection, whose provider does nothing."""

from typing import Any

import pulumi
from pulumi.dynamic import CreateResult, Resource, ResourceProvider, UpdateResult

__all__ = ["Nothing", "NothingProvider"]

_COMPUTED = ("resource_id", "policy_id", "job_id", "protection_id", "own_policy_id", "schema_version")


class NothingProvider(ResourceProvider):
    """Takes what it is given for what there is; its class is stored in the state as that of a protection is."""

    serialize_as_secret_always = False

    def create(self, props: dict[str, Any]) -> CreateResult:
        """Make up what a service would answer."""
        resource: str = props["resource"]
        return CreateResult(resource, {**props, **{name: f"{name}-0123456789abcdef" for name in _COMPUTED}})

    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        """Keep what there was beside the inputs."""
        return UpdateResult({**_olds, **_news})


class Nothing(Resource, module="benchmark", name="Nothing"):
    """Is declared as a protection is.

    Args:
        resource_name: the name in the program.
        tenant_id: some text.
        resource: some text.
        policy: some text.
    """

    def __init__(self, resource_name: str, *, tenant_id: str, resource: str, policy: str) -> None:
        inputs = {
            "tenant_id": tenant_id,
            "resource": resource,
            "policy": policy,
            "on_conflict": "fail",
            "on_destroy": "unprotect",
            "profile": None,
        }
        options = pulumi.ResourceOptions()
        super().__init__(NothingProvider(), resource_name, {**dict.fromkeys(_COMPUTED), **inputs}, options)
