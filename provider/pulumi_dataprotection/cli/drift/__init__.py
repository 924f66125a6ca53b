"""The command `dataprotection drift`."""

from pulumi_dataprotection.cli.drift.command import drift

__all__ = ["drift"]
