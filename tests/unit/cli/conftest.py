"""The machine on which `dataprotection doctor` runs, and the programs whose results commands print."""

from support.cli.visit import visit
from support.functions.program import program, shop

__all__ = ["program", "shop", "visit"]
