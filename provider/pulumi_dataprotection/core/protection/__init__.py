"""The protection of one item."""
