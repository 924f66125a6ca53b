"""Filters that keep names, ids and keys out of the logs of the HTTP library."""

import logging
import re

from pulumi_dataprotection.client._transport.httpx_without_command import httpx

__all__ = ["filter_logs"]


def filter_logs() -> None:
    """Filter the logs of the HTTP library; a filter that a logger already has is not added again."""
    logging.getLogger("httpx").addFilter(_WITHOUT_NAMES)
    logging.getLogger("httpcore.http11").addFilter(_WITHOUT_HEADERS)


class _WithoutNames(logging.Filter):
    """A filter that removes queries and external ids, which hold names and addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                _without_names(argument) if isinstance(argument, httpx.URL) else argument for argument in record.args
            )
        return True


def _without_names(url: httpx.URL) -> httpx.URL:
    path = url.raw_path.partition(b"?")[0]
    return url.copy_with(raw_path=re.sub(rb"/ext(\$|%24)[^/]*", b"/ext$...", path))


class _WithoutHeaders(logging.Filter):
    """A filter that removes headers of responses: they may repeat the query, or the key."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = re.split(" (?:return_value|exception)=", str(record.msg))[0]
        return True


_WITHOUT_NAMES = _WithoutNames()
_WITHOUT_HEADERS = _WithoutHeaders()
