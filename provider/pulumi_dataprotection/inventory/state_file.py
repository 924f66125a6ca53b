"""The file of a state: the resources of this package in it, with their secrets in plain text where it has them."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from typing import cast

from pydantic import ConfigDict, TypeAdapter, ValidationError

from pulumi_dataprotection.inventory.states import StackState, StateResource

__all__ = ["parse_state"]

_TYPES = "pulumi-python:dynamic/dataprotection:"
"""The start of the type tokens of this package."""

# https://github.com/pulumi/pulumi/blob/v3.274.1/sdk/go/common/resource/sig/sig.go
_SIGNATURE = "4dabf18193072939515e22adb298388d"
_SECRET = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105 - the mark of a secret, the same in all states

_UNUSED = {"__provider", "admin_email", "invitation_url"}
"""Properties that no comparison needs: the same in all states, or secret."""

_TEXTS = TypeAdapter(dict[str, str], config=ConfigDict(strict=True))
_SHAPES: Mapping[str, TypeAdapter[dict[str, str]] | TypeAdapter[dict[str, list[str]]]] = {
    **dict.fromkeys(("assignments", "resource_ids", "policy_ids", "protected", "adopted", "passed_on"), _TEXTS),
    "displaced": TypeAdapter(dict[str, list[str]], config=ConfigDict(strict=True)),
}
"""The properties that are maps, with their shapes."""

_GZIP = b"\x1f\x8b"

Properties = Mapping[str, object]


def parse_state(content: bytes, name: str, source: str) -> StackState:
    """Read the state of a stack from an export, or from a file of a backend that keeps files.

    Args:
        content: the content of the file, compressed or not.
        name: the stack's name, if the state does not show it.
        source: the folder or the file that it comes from.

    Returns:
        The state. If it cannot be read, its problem is the reason.
    """
    try:
        whole = json.loads(gzip.decompress(content) if content.startswith(_GZIP) else content)
        checkpoint = _mapping(whole).get("checkpoint")
        deployment = _mapping(whole).get("deployment")
        stack = _mapping(checkpoint).get("stack")
        if isinstance(checkpoint, dict):
            deployment = _mapping(cast("object", checkpoint)).get("latest")
        elif "deployment" not in _mapping(whole):
            return StackState(name, source, problem="it is not the state of a stack")
        resources = [*_resources(deployment)]
    except (OSError, EOFError, zlib.error):
        return StackState(name, source, problem="it is not complete: it cannot be decompressed")
    except (ValueError, RecursionError):
        return StackState(name, source, problem="it is not complete, or is not JSON")
    except _BrokenStateError as error:
        return StackState(name, source, problem=str(error))
    named = stack.rsplit("/", 1)[-1] if isinstance(stack, str) and stack else _stack_in(deployment)
    return StackState(named or name, source, resources)


class _BrokenStateError(Exception):
    """A state has another shape than the engine writes; the text says which part."""


def _resources(deployment: object) -> Iterator[StateResource]:
    resources: object = _mapping(deployment).get("resources") or []
    if not isinstance(resources, list):
        raise _BrokenStateError("its resources are not a list")
    for resource in map(_mapping, cast("list[object]", resources)):
        kind = str(resource.get("type") or "")
        # The program does not manage an external resource, and the engine is about to delete the others.
        if kind.startswith(_TYPES) and not resource.get("external") and not resource.get("delete"):
            yield _resource(resource, kind.removeprefix(_TYPES))


def _resource(resource: Properties, kind: str) -> StateResource:
    urn, id = resource.get("urn"), resource.get("id")
    if not isinstance(urn, str) or not isinstance(id, str) or not id:
        raise _BrokenStateError("one of its resources has no URN or no id")
    secret, hidden = set[str](), set[str]()
    inputs, outputs = (_revealed(_mapping(resource.get(part)), secret, hidden) for part in ("inputs", "outputs"))
    for name, shape in _SHAPES.items():
        try:
            shape.validate_python(inputs.get(name) or {})
            shape.validate_python(outputs.get(name) or {})
        except ValidationError:
            raise _BrokenStateError(
                f"`{name}` of one of its resources does not have the shape that this package writes"
            ) from None
    return StateResource(urn, kind, id, inputs, outputs, frozenset(secret), frozenset(hidden))


def _revealed(properties: Properties, secret: set[str], hidden: set[str]) -> dict[str, object]:
    """Return properties in plain text, and note those that are secret and those that are encrypted."""
    found: dict[str, object] = {}
    for name, value in properties.items():
        if name in _UNUSED:
            continue
        marks = set[str]()
        plain = _plain(value, marks)
        secret.update([name] if marks else [])
        if "ciphertext" in marks:
            hidden.add(name)
        else:
            found[name] = plain
    return found


def _plain(value: object, marks: set[str]) -> object:
    if isinstance(value, dict):
        known = cast("dict[str, object]", value)
        if known.get(_SIGNATURE) == _SECRET:
            text = known.get("plaintext")
            marks.add("plaintext" if isinstance(text, str) else "ciphertext")
            return _plain(json.loads(text), marks) if isinstance(text, str) else None
        return {name: _plain(part, marks) for name, part in known.items()}
    if isinstance(value, list):
        return [_plain(part, marks) for part in cast("list[object]", value)]
    return value


def _stack_in(deployment: object) -> str:
    """Return the name of the stack in the URN of the first resource; empty without resources."""
    resources = cast("list[object]", _mapping(deployment).get("resources") or [{}])
    urn = str(_mapping(resources[0]).get("urn") or "")
    return urn.removeprefix("urn:pulumi:").partition("::")[0] if urn.startswith("urn:pulumi:") else ""


def _mapping(value: object) -> Properties:
    return cast("Properties", value) if isinstance(value, dict) else {}
