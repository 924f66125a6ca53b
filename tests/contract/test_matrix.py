"""The matrix of dialects itself."""

import os
import subprocess
import sys
from itertools import combinations
from typing import Literal, get_origin

from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from support import NIGHTLY, TESTS
from support.contract.matrix import DIALECTS, GROUPS, NUMBERS, VARIANTS, Pair, all_pairs, pairs_of


def test_each_switch_is_in_one_group() -> None:
    assert sorted(Dialect.model_fields) == sorted(name for names in GROUPS.values() for name in names)


def test_each_variant_meets_each_variant_of_the_other_switches_of_its_group() -> None:
    met = set[Pair]().union(*(pairs_of(dialect) for dialect in DIALECTS.values()))
    assert set() == all_pairs() - met
    groups = [VARIANTS] if NIGHTLY else GROUPS.values()
    pairs = sum(len(VARIANTS[one]) * len(VARIANTS[other]) for names in groups for one, other in combinations(names, 2))
    assert pairs == len(all_pairs())


def test_each_dialect_is_valid() -> None:
    assert list(DIALECTS.values()) == [Dialect.model_validate(dialect).model_dump() for dialect in DIALECTS.values()]


def test_each_switch_that_takes_a_number_has_values_here() -> None:
    numeric = {name for name, field in Dialect.model_fields.items() if get_origin(field.annotation) is not Literal}
    assert numeric == set(NUMBERS)


def test_the_dialects_are_the_same_in_each_process() -> None:
    code = "from support.contract.matrix import DIALECTS; print(DIALECTS)"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(TESTS)}
        printed = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
        assert f"{DIALECTS}\n" == printed


def test_they_can_be_listed() -> None:
    printed = subprocess.check_output([sys.executable, "-m", "support.contract.matrix"], cwd=TESTS, text=True)
    assert [] == [name for name in DIALECTS if name not in printed]
