"""The command `dataprotection report`."""

from pulumi_dataprotection.cli.report.command import report

__all__ = ["report"]
