"""The command `dataprotection doctor`."""

from pulumi_dataprotection.cli.doctor.command import doctor

__all__ = ["doctor"]
