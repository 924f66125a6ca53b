"""How a program names a resource or a policy, and which one it means."""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from pulumi_dataprotection.client._call import EXTERNAL_ID_PREFIX
from pulumi_dataprotection.client.errors import AmbiguousReferenceError, ReferenceNotFoundError
from pulumi_dataprotection.client.records import Policy, Resource

__all__ = ["ResourceIndex", "find_policy", "folded", "is_named", "same_text"]


class ResourceIndex:
    """The resources of a tenant, found by reference.

    A reference is an exact id; else `ext$` and an exact external id; else an exact name without regard to case.
    Where a name is had by several, those that are not archived come first. Never a guess, never a near match.
    """

    def __init__(self, tenant_id: str, resources: Iterable[Resource]) -> None:
        self._tenant_id = tenant_id
        self.by_id = {resource.id: resource for resource in resources}

    # Each is made when the first reference of its kind is looked up: most programs use one kind.

    @cached_property
    def _by_external_id(self) -> Mapping[str, list[Resource]]:
        return _grouped(self.by_id.values(), lambda resource: resource.external_id)

    @cached_property
    def _by_name(self) -> Mapping[str, list[Resource]]:
        return _grouped(self.by_id.values(), lambda resource: folded(resource.name or ""))

    def __len__(self) -> int:
        return len(self.by_id)

    def find(self, reference: str) -> Resource:
        """Return the resource that is meant.

        Raises:
            ReferenceNotFoundError: none has this id, external id or name.
            AmbiguousReferenceError: several have this name.
        """
        if reference in self.by_id:
            return self.by_id[reference]
        if reference.startswith(EXTERNAL_ID_PREFIX):
            matches = self._by_external_id.get(reference.removeprefix(EXTERNAL_ID_PREFIX), [])
        else:
            matches = self._by_name.get(folded(reference), [])
            matches = [match for match in matches if not match.archived] or matches
        if len(matches) == 1:
            return matches[0]
        where = f"in tenant {self._tenant_id}"
        if not matches:
            raise ReferenceNotFoundError(
                f'no resource "{reference}" {where}: it is no id, no name, '
                f"and no {EXTERNAL_ID_PREFIX} with an external id"
            )
        candidates = ", ".join(f"{match.kind} {match.id}" for match in matches)
        raise AmbiguousReferenceError(
            f'"{reference}" means {len(matches)} resources {where}: {candidates}. Use the id of one'
        )


def _grouped(resources: Iterable[Resource], key_of: Callable[[Resource], str | None]) -> Mapping[str, list[Resource]]:
    found: defaultdict[str, list[Resource]] = defaultdict(list)
    for resource in resources:
        # What has no name is not what an empty name means.
        if key := key_of(resource):
            found[key].append(resource)
    return found


def is_named(resource: Resource, reference: str) -> bool:
    """Return whether a reference is the id, the external id or the name of a resource.

    A resource whose name the service does not state may have any.
    """
    if reference == resource.id:
        return True
    if reference.startswith(EXTERNAL_ID_PREFIX):
        return resource.external_id == reference.removeprefix(EXTERNAL_ID_PREFIX)
    return resource.name is None or resource.name == reference or folded(resource.name) == folded(reference)


def find_policy(tenant_id: str, policies: Sequence[Policy], reference: str, known_id: str | None = None) -> Policy:
    """Return the policy that is meant: an exact id, else an exact name, else the policy that it meant before.

    Raises:
        ReferenceNotFoundError: none has this id or name.
        AmbiguousReferenceError: several have this name.
    """
    matches = [policy for policy in policies if policy.id == reference]
    matches = matches or [policy for policy in policies if policy.name and same_text(policy.name, reference)]
    matches = matches or [policy for policy in policies if policy.id == known_id]
    if len(matches) == 1:
        return matches[0]
    where = f"in tenant {tenant_id}"
    if not matches:
        known = ", ".join(f'"{policy.name}" ({policy.id})' for policy in policies) or "none"
        raise ReferenceNotFoundError(f'no policy "{reference}" {where}; there are: {known}')
    candidates = ", ".join(match.id for match in matches)
    raise AmbiguousReferenceError(f'"{reference}" means {len(matches)} policies {where}: {candidates}. Use the id')


def same_text(one: str | None, other: str | None) -> bool:
    """Compare two texts in one Unicode normal form, since services and programs choose different ones."""
    return _normal(one or "") == _normal(other or "")


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def folded(text: str) -> str:
    """Return the form of a text in which texts are compared without regard to case."""
    if text.isascii():
        return text.casefold()
    # Unicode's canonical caseless match: in the composed form a case can hide behind another mark.
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", decomposed.casefold())
