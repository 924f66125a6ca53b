"""The choice of the dialect."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from tools.dialect_table import switches

from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.dialect.presets import PRESETS, parse_dialect
from support import Emulator
from support.emulator.variants import variants_of
from support.wire import message

FIELDS = list(Dialect.model_fields)
SWITCHES = switches()
OF_THE_CALL_RATE = {"calls_per_second", "burst", "retry_after"}


def dialect_of(control: httpx.Client) -> dict[str, Any]:
    dialect: dict[str, Any] = control.get("dialect").json()
    return dialect


@pytest.mark.parametrize("field", FIELDS)
def test_each_field_is_documented_variant_by_variant(field: str) -> None:
    switch = SWITCHES[field]
    assert (variants_of(field) or {"number"}) == set(switch.variants)
    assert (True, True) == (switch.question.endswith("?"), bool(switch.source))


def test_each_field_has_a_test_of_its_variants() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    tested = set(re.findall(r'@each_variant\(\s*"(\w+)"', tests))
    assert set(FIELDS) - OF_THE_CALL_RATE == tested


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_chosen_by_its_name(control: httpx.Client, preset: str) -> None:
    answer = control.put("dialect", json={"preset": preset}).raise_for_status().json()
    assert PRESETS[preset].model_dump() == answer == dialect_of(control)
    assert PRESETS[preset] == parse_dialect(preset)


INVALID: dict[str, object] = {
    'the dialect has no "colour"; it has repeated_external_id, external_id_scope, ': {"colour": "red"},
    "times: Input should be 'milliseconds', 'seconds', ": {"times": "minutes"},
    ", not 'minutes'": {"times": "minutes"},
    "times: Input should be ": {"times": None},
    "read_lag: Input should be greater than or equal to 0, not -1": {"read_lag": -1},
    "read_lag": {"read_lag": float("inf")},
    "read_lag: Input should be a valid number, not '3'": {"read_lag": "3"},
    "default_limit: Input should be greater than or equal to 1, not 0": {"default_limit": 0},
    "largest_limit: Input should be a valid integer, not 10.5": {"largest_limit": 10.5},
    "no preset 'loud'; there are published, plain, strict, terse, late, foreign": {"preset": "loud"},
    "no preset ['strict']": {"preset": ["strict"]},
    "a dialect is an object of variants": ["strict"],
    "a dialect is an object": None,
}


@pytest.mark.parametrize("reason", INVALID)
def test_an_invalid_dialect_is_refused(control: httpx.Client, reason: str) -> None:
    assert reason in message(control.put("dialect", content=json.dumps(INVALID[reason])))


def test_variants_are_taken_on_top_of_a_preset(control: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect("foreign")
    for body in ({"preset": "strict", "same_policy": "ok"}, {"times": "seconds"}):
        control.put("dialect", json=body).raise_for_status()
        preset = PRESETS[body.pop("preset", "published")]
        assert preset.model_copy(update=body).model_dump() == dialect_of(control)


def test_a_refused_dialect_changes_nothing(control: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect("terse")
    control.put("dialect", json={"times": "minutes"})
    assert PRESETS["terse"].model_dump() == dialect_of(control)
