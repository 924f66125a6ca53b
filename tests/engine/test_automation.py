"""Inline programs in one process, in sequence and in parallel: no run knows of another run."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pulumi import automation

from pulumi_dataprotection import ProtectionSet, get_resources
from support import Emulator
from support.cli.getting import settings
from support.engine.programs import writes_by_thing
from support.engine.stack import Stack

Sets = Mapping[str, Sequence[int]]


class Fleet:
    """Stacks of inline programs, each of which declares some sets.

    Args:
        stack: the stack that lends its environment.
    """

    def __init__(self, stack: Stack) -> None:
        command = shutil.which("pulumi")
        assert command
        self._command = automation.PulumiCommand(root=str(Path(command).parents[1]))
        self._environment = stack.environment

    def up(self, stack: str, sets: Sets) -> None:
        """Run `up` on these sets, given by the numbers of their members."""

        def program() -> None:
            for name, numbers in sets.items():
                members = [f"res-contoso-user-{number:02}" for number in numbers]
                ProtectionSet(name, tenant_id="tenant-contoso", resources=members, policy="Gold")

        self.run(stack, program)

    def run(self, stack: str, program: Callable[[], None]) -> None:
        """Run `up` on a program."""
        options = automation.LocalWorkspaceOptions(pulumi_command=self._command, env_vars=self._environment)
        automation.create_or_select_stack(stack, project_name="test", program=program, opts=options).up(color="never")


def test_a_run_does_not_see_the_declarations_of_an_earlier_run(stack: Stack, emulator: Emulator) -> None:
    fleet = Fleet(stack)
    fleet.up("one", {"a": [9], "b": [10, 11]})
    emulator.clear_requests()
    # A run that saw the former set as another set of this program would keep its members.
    fleet.up("one", {"a": [9], "b": [10]})
    assert {"contoso-user-11": ["-gold"]} == writes_by_thing(emulator)


def test_programs_that_run_in_parallel_do_not_share_declarations(stack: Stack, emulator: Emulator) -> None:
    fleet = Fleet(stack)
    fleet.up("one", {"a": [9], "b": [10, 11]})
    fleet.up("two", {"a": [11, 12]})
    emulator.clear_requests()
    # The declarations of another stack keep no policy.
    runs: dict[str, Sets] = {"one": {"a": [9], "b": [10]}, "two": {"a": [11, 12], "b": [13]}}
    with ThreadPoolExecutor(len(runs)) as threads:
        for ended in [threads.submit(fleet.up, *run) for run in runs.items()]:
            ended.result()
    writes = writes_by_thing(emulator)
    # The other stack may see that it is bare, and protect it again.
    assert writes.pop("contoso-user-11") in (["-gold"], ["-gold", "+gold"])
    assert {"contoso-user-13": ["+gold"]} == writes


def test_a_program_that_reads_from_another_service_than_its_provider_is_refused(
    tmp_path: Path, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Emulator() as customer:
        # The variables of a workspace reach the provider, and not a program inside this process.
        fleet, right = Fleet(Stack(tmp_path, customer)), settings(customer)

        def program() -> None:
            people = get_resources("tenant-contoso", kind="office_user", archived=False).items
            members = [person.id for person in people[8:10]]
            ProtectionSet("a", tenant_id="tenant-contoso", resources=members, policy="Gold")

        for other in ({"DATAPROTECTION_BASE_URL": emulator.url}, {"DATAPROTECTION_API_KEY": emulator.read_only_key}):
            for name, value in {**right, **other}.items():
                monkeypatch.setenv(name, value)
            with pytest.raises(automation.CommandError, match="Cannot continue"):
                fleet.run("one", program)
            assert [] == emulator.writes() + customer.writes()
        for name, value in right.items():
            monkeypatch.setenv(name, value)
        fleet.run("one", program)
        assert {"contoso-user-09": ["+gold"], "contoso-user-10": ["+gold"]} == writes_by_thing(customer)
