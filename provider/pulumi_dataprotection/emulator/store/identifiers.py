"""Ids of new records."""

import secrets


def new_id(noun: str) -> str:
    """Return an id that nobody can guess and that says what it is of."""
    return f"{noun}-{secrets.token_hex(8)}"
