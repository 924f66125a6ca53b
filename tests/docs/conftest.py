"""The programs that call functions."""

from support.functions.program import program, shop

__all__ = ["program", "shop"]
