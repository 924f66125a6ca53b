"""Helpers of the tests of the dialect: the variants of a switch as parameters, and a call of each operation."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, cast, get_args, get_origin
from urllib.parse import quote

import httpx
import pytest

from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.spec import BY_ID
from support import Emulator
from support.emulator.cases import assigning, send
from support.wire import call

FREE = "res-contoso-user-20"
PROTECTED = "res-contoso-user-01"
GOLD, SILVER = "policy-contoso-gold", "policy-contoso-silver"


def variants_of(field: str) -> set[str]:
    """Return the variants of a switch; an empty set for a number."""
    annotation = Dialect.model_fields[field].annotation
    return set(get_args(annotation)) if get_origin(annotation) is Literal else set()


def each_variant(
    switch: str, numbers: Mapping[float, object] | None = None, **words: object
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test in each variant of a switch: it gets the answer that is `expected` then, and the `variant` if it asks.

    The dialect is set before the test, which may set it again after a reset or together with other switches.
    """
    expected: Mapping[Any, object] = numbers or words
    assert variants_of(switch) in (set(), set(expected)), f"not all variants of {switch} are tested"
    parameters = [((switch, variant), value) for variant, value in expected.items()]

    def parametrize(test: Callable[..., None]) -> Callable[..., None]:
        names = [str(variant) for variant in expected]
        cases = pytest.mark.parametrize(("variant", "expected"), parameters, ids=names, indirect=["variant"])
        parametrized: Callable[..., None] = pytest.mark.usefixtures("variant")(cases(test))
        return parametrized

    return parametrize


def protect(service: httpx.Client, resource_id: str, policy_id: str) -> httpx.Response:
    return send(service, assigning(quote(resource_id, safe=""), policy_id))


def records_of(emulator: Emulator, section: str, **fields: str) -> list[dict[str, Any]]:
    """Return the records of the true state that have these values."""
    return [record for record in emulator.state()[section] if fields.items() <= record.items()]


def answer(service: httpx.Client, operation_id: str) -> Any:  # noqa: ANN401 - JSON
    """Return the answer of an operation about the demo estate, which succeeds in every preset."""
    changed = {
        "create_org": {"parent_org_id": "org-alpine"},
        "list_orgs": {"org_id": "org-alpine"},
        "protect_resource": {"resource_id": FREE},
        # It has all fields.
        "get_task": {"task_id": "task-contoso-01"},
    }
    return call(service, BY_ID[operation_id], **changed.get(operation_id, {})).raise_for_status().json()


def fields_of(value: object) -> Iterator[tuple[str, object]]:
    """Return the fields of an answer with their values, at all depths."""
    if isinstance(value, dict):
        for name, field in cast("dict[str, object]", value).items():
            yield name, field
            yield from fields_of(field)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from fields_of(item)
