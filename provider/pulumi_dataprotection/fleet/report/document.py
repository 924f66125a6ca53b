"""A report as a JSON document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic import TypeAdapter, ValidationError

from pulumi_dataprotection.fleet.report.model import SCHEMA, Report

__all__ = ["ReportFileError", "dump_report", "parse_report"]


class ReportFileError(ValueError):
    """A file is not a report that this version can read."""


def dump_report(report: Report) -> str:
    """Write a report as JSON."""
    return TypeAdapter(Report).dump_json(report, indent=1).decode() + "\n"


def parse_report(text: str) -> Report:
    """Read a report from its JSON.

    Raises:
        ReportFileError: It is not a report, or is a report of a newer schema version.
    """
    try:
        sent: object = TypeAdapter[object](object).validate_json(text)
    except ValidationError:
        raise ReportFileError("it is not complete, or is not JSON") from None
    version = cast("Mapping[str, object]", sent).get("schema_version") if isinstance(sent, dict) else None
    if not isinstance(version, int):
        raise ReportFileError("it is not a report of `dataprotection report --out FILE.json`")
    if version > SCHEMA:
        raise ReportFileError(
            f"its schema version is {version}, and this version of the command reads up to {SCHEMA}. "
            "Upgrade the package"
        )
    try:
        return TypeAdapter(Report).validate_python(sent)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise ReportFileError(f"its field {field} cannot be read: {first['msg']}") from None
