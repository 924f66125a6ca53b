"""Arguments of resources in the types that a Pulumi state can hold."""

import asyncio
import math
from collections import OrderedDict, UserList
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

import pulumi
import pytest

from pulumi_dataprotection.client.records import Archive, ArchiveStats, Policy, Timestamp
from pulumi_dataprotection.functions._data_source import ListResult
from pulumi_dataprotection.resources._resource import sendable
from support.functions.program import Program, known
from support.resources.servicer import assert_names


class Color(Enum):
    """A choice of a program."""

    RED = "red"


class Name(str, Enum):  # noqa: UP042 - StrEnum shows itself as its text
    """A choice that is text, and shows itself as something else."""

    JANE = "jane"


class Level(IntEnum):
    """A choice that is a number."""

    HIGH = 2**60


@dataclass
class Pair:
    """Two values of a program."""

    left: object
    right: object = None


TIME = "2026-01-31T12:00:00.123456789Z"
ID = "12345678-1234-5678-1234-567812345678"
HOUR = timezone(timedelta(hours=1))

EXACT: dict[str, tuple[object, object]] = {
    "nothing": (None, None),
    "truth": (True, True),
    "text": ("é", "é"),
    "number": (2.5, 2.5),
    "whole number": (-(2**53), -(2**53)),
    "wide number": (2**53 + 1, "9007199254740993"),
    "wide negative number": (-(2**60), str(-(2**60))),
    "wide double": (1e300, 1e300),
    "time of a record": (Timestamp(TIME), TIME),
    "datetime": (datetime(2026, 1, 31, 13, tzinfo=HOUR), "2026-01-31T12:00:00Z"),
    "datetime without a zone": (datetime(2026, 1, 31, 13), "2026-01-31T13:00:00"),  # noqa: DTZ001 - on purpose
    "date": (date(2026, 1, 31), "2026-01-31"),
    "time": (time(12, 30, tzinfo=UTC), "12:30:00+00:00"),
    "decimal": (Decimal("0.10"), "0.10"),
    "UUID": (UUID(ID), ID),
    "path": (PurePosixPath("/a/b"), "/a/b"),
    "choice": (Color.RED, "red"),
    "choice of text": (Name.JANE, "jane"),
    "choice of a number": (Level.HIGH, str(2**60)),
    "tuple": ((1, (2,)), [1, [2]]),
    "range": (range(2), [0, 1]),
    "list of another type": (UserList([Color.RED]), ["red"]),
    "dictionary": (OrderedDict({Name.JANE: (Decimal(1),)}), {"jane": ["1"]}),
    "dataclass": (Pair(Color.RED, [date(2026, 1, 31)]), {"left": "red", "right": ["2026-01-31"]}),
    "record": (
        Archive(id="a-1", created_at=Timestamp(TIME), stats=ArchiveStats(size=2**60)),
        {
            "id": "a-1",
            "tenant_id": None,
            "resource_id": None,
            "delete_pending": None,
            "created_at": TIME,
            "stats": {"size": str(2**60)},
        },
    ),
    "wide number of a record": (ArchiveStats(size=2**60).size, str(2**60)),
    "list of a look-up": (
        ListResult([Policy(id="p-1")]),
        {"items": [{"id": "p-1", "tenant_id": None, "name": None}]},
    ),
}
Wrap = Callable[[object], object]
WRAPPED: dict[str, tuple[Wrap, Wrap]] = {
    "itself": (lambda value: value, lambda sent: sent),
    "in a list": (lambda value: [value], lambda sent: [sent]),
    "in a dictionary": (lambda value: {"a": value}, lambda sent: {"a": sent}),
    "an output": (known, lambda sent: sent),
    "in an output": (lambda value: pulumi.Output.all([value]), lambda sent: [[sent]]),
    "an output in a tuple": (lambda value: (known(value),), lambda sent: [sent]),
}
"""The ways to wrap a value, and what the engine gets."""


@pytest.fixture
def program() -> Program:
    """A loop that outputs live in."""
    return Program()


def sent(program: Program, make: Callable[[], object]) -> Any:  # noqa: ANN401 - JSON
    """Return the JSON of an argument that is made while a program runs."""

    async def later() -> object:
        return sendable(make(), "an argument")

    return program.send(later())


@pytest.mark.parametrize("wrapped", WRAPPED)
@pytest.mark.parametrize("kind", EXACT)
def test_a_value_arrives_exactly(program: Program, kind: str, wrapped: str) -> None:
    (value, expected), (wrap, arrives) = EXACT[kind], WRAPPED[wrapped]
    assert arrives(expected) == sent(program, lambda: wrap(value))


def test_an_awaitable_is_waited_for(program: Program) -> None:
    async def choose() -> Color:
        await asyncio.sleep(0)
        return Color.RED

    assert ["red"] == sent(program, lambda: [choose()])


def test_types_of_the_sdk_are_left_to_the_sdk(program: Program) -> None:
    asset = pulumi.StringAsset("text")
    assert program.send(asset) == sent(program, lambda: asset)
    assert program.send(pulumi.UNKNOWN) == sent(program, lambda: [pulumi.UNKNOWN])[0]


LOOP: list[object] = []
LOOP.append(LOOP)
REJECTED: dict[str, tuple[object, list[str]]] = {
    "NaN": (math.nan, ["nan", "finite"]),
    "infinity": (-math.inf, ["-inf", "finite"]),
    "set": ({1}, ["type set", "lists"]),
    "frozen set": (frozenset({1}), ["type frozenset", "lists"]),
    "bytes": (b"a", ["type bytes", "text"]),
    "byte array": (bytearray(b"a"), ["type bytearray", "text"]),
    "duration": (timedelta(1), ["type timedelta", "numbers"]),
    "generator": (iter([1]), ["type list_iterator", "lists"]),
    "class": (Pair, ["type type", "dictionaries"]),
    "complex number": (1j, ["type complex", "numbers"]),
    "key": ({1: 2}, ["key 1", "keys"]),
    "half a character": ("\ud800", ["Unicode", "encoding"]),
    "half a character in a key": ({"\ud800": 1}, ["Unicode", "encoding"]),
    "loop": (LOOP, ["contains itself"]),
}


@pytest.mark.parametrize("wrapped", ["itself", "in a list", "in a dictionary"])
@pytest.mark.parametrize("kind", REJECTED)
def test_any_other_value_is_rejected_in_one_line(program: Program, kind: str, wrapped: str) -> None:
    value, names = REJECTED[kind]
    with pytest.raises(pulumi.RunError) as raised:
        sent(program, lambda: WRAPPED[wrapped][0](value))
    assert_names(raised.value, "Cannot send an argument: ", *names)
    assert 1 == len(str(raised.value).splitlines())
