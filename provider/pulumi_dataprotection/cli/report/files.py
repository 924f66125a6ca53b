"""The files of a report: each is written whole, or stays as it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection._whole_file import write_whole
from pulumi_dataprotection.fleet.report.document import dump_report
from pulumi_dataprotection.fleet.report.html import as_html
from pulumi_dataprotection.fleet.report.markdown import as_markdown
from pulumi_dataprotection.fleet.report.model import Report

__all__ = ["check_outs", "write_outs"]

_FORMATS: Mapping[str, Callable[[Report], str]] = {".html": as_html, ".json": dump_report, ".md": as_markdown}


def check_outs(outs: tuple[Path, ...]) -> None:
    """Check the files before the calls: their formats, and their folders.

    Raises:
        click.UsageError: A file has no known format, or its folder does not exist.
    """
    for out in outs:
        if out.suffix.lower() not in _FORMATS:
            raise click.UsageError(f"'--out' {printable(out)} must end with {', '.join(_FORMATS)}.")
        if not out.absolute().parent.is_dir():
            raise click.UsageError(f"'--out' {printable(out)} must be in a folder that exists.")


def write_outs(report: Report, outs: tuple[Path, ...]) -> None:
    """Write a report in each format that a file wants.

    Raises:
        click.ClickException: A file cannot be written; it stays as it was.
    """
    for out in outs:
        text = _FORMATS[out.suffix.lower()](report)
        try:
            write_whole(out, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise click.ClickException(f"{printable(out)} cannot be written: {error.strerror or error}") from None
