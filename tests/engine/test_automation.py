"""Inline programs in one process, in sequence and in parallel: no run knows of another run."""

import gc
import json
import os
import shutil
import sys
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pulumi import automation

from pulumi_dataprotection import ProtectionSet
from pulumi_dataprotection.resources._sdk import program_handover, root_resource
from support import Emulator, run_process, until
from support.cli.getting import settings
from support.engine.programs import writes_by_thing
from support.engine.stack import Stack

Sets = Mapping[str, Sequence[int]]


class Fleet:
    """Stacks of inline programs, each of which declares some sets.

    Args:
        stack: the stack that lends its environment.

    Attributes:
        roots: the roots of the programs that ran.
        files: the files that these programs wrote for their providers.
    """

    def __init__(self, stack: Stack) -> None:
        self._command = automation.PulumiCommand(root=pulumi_folder())
        self._environment = stack.environment
        self.roots: list[weakref.ref[object]] = []
        self.files: list[Path] = []

    def up(self, stack: str, sets: Sets) -> None:
        """Run `up` on these sets, given by the numbers of their members."""

        def program() -> None:
            for name, numbers in sets.items():
                members = [f"res-contoso-user-{number:02}" for number in numbers]
                ProtectionSet(name, tenant_id="tenant-contoso", resources=members, policy="Gold")
            file = program_handover()
            assert file
            assert file.path.exists()
            self.files.append(file.path)
            self.roots.append(weakref.ref(root_resource()))

        options = automation.LocalWorkspaceOptions(pulumi_command=self._command, env_vars=self._environment)
        automation.create_or_select_stack(stack, project_name="test", program=program, opts=options).up(color="never")

    def wait_for_removal_of_files(self) -> None:
        """Wait until the files are gone: a later engine may get the same address, and its provider reads them."""
        until(lambda: not any(file.exists() for file in self.files))


def pulumi_folder() -> str:
    """Return the folder of the command, as the SDK wants it."""
    command = shutil.which("pulumi")
    assert command
    return str(Path(command).parents[1])


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


def test_a_run_leaves_nothing_in_the_process_of_its_program(stack: Stack) -> None:
    fleet = Fleet(stack)
    fleet.up("one", {"a": [9], "b": [10, 11]})
    fleet.wait_for_removal_of_files()
    gc.collect()
    assert [None] == [root() for root in fleet.roots]


READ_AND_PROTECT = """
import json, os, sys
from pulumi import automation
from pulumi_dataprotection import ProtectionSet, get_resources

def program():
    people = get_resources("tenant-contoso", kind="office_user", archived=False).items
    members = [person.id for person in people[8:10]]
    ProtectionSet("a", tenant_id="tenant-contoso", resources=members, policy="Gold")

command = automation.PulumiCommand(root=sys.argv[1])
options = automation.LocalWorkspaceOptions(pulumi_command=command, env_vars=json.loads(sys.argv[2]))
try:
    automation.create_or_select_stack("one", project_name="test", program=program, opts=options).up(color="never")
except automation.CommandError as error:
    print(error, flush=True)
    # The SDK may leave the event loop of a program that failed open, or running.
    os._exit(1)
"""


def test_a_program_that_reads_from_another_service_than_its_provider_is_refused(
    tmp_path: Path, emulator: Emulator
) -> None:
    with Emulator() as customer:
        environment, right = Stack(tmp_path, customer).environment, settings(customer)
        arguments = [sys.executable, "-c", READ_AND_PROTECT, pulumi_folder(), json.dumps(environment)]
        for other in ({"DATAPROTECTION_BASE_URL": emulator.url}, {"DATAPROTECTION_API_KEY": emulator.read_only_key}):
            # The variables of a workspace reach the provider, and not a program inside this process.
            ended = run_process(arguments, env={**os.environ, **right, **other})
            assert (1, True) == (ended.returncode, "Cannot continue" in ended.stdout), ended.stderr
            assert [] == emulator.writes() + customer.writes()
        run_process(arguments, env={**os.environ, **right}, check=True)
        assert {"contoso-user-09": ["+gold"], "contoso-user-10": ["+gold"]} == writes_by_thing(customer)
