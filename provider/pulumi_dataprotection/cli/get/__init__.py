"""The command group `dataprotection get`."""

from pulumi_dataprotection.cli.get.command import get

__all__ = ["get"]
