"""`dataprotection drift`: the result for states in files."""

import csv
import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from support import Emulator
from support.cli.drifting import Found, drift, find, hurried
from support.engine.old_states import OldState, old_states, profiles
from support.inventory.states import CONTOSO, exported, protection, protection_set, resource, write_state
from support.resources.contoso import BRONZE, GOLD, SILVER, add_policy, change, protect, unprotect, user

ADATUM = "tenant-adatum"
STATUSES = ("in_step", "drifted", "bare", "gone", "unreadable")
IN_PORTAL = {1: SILVER, 2: BRONZE, 3: GOLD, 4: SILVER, 5: BRONZE, 6: GOLD, 7: SILVER, 8: BRONZE}
"""The policies that users have."""


def counts(found: Found) -> dict[str, tuple[int, ...]]:
    """Return the numbers of each stack, in the order of `STATUSES`."""
    return {stack["stack"]: tuple(stack[status] for status in STATUSES) for stack in found["stacks"]}


def findings(found: Found, *fields: str) -> list[tuple[Any, ...]]:
    """Return fields of the findings."""
    return [tuple(finding[field] for field in fields) for finding in found["findings"]]


def protections(*numbers: int, stack: str = "north") -> list[dict[str, Any]]:
    """Return protections of users as the service has them."""
    return [protection(user(number), IN_PORTAL[number], stack=stack) for number in numbers]


def test_states_that_are_in_step_take_one_call_for_each_tenant(emulator: Emulator, tmp_path: Path) -> None:
    for number, stack in enumerate(("north", "south"), 1):
        write_state(tmp_path, *protections(number, number + 2, stack=stack), stack=stack)
    write_state(tmp_path, protection_set({user(5): BRONZE, user(6): GOLD}), stack="west")
    write_state(tmp_path, protection("res-adatum-user-01", "policy-adatum-silver", tenant_id=ADATUM), stack="east")
    status, found = find(emulator, tmp_path)
    assert (0, True, False, []) == (status, found["complete"], found["drift"], found["findings"])
    assert {"north": 2, "south": 2, "west": 2, "east": 1} == {
        name: numbers[0] for name, numbers in counts(found).items()
    }
    calls = [(request["operation"], request["path"].split("/")[4]) for request in emulator.requests()]
    assert {("list_protections", CONTOSO), ("list_protections", ADATUM)} == {*calls}
    assert 2 == len(calls)


