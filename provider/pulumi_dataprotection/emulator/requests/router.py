"""The router: from a request's method and raw path to its operation."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import unquote

from pulumi_dataprotection.emulator._errors import InvalidArgument, MethodNotAllowed, NotFound
from pulumi_dataprotection.emulator.requests.parameters import BROKEN_ESCAPE
from pulumi_dataprotection.spec import Operation


class Router:
    """The operations by the patterns of their paths.

    Paths are matched as they came, before they are decoded, so that an id may hold a slash.
    """

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._patterns = [(re.compile(re.sub(r"{\w+}", "([^/]+)", row.path)), row) for row in operations]

    def match(self, method: str, raw_path: str) -> tuple[Operation, Mapping[str, str]]:
        """Find the operation of a request, and decode the parameters of its path.

        Raises:
            NotFound: No operation has such a path.
            MethodNotAllowed: The path's operations have other methods.
            InvalidArgument: The path is not percent-encoded UTF-8.
        """
        matches = [(row, match) for pattern, row in self._patterns if (match := pattern.fullmatch(raw_path))]
        if not matches:
            raise NotFound(f"the interface has no path {raw_path}")
        for operation, match in matches:
            if operation.method == method:
                ids = map(_decoded, match.groups())
                return operation, dict(zip(operation.path_parameters, ids, strict=True))
        methods = ", ".join(sorted(operation.method for operation, _ in matches))
        raise MethodNotAllowed(f"{raw_path} takes {methods}, not {method}", {"Allow": methods})


def _decoded(segment: str) -> str:
    try:
        if not BROKEN_ESCAPE.search(segment):
            return unquote(segment, errors="strict")
    except UnicodeDecodeError:
        pass
    raise InvalidArgument("the path is not percent-encoded UTF-8")
