"""From a request's method and raw path to the operation that it asks for."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import unquote

from pulumi_dataprotection.emulator._errors import InvalidArgument, MethodNotAllowed, NotFound
from pulumi_dataprotection.emulator.requests.parameters import BROKEN_ESCAPE
from pulumi_dataprotection.spec import Operation


class Match(NamedTuple):
    """The operation of a path, with the path's parameters decoded."""

    operation: Operation
    path: Mapping[str, str]


class Router:
    """The operations by the shape of their paths.

    Paths are matched as they came, before anything is decoded, so that an id may hold a slash.
    """

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._by_length: dict[int, list[tuple[list[str], Operation]]] = defaultdict(list)
        for operation in operations:
            pattern = operation.path.split("/")
            self._by_length[len(pattern)].append((pattern, operation))

    def match(self, method: str, raw_path: str) -> Match:
        """Find the operation of a request.

        Raises:
            NotFound: No operation has such a path.
            MethodNotAllowed: The path's operations have other methods.
            InvalidArgument: The path is not percent-encoded UTF-8.
        """
        segments = raw_path.split("/")
        candidates = [
            operation
            for pattern, operation in self._by_length.get(len(segments), [])
            if all(
                part == segment or (part.startswith("{") and segment)
                for part, segment in zip(pattern, segments, strict=True)
            )
        ]
        if not candidates:
            raise NotFound(f"the interface has no path {raw_path}")
        for operation in candidates:
            if operation.method == method:
                return Match(operation, _parameters(operation, segments))
        methods = ", ".join(sorted(operation.method for operation in candidates))
        raise MethodNotAllowed(f"{raw_path} takes {methods}, not {method}", {"Allow": methods})


def _parameters(operation: Operation, segments: list[str]) -> Mapping[str, str]:
    pattern = operation.path.split("/")
    return {
        part[1:-1]: _decoded(segment) for part, segment in zip(pattern, segments, strict=True) if part.startswith("{")
    }


def _decoded(segment: str) -> str:
    try:
        if not BROKEN_ESCAPE.search(segment):
            return unquote(segment, errors="strict")
    except UnicodeDecodeError:
        pass
    raise InvalidArgument("the path is not percent-encoded UTF-8")
