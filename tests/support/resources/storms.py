"""Storms: two sets that live while requests go wrong at random, and what has to hold all the same."""

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from support import NIGHTLY, Emulator
from support.resources.arguments import assigned
from support.resources.contoso import protect
from support.resources.effects import Write, policies_by_resource, replay
from support.resources.servicer import Properties, Servicer
from support.resources.sets import Outcome, Sets

__all__ = ["Storm"]

TENANT = "tenant-0001"
NAMES = ("Gold", "Silver", "Bronze")
MEMBERS, NEWCOMERS, STRANGERS = (50, 20, 20) if NIGHTLY else (15, 6, 6)
_IDS = [f"res-{number:07}" for number in range(1, MEMBERS + NEWCOMERS + STRANGERS + 1)]
MANY, FOREIGN = _IDS[: MEMBERS + NEWCOMERS], _IDS[MEMBERS + NEWCOMERS :]
"""The resources that may become members, and those that others protect."""
ADOPTED, SWAPPED, MOVED, EXCHANGED = (5, 10, 4, 6) if NIGHTLY else (2, 4, 2, 2)
"""The members that had their policy before, and those that a change gives another policy, another set, or replaces."""

PASSING: list[object] = [
    *("status:503", "status:500", "reset", "after:reset", "after:status:503", "after:status:500"),
    *({"status": status, "headers": {"Retry-After": "0"}} for status in (429, 423, 409, 400)),
]
"""Temporary faults."""
OF_WRITES: list[object] = [
    *(*PASSING, "status:400", "status:409", "status:403", "status:404", "truncated", "cut", "type:text/html"),
    {"status": 409, "body": {"message": "no"}, "after": True},
    {"status": 400, "after": True},
]
"""Faults of writes, with and without an effect of the write."""
LASTING: list[object] = [
    *("status:403", "status:404", "status:409", "truncated", "cut", "repeat_token", "empty_page", "doubled_item"),
]
"""Faults that end a reading."""
WRITES = ["protect_resource"] * 5 + ["unprotect_resource"] * 4
READS = ["list_protections"] * 3 + ["list_resources", "list_policies", "get_tenant", "list_installations"]


