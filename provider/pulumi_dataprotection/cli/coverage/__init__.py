"""The command `dataprotection coverage`."""

from pulumi_dataprotection.cli.coverage.command import coverage

__all__ = ["coverage"]
