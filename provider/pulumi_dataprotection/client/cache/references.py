"""How a program names a resource or a policy, and which one it means."""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client._call import EXTERNAL_ID_PREFIX
from pulumi_dataprotection.client.cache.single_flight import CachedValue
from pulumi_dataprotection.client.errors import AmbiguousReferenceError, ReferenceNotFoundError
from pulumi_dataprotection.client.records import Policy, Resource

__all__ = ["Policies", "ResourceIndex", "folded", "is_named", "same_text"]


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
        where = f"in tenant {printable(self._tenant_id)}"
        if not matches:
            raise ReferenceNotFoundError(
                f'no resource "{printable(reference)}" {where}: it is not an id, not a name, '
                f"and not {EXTERNAL_ID_PREFIX} with an external id"
            )
        candidates = ", ".join(f"{printable(match.kind)} {printable(match.id)}" for match in matches)
        raise AmbiguousReferenceError(
            f'"{printable(reference)}" means {len(matches)} resources {where}: {candidates}. Use the id of one'
        )


def _grouped(resources: Iterable[Resource], key_of: Callable[[Resource], str | None]) -> Mapping[str, list[Resource]]:
    found: defaultdict[str, list[Resource]] = defaultdict(list)
    for resource in resources:
        # An empty name does not mean an item without a name.
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


class Policies:
    """The policies of a tenant, found by reference.

    Args:
        tenant_id: the tenant.
        read: lists the policies (operation 14).
    """

    def __init__(self, tenant_id: str, read: Callable[[], list[Policy]]) -> None:
        self._tenant_id = tenant_id
        self._cached = CachedValue(read)

    def all(self) -> list[Policy]:
        """Return all policies."""
        return self._cached.get()

    def find(self, reference: str, known_id: str | None = None, *, follow: bool = True) -> Policy:
        """Return the policy that a reference means: an exact id, an exact name, or the policy that it meant before.

        Args:
            reference: an id or a name.
            known_id: the policy that the reference meant before.
            follow: whether the reference passes on to another policy if the known policy has lost it.

        Raises:
            ReferenceNotFoundError: No policy has this id or name.
            AmbiguousReferenceError: Several policies have this name.
            CallError: The policies cannot be read.
        """
        policies = self.all()
        known = [policy for policy in policies if policy.id == known_id]
        if known and not follow:
            return known[0]
        matches = [policy for policy in policies if policy.id == reference]
        matches = matches or [policy for policy in policies if policy.name and same_text(policy.name, reference)]
        matches = matches or known
        if len(matches) == 1:
            return matches[0]
        where = f"in tenant {printable(self._tenant_id)}"
        if not matches:
            there_are = ", ".join(self.label(policy.id) for policy in policies) or "none"
            raise ReferenceNotFoundError(f'no policy "{printable(reference)}" {where}; there are: {there_are}')
        candidates = ", ".join(printable(match.id) for match in matches)
        raise AmbiguousReferenceError(
            f'"{printable(reference)}" means {len(matches)} policies {where}: {candidates}. Use the id'
        )

    def label(self, policy_id: str) -> str:
        """Return a policy as messages name it."""
        names = [policy.name for policy in self.all() if policy.id == policy_id and policy.name]
        return f'"{printable(names[0])}" ({printable(policy_id)})' if names else printable(policy_id)


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