def test_each_status_is_found_with_the_names_of_the_service(emulator: Emulator, tmp_path: Path) -> None:
    unprotect(emulator, user(2), user(3))
    protect(emulator, SILVER, user(4))
    change(emulator, user(3), deleted=True)
    org = {"id": "org-contoso", "external_id": "crm-1002", "name": "Contoso"}
    write_state(
        tmp_path,
        *protections(1, 2, 3),
        protection(user(4), GOLD),
        protection(user(5), {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270"}),
        resource("Org", "contoso", "org-contoso", **org),
        resource("Org", "renamed", "org-contoso", **{**org, "name": "Contoso Inc."}),
        resource("Org", "lost", "org-lost", **org),
        resource("BackupRun", "run", f"{CONTOSO}/task-1", tenant_id=CONTOSO, status="done"),
        resource("MemberRemoval", "removal", "removal"),
    )
    status, found = find(emulator, tmp_path)
    assert (1, False, True) == (status, found["complete"], found["drift"])
    assert {"north": (3, 2, 1, 2, 1)} == counts(found)
    gold, silver, bronze = f'"Gold" ({GOLD})', f'"Silver" ({SILVER})', f'"Bronze" ({BRONZE})'
    assert {
        ("bare", user(2), "john.smith@contoso.example", bronze, ""),
        ("gone", user(3), user(3), gold, ""),
        ("drifted", user(4), "aoife.byrne@contoso.example", gold, silver),
        ("unreadable", "", "", "", ""),
        ("drifted", "org-contoso", "Contoso", 'name "Contoso Inc."', 'name "Contoso"'),
        ("gone", "org-lost", "Contoso", "", ""),
    } == {*findings(found, "status", "id", "name", "declared", "found")}


def test_findings_have_the_same_order_whichever_tenant_answers_first(emulator: Emulator, tmp_path: Path) -> None:
    missing = [protection(f"item-{number}", GOLD, tenant_id=CONTOSO) for number in (2, 1)]
    write_state(tmp_path, *missing, protection("item-3", GOLD, tenant_id=ADATUM))
    with emulator.faults({"path": f"*/{ADATUM}/*", "do": ["stall:0.3"]}):
        _, found = find(emulator, tmp_path)
    assert ["item-3", "item-1", "item-2"] == [id for (id,) in findings(found, "id")]


def test_the_exit_status_is_7_for_a_drift(emulator: Emulator, tmp_path: Path) -> None:
    unprotect(emulator, user(1))
    write_state(tmp_path, *protections(1, 2))
    assert 7 == find(emulator, tmp_path)[0]


def test_the_items_of_a_set_are_compared_one_by_one(emulator: Emulator, tmp_path: Path) -> None:
    members = {"jane.doe@contoso.example": "Silver", "john.smith@contoso.example": "Bronze", "gone@": "Gold"}
    ids = {"jane.doe@contoso.example": user(1), "john.smith@contoso.example": user(2), "gone@": "res-gone"}
    maps: dict[str, Any] = {"resource_ids": ids, "policy_ids": {"Silver": SILVER, "Bronze": BRONZE, "Gold": GOLD}}
    on = {user(1): SILVER, user(2): BRONZE, "res-gone": GOLD}
    write_state(tmp_path, protection_set(on, assignments=members, **maps))
    unprotect(emulator, user(1))
    status, found = find(emulator, tmp_path)
    assert (7, {"north": (1, 0, 1, 1, 0)}) == (status, counts(found))
    assert {("bare", user(1), True), ("gone", "res-gone", False)} == {*findings(found, "status", "id", "drift")}


def test_a_member_that_is_gone_is_no_drift(emulator: Emulator, tmp_path: Path) -> None:
    write_state(tmp_path, protection_set({user(1): SILVER, "res-gone": GOLD}))
    status, found = find(emulator, tmp_path)
    assert (0, {"north": (1, 0, 0, 1, 0)}) == (status, counts(found))


def test_a_resource_that_accepts_any_policy_never_drifts(emulator: Emulator, tmp_path: Path) -> None:
    accepts = {"on_conflict": "accept"}
    write_state(tmp_path, protection(user(1), GOLD, **accepts), protection_set({user(2): GOLD}, **accepts))
    assert (0, {"north": (2, 0, 0, 0, 0)}) == (find(emulator, tmp_path)[0], counts(find(emulator, tmp_path)[1]))


def test_names_that_are_secret_in_the_program_are_not_shown(emulator: Emulator, tmp_path: Path) -> None:
    unprotect(emulator, user(1))
    secret = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270"}
    hidden = {**secret, "plaintext": json.dumps({"jane.doe@contoso.example": SILVER})}
    ids = {**secret, "plaintext": json.dumps({"jane.doe@contoso.example": user(1)})}
    set_ = protection_set({user(1): SILVER}, assignments=hidden, resource_ids=ids)
    for fields in (
        {},
        {"assignments": {**secret, "ciphertext": "v1:x"}, "resource_ids": {**secret, "ciphertext": "v1:x"}},
    ):
        properties = {**set_["inputs"], **fields}
        write_state(tmp_path, {**set_, "inputs": properties, "outputs": properties})
        status, found = find(emulator, tmp_path)
        assert (7, [("bare", "")]) == (status, findings(found, "status", "name"))
        assert "jane" not in json.dumps(found)


def test_an_item_that_several_states_declare_is_reported_and_its_tenant_is_read_once(
    emulator: Emulator, tmp_path: Path
) -> None:
    write_state(tmp_path, *protections(1, 2), stack="north")
    write_state(tmp_path, protection_set({user(1): SILVER}, stack="south"), stack="south")
    status, found = find(emulator, tmp_path)
    assert (0, ["list_protections"]) == (status, [request["operation"] for request in emulator.requests()])
    (twice,) = found["declared_twice"]
    assert (CONTOSO, user(1)) == (twice["tenant_id"], twice["id"])
    assert ["north", "south"] == [by["stack"] for by in twice["by"]]
    for output_format in ("table", "md"):
        text = drift(emulator, "--state", str(tmp_path), "--format", output_format).stdout
        assert re.search(f"{user(1)} .*north .*south ", text)


def test_a_tenant_that_is_gone_takes_its_resources_along_and_no_other_tenant(
    emulator: Emulator, tmp_path: Path
) -> None:
    archive = resource("ArchiveDeletion", "a", f"{ADATUM}/archive-1", tenant_id=ADATUM, archive_id="archive-1")
    of_adatum = protection("res-adatum-user-01", "policy-adatum-silver", tenant_id=ADATUM)
    write_state(tmp_path, of_adatum, archive, *protections(1))
    emulator.patch({"tenants": [{"id": ADATUM, "deleted": True}]})
    status, found = find(emulator, tmp_path)
    assert (7, {"north": (1, 0, 0, 2, 0)}) == (status, counts(found))
    assert {("gone", ADATUM)} == {*findings(found, "status", "tenant_id")}


@pytest.mark.parametrize("status", [403, 500])
def test_a_tenant_that_cannot_be_read_does_not_hide_the_others(emulator: Emulator, tmp_path: Path, status: int) -> None:
    of_adatum = [
        protection(f"res-adatum-user-0{number}", "policy-adatum-silver", tenant_id=ADATUM) for number in range(1, 4)
    ]
    write_state(tmp_path, *of_adatum, *protections(1))
    write_state(tmp_path, *protections(2), stack="south")
    rule = {"path": f"*/{ADATUM}*", "do": [{"status": status}] * 100}
    with emulator.possible_faults(rule):
        ended, found = hurried(emulator, tmp_path)
    assert (1, {"north": (1, 0, 0, 0, 3), "south": (1, 0, 0, 0, 0)}) == (ended, counts(found))
    ((reason, count),) = findings(found, "reason", "count")
    assert (str(status) in reason, 3) == (True, count)


def test_a_list_that_is_incomplete_proves_nothing(emulator: Emulator, tmp_path: Path) -> None:
    write_state(tmp_path, *protections(1, 2, 3, 4, 5, 6, 7, 8))
    rule = {"operation": "list_protections", "do": ["no_items"] * 100}
    with emulator.possible_faults(rule):
        status, found = hurried(emulator, tmp_path)
    assert (1, {"north": (0, 0, 0, 0, 8)}) == (status, counts(found))


def test_a_key_that_is_not_valid_is_not_sent_for_each_tenant(emulator: Emulator, tmp_path: Path) -> None:
    write_state(tmp_path, *(protection("item", GOLD, tenant_id=f"tenant-{number}") for number in range(100)))
    status, found = find(emulator, tmp_path, DATAPROTECTION_API_KEY="wrong")
    assert (1, {"north": (0, 0, 0, 0, 100)}) == (status, counts(found))
    assert len(emulator.requests()) < 40


def test_a_service_that_fails_is_not_tried_for_each_tenant(emulator: Emulator, tmp_path: Path) -> None:
    write_state(tmp_path, *(protection("item", GOLD, tenant_id=f"tenant-{number}") for number in range(100)))
    status, found = hurried(emulator, tmp_path, DATAPROTECTION_BASE_URL="http://127.0.0.1:1")
    assert (1, {"north": (0, 0, 0, 0, 100)}) == (status, counts(found))


@pytest.mark.parametrize("old", old_states(), ids=lambda old: f"schema {old.schema}")
def test_the_state_of_each_version_is_in_step(emulator: Emulator, tmp_path: Path, old: OldState) -> None:
    emulator.reset("empty")
    emulator.patch(old.service)
    file = tmp_path / "old.json"
    file.write_text(json.dumps(old.state))
    variables = {"DATAPROTECTION_PROFILES": profiles(emulator)}
    status, found = find(emulator, file, **variables)
    assert (0, []) == (status, [finding for finding in found["findings"] if finding["drift"]])
    assert 0 < sum(stack["in_step"] for stack in found["stacks"])
    status, found = find(emulator, file)
    assert (1, True) == (status, 0 < sum(stack["in_step"] for stack in found["stacks"]))
    assert all("msp" in reason for (reason,) in findings(found, "reason"))


BROKEN = {
    "truncated": json.dumps(exported(*protections(1)))[:200].encode(),
    "compressed and truncated": gzip.compress(json.dumps(exported()).encode())[:20],
    "another file": b"{}",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_state_is_named_and_the_others_are_compared(
    emulator: Emulator, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "broken.json").write_bytes(content)
    write_state(tmp_path, *protections(1))
    status, found = find(emulator, tmp_path)
    assert (1, {"broken": (0, 0, 0, 0, 1), "north": (1, 0, 0, 0, 0)}) == (status, counts(found))
    ((stack, reason),) = findings(found, "stack", "reason")
    assert ("broken", True) == (stack, bool(reason))


def test_a_stack_of_another_program_and_a_stack_without_a_state_are_in_step(emulator: Emulator, tmp_path: Path) -> None:
    other = {"urn": "urn:pulumi:aws::shop::aws:s3/bucket:Bucket::b", "type": "aws:s3/bucket:Bucket", "id": "b"}
    write_state(tmp_path, other, stack="aws")
    write_state(tmp_path, stack="new")
    status, found = find(emulator, tmp_path)
    nothing = (0, 0, 0, 0, 0)
    assert (0, {"aws": nothing, "new": nothing}) == (status, counts(found))
    assert [] == emulator.requests()


UNKNOWN = {
    "kind": resource("Vault", "v", "vault"),
    "id": resource("Protection", "p", "tenant-contoso"),
    "tenant": protection("item", GOLD, tenant_id="a%2Fb%0A"),
}


@pytest.mark.parametrize("one", UNKNOWN.values(), ids=UNKNOWN)
def test_a_resource_that_cannot_be_compared_does_not_hide_the_others(
    emulator: Emulator, tmp_path: Path, one: dict[str, Any]
) -> None:
    write_state(tmp_path, one, *protections(1))
    status, found = find(emulator, tmp_path)
    assert (1, {"north": (1, 0, 0, 0, 1)}) == (status, counts(found))


def test_globs_choose_stacks_and_a_glob_without_a_stack_is_an_error(emulator: Emulator, tmp_path: Path) -> None:
    for stack in ("north", "south", "east"):
        write_state(tmp_path, stack=stack)
    words = ("--state", str(tmp_path), "--stacks", "*th", "--format", "json")
    assert {"north", "south"} == {*counts(json.loads(drift(emulator, *words).stdout))}
    result = drift(emulator, *words, "--stacks", "west")
    assert (1, {"north", "south", "west"}) == (result.exit_code, {*counts(json.loads(result.stdout))})


def test_the_table_has_a_line_for_each_stack_and_each_finding(emulator: Emulator, tmp_path: Path) -> None:
    unprotect(emulator, user(1))
    write_state(tmp_path, *protections(1, 2))
    write_state(tmp_path, *protections(3), stack="south")
    result = drift(emulator, "--state", str(tmp_path))
    assert 7 == result.exit_code
    assert re.search(r"^north +\S+ +1 +0 +1 +0 +0$", result.stdout, re.MULTILINE)
    assert re.search(r"^south +\S+ +1 +0 +0 +0 +0$", result.stdout, re.MULTILINE)
    assert re.search(r'^north .* bare .* jane.doe@contoso.example +"Silver"', result.stdout, re.MULTILINE)
    assert result.stdout.endswith("2 stacks: 2 in step, 1 bare\n")


HOSTILE = 'a\x1b[31m|`x` <b>@team</b>\n"=1\u202e'


@pytest.mark.parametrize("charset", ["utf-8", "ascii"])
@pytest.mark.parametrize("output_format", ["table", "json", "csv", "md"])
def test_a_name_of_the_service_is_only_a_name(
    emulator: Emulator, tmp_path: Path, output_format: str, charset: str
) -> None:
    unprotect(emulator, user(1))
    change(emulator, user(1), name=HOSTILE)
    write_state(tmp_path, *protections(1))
    result = drift(emulator, "--state", str(tmp_path), "--format", output_format, charset=charset)
    assert 7 == result.exit_code
    assert not {"\x1b", "\u202e"} & {*result.stdout}
    if output_format == "json":
        assert [(HOSTILE,)] == findings(json.loads(result.stdout), "name")
    if output_format == "csv":
        (row,) = csv.DictReader(io.StringIO(result.stdout))
        assert row["name"].startswith("a\\u001b")
    if output_format == "md":
        (line,) = (line for line in result.stdout.splitlines() if "team" in line)
        assert re.search(r"\| `` a.*\\\|`x` .* `` \|", line)


def test_markdown_is_short_and_says_what_it_leaves_out(emulator: Emulator, tmp_path: Path) -> None:
    for number in range(150):
        write_state(tmp_path, protection(f"item-{number}", GOLD, stack=f"s{number}"), stack=f"s{number}")
    write_state(tmp_path, *protections(1))
    result = drift(emulator, "--state", str(tmp_path), "--format", "md")
    assert (7, 2) == (result.exit_code, result.stdout.count("and 50 more"))
    assert (False, True) == ("north" in result.stdout, result.stdout.startswith("**151 stacks: 1 in step, 150 gone**"))


@pytest.mark.parametrize("option", ["--state", "--project", "--stacks"])
def test_an_option_must_not_be_empty(emulator: Emulator, option: str) -> None:
    assert 2 == drift(emulator, option, " ").exit_code
    assert [] == emulator.requests()


def test_a_policy_beside_the_declared_policy_is_in_step(emulator: Emulator, tmp_path: Path) -> None:
    add_policy(emulator, GOLD, user(1))
    write_state(tmp_path, *protections(1))
    assert 0 == find(emulator, tmp_path)[0]
