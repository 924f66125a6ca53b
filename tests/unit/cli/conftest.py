"""The machine on which `dataprotection doctor` runs."""

from support.cli.visit import visit

__all__ = ["visit"]
