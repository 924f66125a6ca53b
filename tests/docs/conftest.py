"""The programs in which functions are tried."""

from support.functions.program import program, shop

__all__ = ["program", "shop"]
