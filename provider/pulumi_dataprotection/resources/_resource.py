"""What a program declares: how a resource class hands its arguments to the engine."""

from __future__ import annotations

from typing import ClassVar, Self

import pulumi
from pulumi.dynamic import Resource

from pulumi_dataprotection.resources._provider import Provider
from pulumi_dataprotection.resources._sendable import sendable

__all__ = ["DeclaredResource"]


class DeclaredResource(Resource):
    """A resource of this package.

    Attributes:
        provider_class: carries out its operations.
        outputs: the names of all its properties; what is not among them does not exist in a program.
        secret_outputs: those that the service makes and nobody may see.
    """

    provider_class: ClassVar[type[Provider]]
    outputs: ClassVar[tuple[str, ...]]
    secret_outputs: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        resource_name: str,
        inputs: dict[str, object],
        opts: pulumi.ResourceOptions | None,
        *,
        id: pulumi.Input[str] | None = None,
    ) -> None:
        # A resource that was deleted first would leave an item without a policy, or lose what is known only once.
        ours = pulumi.ResourceOptions(
            id=id, additional_secret_outputs=list(self.secret_outputs), delete_before_replace=False
        )
        arguments = {
            argument: sendable(value, f'{argument} of {type(self).__name__} "{resource_name}"')
            for argument, value in inputs.items()
        }
        properties = {**dict.fromkeys(self.outputs), **arguments}
        super().__init__(self.provider_class(), resource_name, properties, pulumi.ResourceOptions.merge(opts, ours))

    @classmethod
    def get(
        cls,
        resource_name: str,
        id: pulumi.Input[str],
        *,
        profile: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> Self:
        """Read one that is not managed here; one that does not exist is an error.

        Args:
            resource_name: the name in the program.
            id: the id, as the resource's own `id` has it.
            profile: the profile of the config whose key is used.
            opts: the usual options of a resource.
        """
        found = cls.__new__(cls)
        DeclaredResource.__init__(found, resource_name, {"profile": profile}, opts, id=id)
        return found
