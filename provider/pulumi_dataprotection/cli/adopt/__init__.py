"""The command `dataprotection adopt`."""

from pulumi_dataprotection.cli.adopt.command import adopt

__all__ = ["adopt"]
