"""Runs of a part, with a refresh, of many items in parallel, with several keys and stacks; and their writes."""

import json

from support import Emulator
from support.engine.programs import program, writes_by_thing
from support.engine.stack import Stack
from support.resources.contoso import SILVER, protect, unprotect, user


def test_targets_are_changed_and_their_neighbours_are_not(stack: Stack, emulator: Emulator) -> None:
    sets = 'protect_all("first", [12, 13])', 'protect_all("second", [14, 15])'
    stack.deploy(program('protect("one", 9)', 'protect("two", 10)', 'protect("three", 11)', *sets))
    moved = 'protect_all("first", [12])', 'protect_all("second", [13, 15, 16])'
    stack.write(program('protect("one", 9, "Silver")', 'protect("two", 10, "Silver")', *moved))
    assert {"two": "update", "first": "update"} == stack.up("--target", "**::two", "--target", "**::first").steps
    # The neighbour declares the member that has left.
    assert {"contoso-user-10": ["+silver 400", "-gold", "+silver"]} == writes_by_thing(emulator)
    emulator.clear_requests()
    assert {"one": "update", "three": "delete", "second": "update"} == stack.up().steps
    changed = {"contoso-user-09": ["+silver 400", "-gold", "+silver"], "contoso-user-11": ["-gold"]}
    assert {**changed, "contoso-user-14": ["-gold"], "contoso-user-16": ["+gold"]} == writes_by_thing(emulator)


def test_an_up_with_a_refresh_creates_missing_protections_and_keeps_ignored_changes(
    stack: Stack, emulator: Emulator
) -> None:
    stack.deploy(program('protect("one", 9, ignore_changes=["policy"])', 'protect("two", 10)', 'protect("three", 11)'))
    protect(emulator, SILVER, user(9))
    unprotect(emulator, user(10))
    emulator.clear_requests()
    assert {"two": "create"} == stack.up("--refresh").steps
    assert {"contoso-user-10": ["+gold"]} == writes_by_thing(emulator)
    assert SILVER == stack.resources()["one"]["outputs"]["policy_id"], "the refresh did not see it"


def test_a_refresh_is_no_declaration_in_runs_that_refresh_first(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program('protect("old", 9)', 'protect("two", 10)', 'protect("three", 11)'))
    stack.write(program('protect("new", 9)', 'protect("two", 10)'))
    assert {"new": "create", "old": "delete", "three": "delete"} == stack.up("--refresh").steps
    assert {"contoso-user-11": ["-gold"]} == writes_by_thing(emulator)
    emulator.clear_requests()
    assert not stack.destroy("--refresh").failed
    assert {"contoso-user-09": ["-gold"], "contoso-user-10": ["-gold"]} == writes_by_thing(emulator)


def test_many_parallel_protections_are_written_once_each(stack: Stack, emulator: Emulator) -> None:
    items = [("contoso", number) for number in range(9, 29)] + [("adatum", number) for number in range(9, 13)]
    stack.write(program(*(f'protect("{name}-{number}", {number}, tenant="{name}")' for name, number in items)))
    for command, parallel, write in ((stack.up, 1, "+gold"), (stack.destroy, 16, "-gold"), (stack.up, 16, "+gold")):
        emulator.clear_requests()
        outcome = command("--parallel", str(parallel))
        assert (False, 24) == (outcome.failed, len(outcome.steps))
        assert {f"{name}-user-{number:02}": [write] for name, number in items} == writes_by_thing(emulator)


def test_each_profile_goes_to_its_own_service_with_its_own_key(stack: Stack, emulator: Emulator) -> None:
    with Emulator() as second:
        second.patch({"keys": [{**second.state()["keys"][0], "key": "second-key-7d30"}]})
        profiles = {
            "second": {"apiKey": "second-key-7d30", "baseUrl": second.url},
            "reader": {"apiKey": emulator.read_only_key, "baseUrl": emulator.url},
        }
        stack.set_environment(DATAPROTECTION_PROFILES=json.dumps(profiles))
        stack.write(
            program(
                'protect("here", 9)',
                'protect("there", 9, "Silver", profile="second")',
                'org("shop", "crm-1", "Shop", profile="second")',
                'Protection.get("seen", "tenant-contoso/res-contoso-user-01", profile="reader")',
                'get_policy("tenant-adatum", "Gold", profile="reader")',
            )
        )
        assert not stack.up().failed
        here, there = {"contoso-user-09": ["+gold"]}, {"contoso-user-09": ["+silver"], "crm-1": ["+"]}
        assert (here, there) == (writes_by_thing(emulator), writes_by_thing(second))
        read = {request["path"] for request in emulator.requests() if request["key"] == "Read-only"}
        assert {"/api/v1/tenants/tenant-contoso/protections", "/api/v1/tenants/tenant-adatum/policies"} <= read
        keys = [key.encode() for key in (emulator.api_key, emulator.read_only_key, "second-key-7d30")]
        assert [] == [path for path in stack.files() for key in keys if key in path.read_bytes()]

        assert {} == stack.refresh().refreshed
        emulator.clear_requests()
        second.clear_requests()
        assert not stack.destroy().failed
        here, there = {"contoso-user-09": ["-gold"]}, {"contoso-user-09": ["-silver"]}
        assert (here, there) == (writes_by_thing(emulator), writes_by_thing(second))
