"""Decisions about the service, and how to carry them out: nothing here knows Pulumi."""
