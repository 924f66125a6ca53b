"""The dialects in which the contract is tested; `python -m support.contract.matrix`, run from tests/, lists them.

They are the presets, and as many more as it takes for each variant of a switch to meet each variant of every other
switch of its group: the switches that one operation can see together. At night, each variant meets each variant of
every other switch. Every combination is possible for a service.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Literal, cast, get_args, get_origin

from covertable import criteria, make  # type: ignore[import-untyped]  # pyright: ignore[reportMissingTypeStubs]
from rich.console import Console
from rich.table import Table

from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from support import NIGHTLY

__all__ = ["DIALECTS", "GROUPS", "NUMBERS", "VARIANTS", "Pair", "Variant", "all_pairs", "differences", "pairs_of"]

Variant = str | int | float

NUMBERS: Mapping[str, tuple[float, ...]] = {
    "default_limit": (100, 20, 3),
    "largest_limit": (1000, 50, 5),
    "read_lag": (0, 3),
    "calls_per_second": (0, 20),
    "burst": (0, 5),
}
"""The values of the switches that take a number; those of the presets are among them."""


def _variants(field: str) -> tuple[Variant, ...]:
    annotation = Dialect.model_fields[field].annotation
    return get_args(annotation) if get_origin(annotation) is Literal else NUMBERS[field]


VARIANTS: Mapping[str, tuple[Variant, ...]] = {field: _variants(field) for field in Dialect.model_fields}
"""All variants of each switch."""


GROUPS: Mapping[str, tuple[str, ...]] = {
    "organizations": (
        *("repeated_external_id", "external_id_scope", "missing_parent", "uninvited_org", "stored_name"),
        *("unknown_reference", "audit_actions"),
    ),
    "protections": (
        *("second_policy", "same_policy", "archived_resource", "absent_protection", "used_up_quota", "deletion_answer"),
        *("policy_name_filter", "unknown_resource_filter", "repeated_deletion", "read_lag"),
    ),
    "pages": (
        *("default_limit", "largest_limit", "larger_limit", "page_tokens", "page_fill", "page_order"),
        *("last_page", "empty_list", "extra_fields"),
    ),
    "records": (
        *("task_progress", "task_statuses", "task_fields", "triggered_task", "task_statistics", "tenant_fields"),
        *("quotas_container", "subscription_fields", "subscription_history"),
        *("empty_text", "empty_time", "zero_values"),
    ),
    "refusals": ("error_body", "media_type", "deleted_tenant", "calls_per_second", "burst"),
    "times": ("times", "retry_after"),
}
"""The switches, by what they are about."""


def _dialects() -> Mapping[str, Mapping[str, Variant]]:
    presets = {name: cast("dict[str, Variant]", dialect.model_dump()) for name, dialect in PRESETS.items()}
    groups = [tuple(VARIANTS)] if NIGHTLY else [*GROUPS.values()]
    arrays = [_covering_array(names) for names in groups]
    rows = [
        # A short array begins again.
        {name: value for array in arrays for name, value in array[number % len(array)].items()}
        for number in range(max(map(len, arrays)))
    ]
    others = [{name: row[name] for name in VARIANTS} for row in rows]
    return presets | {f"pair-{number:02}": row for number, row in enumerate(others, start=1)}


def _covering_array(names: Sequence[str]) -> list[dict[str, Variant]]:
    presets = [{name: dialect.model_dump()[name] for name in names} for dialect in PRESETS.values()]
    # The quick one of its ways: a tenth fewer dialects would cost each run of the tests seconds of thinking.
    variants = {name: VARIANTS[name] for name in names}
    rows = cast("list[dict[str, Variant]]", make(variants, criterion=criteria.simple, presets=presets))
    found = [dict(row) for row in rows]
    return [row for row in found if row not in presets] or found[:1]


DIALECTS = _dialects()
"""All variants of each dialect, by its name."""

Pair = frozenset[tuple[str, Variant]]


def pairs_of(dialect: Mapping[str, Variant]) -> set[Pair]:
    """Return the pairs of variants that meet in a dialect."""
    return {frozenset(pair) for pair in combinations(dialect.items(), 2)}


def all_pairs() -> set[Pair]:
    """Return each pair of variants that has to meet in a dialect."""
    return {
        frozenset({(one, first), (other, second)})
        for names in ([VARIANTS] if NIGHTLY else GROUPS.values())
        for one, other in combinations(names, 2)
        for first, second in product(VARIANTS[one], VARIANTS[other])
    }


def differences(dialect: Mapping[str, Variant]) -> dict[str, Variant]:
    """Return the variants that are not the default ones."""
    return {name: variant for name, variant in dialect.items() if variant != DIALECTS["published"][name]}


def _table() -> Table:
    table = Table("number", "dialect", "where it differs from the default", show_lines=True)
    for number, (name, dialect) in enumerate(DIALECTS.items(), start=1):
        variants = ", ".join(f"{field}={variant}" for field, variant in differences(dialect).items())
        table.add_row(str(number), name, variants or "nowhere")
    return table


if __name__ == "__main__":
    Console().print(_table())
