"""The service's interface as data, shared by the client and the emulator."""

from pulumi_dataprotection.spec.operations import BY_ID, OPERATIONS, Operation, Outcome, Query

__all__ = ["BY_ID", "OPERATIONS", "Operation", "Outcome", "Query"]
