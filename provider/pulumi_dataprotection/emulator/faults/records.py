"""A record that is not the one that was asked for: the fault of reading a record by its id."""

from collections.abc import Mapping

from pulumi_dataprotection.emulator.faults.pending import Turn
from pulumi_dataprotection.emulator.store.store import Store
from pulumi_dataprotection.spec import Operation

__all__ = ["other_path"]


def other_path(turn: Turn, operation: Operation, path: Mapping[str, str], store: Store) -> Mapping[str, str]:
    """Return the path of another record of the same kind; if there is none, the fault stays.

    Args:
        turn: the fault.
        operation: the operation.
        path: the path's parameters.
        store: the database.
    """
    table, name = operation.path.split("/")[-2], operation.path_parameters[-1]
    near = "AND tenant_id = :tenant_id" if "tenant_id" in path else ""
    statement = f"SELECT id FROM {table} WHERE id != :asked_for {near} ORDER BY id"  # noqa: S608 - ours
    row = store.one(statement, {**path, "asked_for": path[name]})
    if row is None:
        return path
    turn.use()
    return {**path, name: row["id"]}
