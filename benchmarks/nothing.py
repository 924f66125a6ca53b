"""Dynamic resources with the properties of a protection and of a set, whose providers do nothing."""

from typing import Any

import pulumi
from pulumi.dynamic import CreateResult, Resource, ResourceProvider, UpdateResult

__all__ = ["Nothing", "NothingProvider", "NothingSet", "NothingSetProvider"]

_COMPUTED = ("resource_id", "policy_id", "job_id", "own_policy_id", "schema_version")


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


class NothingSetProvider(ResourceProvider):
    """Keeps a map, and makes up a second one of the same size."""

    serialize_as_secret_always = False

    def create(self, props: dict[str, Any]) -> CreateResult:
        """Make up an id for each key of the map."""
        return CreateResult("all", _with_ids(props))

    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        """Do the same again."""
        return UpdateResult(_with_ids(_news))


def _with_ids(props: dict[str, Any]) -> dict[str, Any]:
    return {**props, "ids": {name: f"res-{number:07}" for number, name in enumerate(props["assignments"])}}


class NothingSet(Resource, module="benchmark", name="NothingSet"):
    """Is declared as a set of protections is.

    Args:
        resource_name: the name in the program.
        tenant_id: some text.
        assignments: a map of any size.
    """

    def __init__(self, resource_name: str, *, tenant_id: str, assignments: dict[str, str]) -> None:
        inputs = {"tenant_id": tenant_id, "assignments": assignments, "ids": None}
        super().__init__(NothingSetProvider(), resource_name, inputs, pulumi.ResourceOptions())
