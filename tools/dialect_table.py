"""The tables of docs/dialects.md, which `python -m tools.tables` writes."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import griffe
from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.dialect.presets import PRESETS

__all__ = ["Switch", "lines", "switches"]


@dataclass(frozen=True, slots=True)
class Switch:
    """The documentation of one field of the dialect.

    Attributes:
        source: the section of the interface that leaves it open.
        question: the open question.
        variants: the meaning of each value; for a number, the only entry is `number`.
    """

    source: str
    question: str
    variants: Mapping[str, str]


def lines() -> Iterator[str]:
    """The switches and the presets of the dialect."""
    yield from (*_switches(), "", *_presets())


def switches() -> dict[str, Switch]:
    """Read the documentation of the fields from their docstrings."""
    described = griffe.load(Dialect.__module__)[Dialect.__name__].members
    return {name: _switch(described[name].docstring) for name in Dialect.model_fields}


def _switch(docstring: griffe.Docstring | None) -> Switch:
    heading, _, variants = (docstring.value if docstring else "").partition("\n\n")
    question, _, source = heading.removesuffix(")").rpartition(" (")
    return Switch(source, question, dict(line.split(": ", 1) for line in variants.splitlines()))


def _switches() -> Iterator[str]:
    yield from ("## Switches", "", "| switch | left open in | question | variants |", "|---|---|---|---|")
    documented = switches()
    for name, field in Dialect.model_fields.items():
        switch = documented[name]
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
