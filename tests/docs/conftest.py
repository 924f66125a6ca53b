"""The programs in which look-ups are tried."""

from functions.conftest import program, shop

__all__ = ["program", "shop"]
