"""Faults: the rules that are posted, and what they do to answers."""