class Storm:
    """A tenant, two sets that share `MEMBERS` members, and faults that a seed decides on.

    Args:
        servicer: the process of the providers.
        emulator: the service, which starts afresh.
        seed: decides on everything.
        lasting: whether reads fail for good too. Then nobody can tell whose some writes were, and what was ours may
            stay where it is.
    """

    def __init__(self, servicer: Servicer, emulator: Emulator, seed: int, *, lasting: bool) -> None:
        self._random = Random(seed)  # noqa: S311 - no secret depends on it
        self._lasting = lasting
        self._emulator = emulator
        self._second_policy = self._random.choice(["invalid_argument", "conflict", "replaces", "adds"])
        emulator.reset("large:1x100")
        emulator.set_dialect(second_policy=self._second_policy)
        self._policies = {id: self._random.choice(NAMES) for id in MANY}
        self._set_of = {id: self._random.choice("ab") for id in MANY}
        self._members = {*self._random.sample(MANY, MEMBERS)}
        # Some had the wanted policy before: it is not the sets' to take off.
        self._adopted = {*self._random.sample(sorted(self._members), ADOPTED)}
        for id in FOREIGN:
            protect(emulator, _policy_id(self._random.choice(NAMES)), id, tenant_id=TENANT)
        for id in self._adopted:
            protect(emulator, _policy_id(self._policies[id]), id, tenant_id=TENANT)
        self._before = self._on()
        # With one thread a seed leads to the same requests each time.
        self._sets = Sets(servicer, emulator, concurrency=self._random.choice("14"))

    def rage(self) -> None:
        """Create, change, refresh and destroy the sets, while requests go wrong; between them all comes to its end."""
        self._up(faulty=True)
        self._refresh_sometimes()
        if self._random.random() < 0.7:
            self._settle()
        self._change()
        self._up(faulty=True)
        self._refresh_sometimes()
        self._settle()
        self._destroy()

    def _change(self) -> None:
        ours = sorted(self._members - self._adopted)
        chosen = self._random.sample(ours, MOVED + SWAPPED)
        for id in chosen[MOVED:]:
            self._policies[id] = self._random.choice(NAMES)
        for id in chosen[:MOVED]:
            # The first one of the program gives, the second one takes.
            self._set_of[id] = "b"
        self._members -= {*self._random.sample(ours, EXCHANGED)}
        self._members |= {*self._random.sample(sorted({*MANY} - self._members), EXCHANGED)}

    def _up(self, *, faulty: bool) -> Outcome:
        before = self._on()
        outcome = self._during_faults(lambda: self._sets.up(**self._program()), faulty=faulty)
        after = self._on()
        writes = self._replay(before, after)
        for id in self._members & before.keys():
            assert id in after or "IS NOT PROTECTED" in outcome.error, f"{id} is bare: {outcome}"
            unforced = [write for write in writes if write.id == id and write.bared and not write.refused]
            assert [] == unforced, f"{id} was bare for a moment, and the service had not refused a second policy"
        return outcome

    def _refresh_sometimes(self) -> None:
        if self._random.random() < 0.5:
            before = self._on()
            self._during_faults(self._sets.refresh, faulty=True)
            assert before == self._on()

    def _settle(self) -> None:
        """Carry out the program without faults until nothing is left to do; state and service are as it says."""
        outcomes: list[Outcome] = []
        while not outcomes or (
            len(outcomes) < 3 and ({*outcomes[-1].steps.values()} != {"same"} or outcomes[-1].written)
        ):
            outcomes.append(self._up(faulty=False))
        assert ({"a": "same", "b": "same"}, []) == (outcomes[-1].steps, outcomes[-1].written), outcomes
        on, wanted = self._on(), {id: _policy_id(self._policies[id]) for id in self._members}
        assert {id: {policy} for id, policy in wanted.items()} == {id: on.get(id) for id in wanted}
        outs = {name: kept.outs for name, kept in self._sets.kept.items()}
        for name, of_one in outs.items():
            expected = {id: policy for id, policy in wanted.items() if self._set_of[id] == name}
            assert expected == {**of_one["protected"], **of_one["adopted"]}
        if not self._lasting:
            # A policy whose answer got lost may count as adopted; an adopted policy never counts as the own policy.
            assert self._adopted <= {id for of_one in outs.values() for id in of_one["adopted"]}, "took a policy"

    def _destroy(self) -> None:
        assert set() == {*FOREIGN} & {*self._during_faults(self._sets.destroy, faulty=True).written}
        if self._sets.kept:
            assert "" == self._during_faults(self._sets.destroy, faulty=False).error
        left = {id: on for id, on in self._on().items() if not self._lasting or id in self._before}
        assert self._before == left

    def _program(self) -> dict[str, Properties]:
        return {
            name: {
                **assigned({id: self._policies[id] for id in sorted(self._members) if self._set_of[id] == name}),
                "tenant_id": TENANT,
                "max_removals": "100%",
            }
            for name in "ab"
        }

    def _during_faults(self, command: Callable[[], Outcome], *, faulty: bool) -> Outcome:
        rules = [self._fault() for _ in range(self._random.randint(0, 6))] if faulty else []
        with self._emulator.possible_faults(*rules):
            return command()

    def _fault(self) -> dict[str, Any]:
        operation = self._random.choice(WRITES + READS)
        nth = self._random.choice([1, 1, 2, 3, 5, 8, 13, 21, 34])
        if operation in WRITES:
            do = self._random.choices(OF_WRITES, k=self._random.choice([1, 1, 1, 2, 3, 9]))
        else:
            do = self._random.choices([*PASSING, *(LASTING if self._lasting else [])], k=self._random.choice([1, 1, 2]))
        return {"operation": operation, "nth": nth, "do": do}

    def _replay(self, before: Mapping[str, set[str]], after: Mapping[str, set[str]]) -> list[Write]:
        """Replay the writes of an `up`, which must touch nothing of others, and do nothing twice."""
        on = {id: {*policies} for id, policies in before.items()}
        writes = replay(self._emulator, on, self._second_policy)
        assert set() == {write.id for write in writes} & {*FOREIGN, *self._adopted}
        assert {id: policies for id, policies in on.items() if policies} == after
        effects = Counter(write.key for write in writes if write.changed)
        refused = {write.id for write in writes if write.refused}
        assert [] == [key for key, count in effects.items() if count > 1 and key[1] not in refused], "done twice"
        return writes

    def _on(self) -> dict[str, set[str]]:
        return policies_by_resource(self._emulator)


def _policy_id(name: str) -> str:
    return f"policy-{name.lower()}"
