"""The tables of docs/dialects.md, which `python -m tools.tables` writes."""

import json
from collections.abc import Iterator

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from pulumi_dataprotection.emulator.dialect.dialect import Dialect, Switch
from pulumi_dataprotection.emulator.dialect.presets import PRESETS

__all__ = ["lines"]


def lines() -> Iterator[str]:
    """The switches and the presets of the dialect."""
    yield from (*_switches(), "", *_presets())


def _switches() -> Iterator[str]:
    yield from ("## Switches", "", "| switch | left open in | question | variants |", "|---|---|---|---|")
    for name, field in Dialect.model_fields.items():
        switch = next(item for item in field.metadata if isinstance(item, Switch))
        yield f"| `{name}` | {switch.source} | {switch.question} | {_variants(field, switch)} |"


def _variants(field: FieldInfo, switch: Switch) -> str:
    if "number" in switch.variants:
        return f"a number{_range(field)}: {switch.variants['number']}. Default: {field.default}"
    lines = (
        f"`{variant}`{' (default)' if variant == field.default else ''} = {meaning}"
        for variant, meaning in switch.variants.items()
    )
    return "<br>".join(lines)


def _range(field: FieldInfo) -> str:
    lowest = next(item.ge for item in field.metadata if isinstance(item, Ge))
    highest = next((item.le for item in field.metadata if isinstance(item, Le)), None)
    return f" from {lowest}" + ("" if highest is None else f" to {highest}")


def _presets() -> Iterator[str]:
    yield from ("## Presets", "", "| preset | differences from the default |", "|---|---|")
    for preset, dialect in PRESETS.items():
        variants = dialect.model_dump(exclude_defaults=True)
        differences = ", ".join(f"`{name}: {json.dumps(variant)}`" for name, variant in variants.items())
        yield f"| `{preset}` | {differences or 'none'} |"
