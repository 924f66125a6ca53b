"""The emulator's tables as data: the SQL and the state document are both made from them."""

from dataclasses import dataclass
from typing import Literal

# "decimal" is a whole number of up to 64 bits, kept as text: SQLite's own numbers do not hold every one exactly.
ColumnType = Literal["text", "integer", "boolean", "decimal", "time", "texts"]

APPLICATION_ID = 0x64706D75
SCHEMA_VERSION = 2


@dataclass(frozen=True, slots=True)
class Column:
    """One column, and one field of the table's records in the state document."""

    name: str
    type: ColumnType = "text"
    nullable: bool = False
    default: str | int | bool | None = ""

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
    constraints: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()

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


def _texts(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name) for name in names)


def _optional(name: str, type: ColumnType = "text") -> Column:
    return Column(name, type, nullable=True, default=None)


# Checked at the end of a transaction, so that a document may name records that come later in it.
def _refers(columns: str, target: str) -> str:
    return f"FOREIGN KEY ({columns}) REFERENCES {target} ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"


_OF_TENANT = _refers("tenant_id", "tenants (id)")
_OF_SUBSCRIPTION = _refers("subscription_id", "subscriptions (id)")

TABLES: tuple[Table, ...] = (
    Table(
        "orgs",
        ("id",),
        (*_texts("id", "external_id"), Column("kind", default="basic"), Column("name"), _optional("parent_org_id")),
        (_refers("parent_org_id", "orgs (id)"),),
        ("external_id", "parent_org_id, id"),
    ),
    Table(
        "tenants",
        ("id",),
        (
            *_texts("id", "external_id", "org_id"),
            Column("kind", default="office_suite_a"),
            Column("name"),
            Column("region", default="EU"),
            # Its service has ended, and what it holds can no longer be read. In a patch, "deleted" removes a record.
            Column("terminated", "boolean", default=False),
            Column("created_at", "time"),
        ),
        (_refers("org_id", "orgs (id)"),),
        ("org_id, id",),
    ),
    Table(
        "keys",
        ("name",),
        (*_texts("name", "key"), Column("permissions", "texts"), _optional("expires_at", "time")),
        ("UNIQUE (key)",),
    ),
    Table(
        "installations",
        ("id",),
        (*_texts("id", "key_name"), _optional("org_id"), _optional("tenant_id")),
        (
            "CHECK ((org_id IS NULL) <> (tenant_id IS NULL))",
            _refers("key_name", "keys (name)"),
            _refers("org_id", "orgs (id)"),
            _OF_TENANT,
        ),
        ("key_name, id", "org_id", "tenant_id"),
    ),
    Table(
        "resources",
        ("tenant_id", "id"),
        (
            *_texts("tenant_id", "id", "external_id", "name"),
            Column("kind", default="office_user"),
            Column("archived", "boolean", default=False),
        ),
        (_OF_TENANT,),
        ("tenant_id, external_id",),
    ),
    Table("policies", ("tenant_id", "id"), (*_texts("tenant_id", "id"), Column("name")), (_OF_TENANT,)),
    Table(
        "protections",
        ("tenant_id", "id"),
        (*_texts("tenant_id", "id", "resource_id", "policy_id"), Column("job_id")),
        (
            "UNIQUE (tenant_id, job_id)",
            _refers("tenant_id, resource_id", "resources (tenant_id, id)"),
            _refers("tenant_id, policy_id", "policies (tenant_id, id)"),
        ),
        ("tenant_id, resource_id, id", "tenant_id, policy_id"),
    ),
    Table(
        "archives",
        ("tenant_id", "id"),
        (
            *_texts("tenant_id", "id", "resource_id"),
            Column("created_at", "time"),
            Column("size", "decimal", default="0"),
            _optional("delete_at", "time"),
        ),
        (_OF_TENANT,),
        ("tenant_id, resource_id, id", "delete_at"),
    ),
    Table(
        "tasks",
        ("tenant_id", "id"),
        (
            *_texts("tenant_id", "id", "job_id", "resource_id"),
            Column("kind", default="backup"),
            Column("status", default="open"),
            Column("progress", "integer", default=0),
            Column("message"),
            Column("created_at", "time"),
            _optional("started_at", "time"),
            _optional("finished_at", "time"),
        ),
        (_OF_TENANT,),
        ("status, created_at",),
    ),
    Table(
        "quotas",
        ("tenant_id", "kind"),
        (
            *_texts("tenant_id", "kind"),
            Column("count", "decimal", default="0"),
            Column("units"),
            # Null is counted: the protected resources of the kind.
            _optional("used", "decimal"),
        ),
        (_OF_TENANT,),
    ),
    Table(
        "subscriptions",
        ("id",),
        (
            *_texts("id", "tenant_id"),
            Column("kind", default="post_pay"),
            Column("plan"),
            Column("status", default="active"),
            Column("started_at", "time"),
            _optional("expires", "time"),
        ),
        (_OF_TENANT,),
        ("tenant_id",),
    ),
    Table(
        "subscription_items",
        ("subscription_id", "kind"),
        (
            *_texts("subscription_id", "kind"),
            Column("qty", "decimal", default="0"),
            Column("auto_license", "boolean", default=False),
            Column("auto_license_max", "decimal", default="0"),
        ),
        (_OF_SUBSCRIPTION,),
    ),
    # Each record holds from its start to the start of the item's next one.
    Table(
        "subscription_history",
        ("subscription_id", "kind", "start"),
        (*_texts("subscription_id", "kind"), Column("start", "time"), Column("qty", "decimal", default="0")),
        (_OF_SUBSCRIPTION,),
    ),
    Table(
        "audit_events",
        ("tenant_id", "id"),
        (
            *_texts("tenant_id", "id", "actor_email", "actor_name", "action", "subject"),
            Column("created_at", "time"),
            Column("details", default="{}"),
        ),
        (_OF_TENANT,),
        ("tenant_id, created_at, id",),
    ),
)

STATEMENTS = (
    *(statement for table in TABLES for statement in table.sql),
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
