"""The command `dataprotection licences`."""

from pulumi_dataprotection.cli.licences.command import licences

__all__ = ["licences"]
