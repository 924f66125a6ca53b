"""A tenant of an emulator whose resources are all to be protected."""

from collections import Counter
from collections.abc import Callable

from benchmarks.contenders import Contender, Policies, Step
from benchmarks.printing import report
from benchmarks.results import NONE, TOO_LONG, Row
from benchmarks.scripted import Script
from benchmarks.watching import TooLongError, Usage
from pulumi_dataprotection.testing._control import send

__all__ = ["UNCHANGED", "Tenant"]

UNCHANGED = ("second up", "preview", "refresh")


class Tenant:
    """The one tenant of a seed, planted anew.

    Args:
        url: the emulator's address.
        size: how many resources it has.
    """

    def __init__(self, url: str, size: int) -> None:
        self._url = url
        self._size = size
        send(url, "POST", "seed", {"seed": f"large:1x{size}"})
        state = send(url, "GET", "state")
        self._names = {resource["id"]: resource["name"] for resource in state["resources"]}
        self._policies = {policy["id"]: policy["name"] for policy in state["policies"]}

    def steps(self) -> list[Step]:
        """Return what is to be done, in order."""
        first = dict.fromkeys(self._names, "policy-gold")
        changed = {**first, **dict.fromkeys(list(self._names)[::100], "policy-silver")}
        return [
            Step("first up", {}, first),
            *(Step(name, first, first) for name in UNCHANGED),
            Step("change", first, changed),
            Step("destroy", changed, {}),
        ]

    def spelled(self, policies: Policies) -> Policies:
        """Return policies by resource as people write them: by names."""
        return {self._names[resource_id]: self._policies[policy_id] for resource_id, policy_id in policies.items()}

    def let(self, contender: Contender, step: Step) -> Row:
        """Let somebody do a step, and see that it was done."""
        row = self.measure(contender.name, step.name, lambda: contender.run(step))
        if row.seconds is None:
            return row
        if contender.writes:
            protections: list[dict[str, str]] = send(self._url, "GET", "state")["protections"]
            found = {protection["resource_id"]: protection["policy_id"] for protection in protections}
            assert found == step.after, f"{contender.name}, {step.name}: another state than asked for"
        row.state = contender.state() if step.name == "first up" else None
        return row

    def list_like(self, row: Row, script: Script) -> Row:
        """Let the script read the listings that somebody read in a step."""
        listings = [name.removeprefix("list_") for name in row.calls if name.startswith("list_")]
        return self.measure(script.name, row.step, lambda: script.read(*listings))

    def measure(self, name: str, step: str, run: Callable[[], Usage | None]) -> Row:
        """Measure a command and the calls that come of it."""
        row = Row(self._size, name, step)
        report(f"{self._size:,} members, {step}: {name.strip()}")
        send(self._url, "DELETE", "requests")
        try:
            usage = run()
        except TooLongError:
            row.note = TOO_LONG
            return row
        if usage is None:
            row.note = NONE
            return row
        row.seconds, row.cpu = usage.seconds, usage.cpu
        row.memory = usage.peaks.get("command", 0)
        row.provider_memory, row.program_memory = usage.peaks.get("provider", 0), usage.peaks.get("program", 0)
        requests = send(self._url, "GET", "requests")
        row.calls = dict(Counter(request["operation"] for request in requests))
        row.writes = sum(request["method"] != "GET" for request in requests)
        # The log keeps the last 100,000.
        if requests and (lost := requests[-1]["number"] - len(requests)):
            row.calls["not in the log any more"] = lost
        return row
