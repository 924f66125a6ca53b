"""A dynamic provider as one writes it by Pulumi's guide: a resource for each protection, a call for each thing."""

import os
from typing import Any

import httpx
import pulumi
from pulumi.dynamic import (
    ConfigureRequest,
    CreateResult,
    DiffResult,
    ReadResult,
    Resource,
    ResourceProvider,
    UpdateResult,
)

__all__ = ["HandwrittenProtection", "HandwrittenProvider"]


class HandwrittenProvider(ResourceProvider):
    """Is a little better than the guide's: it keeps its connections, and its class is no secret in the state."""

    serialize_as_secret_always = False
    _http: httpx.Client

    def configure(self, req: ConfigureRequest) -> None:  # noqa: ARG002 - the key comes from the environment
        """Open the connections."""
        headers = {"Authorization": os.environ["SERVICE_KEY"]}
        self._http = httpx.Client(base_url=os.environ["SERVICE_URL"], headers=headers, timeout=30)

    def create(self, props: dict[str, Any]) -> CreateResult:
        """Protect."""
        return CreateResult(f"{props['tenant_id']}/{props['resource_id']}", {**props, "job_id": self._protect(props)})

    def read(self, id_: str, props: dict[str, Any]) -> ReadResult:
        """Ask for the protections of the resource."""
        url = f"/api/v1/tenants/{props['tenant_id']}/protections"
        response = self._http.get(url, params={"resource_id": props["resource_id"]})
        response.raise_for_status()
        for protection in response.json()["items"]:
            live = {"policy_id": protection["policy_id"]}
            inputs = {name: props[name] for name in ("tenant_id", "resource_id")}
            return ReadResult(id_, {**props, **live, "job_id": protection["job_id"]}, {**inputs, **live})
        return ReadResult("", {})

    def diff(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> DiffResult:
        """Compare."""
        replaces = [name for name in ("tenant_id", "resource_id") if _olds[name] != _news[name]]
        changes = bool(replaces) or _olds["policy_id"] != _news["policy_id"]
        return DiffResult(changes=changes, replaces=replaces, delete_before_replace=True)

    def update(self, id_: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        """Take the old policy off and put the new one on."""
        self.delete(id_, _olds)
        return UpdateResult({**_news, "job_id": self._protect(_news)})

    def delete(self, _id: str, _props: dict[str, Any]) -> None:
        """Unprotect."""
        self._http.delete(_path(_props), params={"policy_id": _props["policy_id"]}).raise_for_status()

    def _protect(self, props: dict[str, Any]) -> str:
        response = self._http.post(_path(props), params={"policy_id": props["policy_id"]}, json={})
        response.raise_for_status()
        job_id: str = response.json()["job_id"]
        return job_id


def _path(props: dict[str, Any]) -> str:
    return f"/api/v1/tenants/{props['tenant_id']}/resources/{props['resource_id']}/protect"


class HandwrittenProtection(Resource, module="benchmark", name="HandwrittenProtection"):
    """A policy on one resource, each named by its id.

    Args:
        resource_name: the name in the program.
        tenant_id: the tenant's id.
        resource_id: the resource's id.
        policy_id: the policy's id.
    """

    job_id: pulumi.Output[str]

    def __init__(self, resource_name: str, tenant_id: str, resource_id: str, policy_id: str) -> None:
        props = {"tenant_id": tenant_id, "resource_id": resource_id, "policy_id": policy_id, "job_id": None}
        super().__init__(HandwrittenProvider(), resource_name, props)
