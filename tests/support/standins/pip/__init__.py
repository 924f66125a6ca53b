"""A stand-in for pip."""
