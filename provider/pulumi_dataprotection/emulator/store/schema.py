"""The emulator's tables as data: the SQL and the state document are both made from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

# "decimal" is a whole number of up to 64 bits, kept as text: SQLite's own numbers do not hold every one exactly.
ColumnType = Literal["text", "integer", "boolean", "decimal", "time", "texts"]

APPLICATION_ID = 0x64706D75
SCHEMA_VERSION = 2

# The default of a time is now.
_DEFAULTS: Mapping[ColumnType, object] = {
    "text": "", "integer": 0, "boolean": False, "decimal": "0", "time": None, "texts": []
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """One column, and one field of the table's records in the state document.

    Attributes:
        name: the column's and the field's name.
        type: the type of its values.
        key: whether it is a part of the key, so that it is required.
        nullable: whether it can be null.
        default: the value of a record that leaves it out.
    """

    name: str
    type: ColumnType
    key: bool
    nullable: bool
    default: object

    @property
    def sql(self) -> str:
        """The column's definition."""
        affinity = "INTEGER" if self.type in {"integer", "boolean"} else "TEXT"
        return f"{self.name} {affinity}{'' if self.nullable else ' NOT NULL'}"


@dataclass(frozen=True, slots=True)
class Table:
    """One table, and one section of the state document.

    Attributes:
        name: the table's and the section's name.
        key: the columns that identify a record.
        columns: all columns, those of the key too.
        constraints: further constraints, in SQL.
        indexes: the columns of further indexes, in SQL.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    constraints: tuple[str, ...]
    indexes: tuple[str, ...]

    @property
    def sql(self) -> tuple[str, ...]:
        """The statements that create the table and its indexes."""
        parts = [
            *(column.sql for column in self.columns),
            f"PRIMARY KEY ({', '.join(self.key)})",
            *self.constraints,
        ]
        return (
            f"CREATE TABLE {self.name} ({', '.join(parts)})",
            *(
                f"CREATE INDEX {self.name}_{number} ON {self.name} ({columns})"
                for number, columns in enumerate(self.indexes)
            ),
        )


def _table(name: str, columns: str, *constraints: str, indexes: tuple[str, ...] = ()) -> Table:
    parsed = tuple(map(_column, columns.split()))
    return Table(name, tuple(column.name for column in parsed if column.key), parsed, constraints, indexes)


def _column(text: str) -> Column:
    """Read a column: a star for the key, the name, `:type` unless it is a text, and `?` for null or `=` a default."""
    described, _, default = text.strip("*?").partition("=")
    name, _, given_type = described.partition(":")
    type = cast("ColumnType", given_type or "text")
    key, nullable = text.startswith("*"), text.endswith("?")
    return Column(name, type, key, nullable, None if key or nullable else default or _DEFAULTS[type])


# Checked at the end of a transaction, so that a document may name records that come later in it.
def _refers(columns: str, target: str) -> str:
    return f"FOREIGN KEY ({columns}) REFERENCES {target} ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"


_OF_TENANT = _refers("tenant_id", "tenants (id)")
_OF_SUBSCRIPTION = _refers("subscription_id", "subscriptions (id)")

TABLES: tuple[Table, ...] = (
    _table(
        "orgs",
        "*id external_id kind=basic name parent_org_id?",
        _refers("parent_org_id", "orgs (id)"),
        indexes=("external_id", "parent_org_id, id"),
    ),
    # If `terminated`, its service has ended, and its content can no longer be read. In a patch, "deleted" removes it.
    _table(
        "tenants",
        "*id external_id org_id kind=office_suite_a name region=EU terminated:boolean created_at:time",
        _refers("org_id", "orgs (id)"),
        indexes=("org_id, id",),
    ),
    _table("keys", "*name key permissions:texts expires_at:time?", "UNIQUE (key)"),
    _table(
        "installations",
        "*id key_name org_id? tenant_id?",
        "CHECK ((org_id IS NULL) <> (tenant_id IS NULL))",
        _refers("key_name", "keys (name)"),
        _refers("org_id", "orgs (id)"),
        _OF_TENANT,
        indexes=("key_name, id", "org_id", "tenant_id"),
    ),
    _table(
        "resources",
        "*tenant_id *id external_id name kind=office_user archived:boolean",
        _OF_TENANT,
        indexes=("tenant_id, external_id",),
    ),
    _table("policies", "*tenant_id *id name", _OF_TENANT),
    _table(
        "protections",
        "*tenant_id *id resource_id policy_id job_id",
        "UNIQUE (tenant_id, job_id)",
        _refers("tenant_id, resource_id", "resources (tenant_id, id)"),
        _refers("tenant_id, policy_id", "policies (tenant_id, id)"),
        indexes=("tenant_id, resource_id, id", "tenant_id, policy_id"),
    ),
    _table(
        "archives",
        "*tenant_id *id resource_id created_at:time size:decimal delete_at:time?",
        _OF_TENANT,
        indexes=("tenant_id, resource_id, id", "delete_at"),
    ),
    _table(
        "tasks",
        "*tenant_id *id job_id resource_id kind=backup status=open progress:integer message "
        "created_at:time started_at:time? finished_at:time?",
        _OF_TENANT,
        indexes=("status, created_at",),
    ),
    # If `used` is null, the protected resources of the kind are counted.
    _table("quotas", "*tenant_id *kind count:decimal units used:decimal?", _OF_TENANT),
    _table(
        "subscriptions",
        "*id tenant_id kind=post_pay plan status=active started_at:time expires:time?",
        _OF_TENANT,
        indexes=("tenant_id",),
    ),
    _table(
        "subscription_items",
        "*subscription_id *kind qty:decimal auto_license:boolean auto_license_max:decimal",
        _OF_SUBSCRIPTION,
    ),
    # Each record holds from its start to the start of the item's next one.
    _table("subscription_history", "*subscription_id *kind *start:time qty:decimal", _OF_SUBSCRIPTION),
    _table(
        "audit_events",
        "*tenant_id *id actor_email actor_name action subject created_at:time details={}",
        _OF_TENANT,
        indexes=("tenant_id, created_at, id",),
    ),
)

STATEMENTS = (
    *(statement for table in TABLES for statement in table.sql),
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
