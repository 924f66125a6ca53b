"""The protections of a set of items."""
