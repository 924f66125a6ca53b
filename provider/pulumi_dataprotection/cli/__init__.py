"""The `dataprotection` command."""

from pulumi_dataprotection.cli.main import main

__all__ = ["main"]
