"""Names that attack terminals and pipelines, in each field that the service names: no output obeys them."""

import json
import re
import unicodedata
from collections.abc import Callable

import pulumi
import pytest

from pulumi_dataprotection.client.records import Record
from support import Emulator
from support.cli.commands import COMMANDS
from support.cli.getting import get
from support.functions.arguments import VALUES, function
from support.functions.names import FUNCTIONS
from support.functions.program import Program
from support.resources.arguments import BACKUP_RUN, assigned, members, protection
from support.resources.contoso import GOLD, HANNAH, JANE, JANE_ID, SILVER, TENANT, user
from support.resources.servicer import Checked, Engine, OperationError, Properties, Run, Servicer
from support.resources.sets import Sets

ATTACK = "\x1b[2J\n::error::injected\r\n##vso[task.complete]\u202e\u200b\u2028##[group]x"
SHOWN = r"\u001b[2J"
FIELDS = {"name", "external_id", "action", "actor_email", "actor_name", "subject", "plan", "message"}
KINDS = {"orgs", "tenants", "quotas", "subscriptions"}
"""The tables whose kinds and units no test asks for."""

OBEYED = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)


def attack(emulator: Emulator) -> None:
    """Append the attack to each name in the service."""
    content = emulator.state()
    emulator.patch(
        {
            table: [
                {
                    field: f"{value}{ATTACK}"
                    if field in FIELDS or (table in KINDS and field in {"kind", "units"})
                    else value
                    for field, value in record.items()
                    if value is not None
                }
                for record in records
            ]
            for table, records in content.items()
            if table not in {"keys", "installations"}
        }
    )


@pytest.fixture
def attacked(emulator: Emulator) -> Emulator:
    """A service whose names are all hostile."""
    attack(emulator)
    return emulator


def assert_harmless(text: str) -> None:
    categories = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert [] == [character for character in text.replace("\n", "") if unicodedata.category(character) in categories]
    assert [] == OBEYED.findall(text)


# The command


def options(name: str) -> list[str]:
    """Return the arguments of a command that find something by ids."""
    required = {**VALUES, "resource": JANE, "policy": GOLD, "name": None, "id": None, "kind": None, "protected": None}
    required |= {"get_org": {"id": "org-contoso"}, "get_tenant": {"id": TENANT}}.get(name, {})
    command = COMMANDS[f"dataprotection get {name.removeprefix('get_').replace('_', '-')}"]
    given = [(parameter, required.get(parameter.name or "")) for parameter in command.params]
    chosen = [(parameter, value) for parameter, value in given if value and isinstance(value, str)]
    return [word for parameter, value in chosen for word in (parameter.opts[0], value)]


@pytest.mark.parametrize("output_format", ["table", "csv", "json"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_format_of_the_command_is_obeyed(attacked: Emulator, name: str, output_format: str) -> None:
    command = name.removeprefix("get_").replace("_", "-")
    result = get(attacked, command, *options(name), "--format", output_format)
    assert_harmless(result.output)
    if output_format == "json" and result.exit_code == 0:
        json.loads(result.stdout)


def test_json_has_the_exact_name(attacked: Emulator) -> None:
    found = json.loads(get(attacked, "policy", "--tenant", TENANT, "--policy", GOLD, "--format", "json").stdout)
    assert f"Gold{ATTACK}" == found["name"]


# Functions

WRONG: dict[str, dict[str, object]] = {
    "get_policy": {"tenant_id": TENANT, "policy": "Nope"},
    "get_tenant": {"name": "Nope", "org_id": "org-contoso"},
    "get_resource": {"tenant_id": TENANT, "resource": "no\u202e ##[x]"},
    "get_protection": {"tenant_id": TENANT, "resource": HANNAH},
    "get_org": {"external_id": "no\u202e", "parent_org_id": "org-alpine"},
    "get_policies": {"tenant_id": "no\u202e##[x]"},
}


@pytest.mark.parametrize("name", WRONG)
def test_no_error_of_a_function_is_obeyed(shop: Program, emulator: Emulator, name: str) -> None:
    attack(emulator)
    with pytest.raises(pulumi.RunError) as caught:
        shop.run(lambda: function(name)(**WRONG[name]))
    assert_harmless(str(caught.value))


def test_a_function_returns_the_exact_name(shop: Program, emulator: Emulator) -> None:
    attack(emulator)
    found: Record = shop.run(lambda: function("get_policy")(tenant_id=TENANT, policy=GOLD))
    assert f"Gold{ATTACK}" == found["name"]


# Resources

FORMER = user(29)
HIDDEN = "no\u202esuch ##[x]"
OWN = {**protection(JANE, SILVER), "resource_id": JANE, "policy_id": SILVER, "own_policy_id": SILVER}


def one_protected(run: Run, emulator: Emulator, **arguments: object) -> object:
    del emulator
    inputs = run.protection.check({}, protection(JANE, GOLD, **arguments)).inputs
    return run.protection.create(inputs)


def refused(run: Run, emulator: Emulator) -> object:
    with emulator.possible_faults({"operation": "protect_resource", "do": ["status:403"]}):
        return run.protection.create(run.protection.check({}, protection(HANNAH, GOLD)).inputs)


def same_name(run: Run, emulator: Emulator) -> object:
    twins = [{"tenant_id": TENANT, "id": id, "name": HIDDEN} for id in (JANE, HANNAH)]
    emulator.patch({"resources": twins})
    return run.protection.check({}, protection(HIDDEN, GOLD))


def twice(run: Run, emulator: Emulator) -> object:
    del emulator
    run.protection.named("one").check({}, protection(HANNAH, GOLD))
    return run.protection.named("two\u202e").check({}, protection(HANNAH, GOLD))


def set_twice(run: Run, emulator: Emulator) -> object:
    twice(run, emulator)
    return run.protection_set.check({}, members(HANNAH, user(21), policy=GOLD))


def other_policy(run: Run, emulator: Emulator) -> object:
    emulator.patch({"protections": [{"tenant_id": TENANT, "id": "prot-contoso-01", "policy_id": GOLD}]})
    run.protection.delete(JANE_ID, OWN)
    return None


def org(external_id: str, name: str) -> Properties:
    return {"external_id": external_id, "name": name, "parent_org_id": "org-alpine"}


def existing_org(run: Run, emulator: Emulator, *new: str) -> object:
    below = [one for one in emulator.state()["orgs"] if one["parent_org_id"] == "org-alpine"]
    emulator.patch({"orgs": [{**below[0], "external_id": "crm-9"}, {**below[1], "name": HIDDEN}]})
    return run.org.check({}, org(*new))


def failed_run(run: Run, emulator: Emulator) -> object:
    del emulator
    olds = {**BACKUP_RUN, "task_id": f"task{HIDDEN}", "status": "failed"}
    return run.backup_run.diff(f"{TENANT}/task", olds, BACKUP_RUN)


FLOWS: dict[str, tuple[Callable[[Run, Emulator], object], bool]] = {
    "no such policy": (lambda run, _: run.protection.check({}, protection(HANNAH, "Nope")), True),
    "no such resource": (lambda run, _: run.protection.check({}, protection(HIDDEN, GOLD)), False),
    "no such tenant": (lambda run, _: run.protection.check({}, {**protection(JANE, GOLD), "tenant_id": HIDDEN}), False),
    "control characters": (lambda run, _: run.protection.check({}, protection(ATTACK, GOLD)), False),
    "several": (same_name, False),
    "archived": (lambda run, _: run.protection.check({}, protection(FORMER, GOLD)), True),
    "another policy": (lambda run, _: run.protection.check({}, protection(JANE, GOLD)), True),
    "another policy at creation": (one_protected, True),
    "taken over": (lambda run, emulator: one_protected(run, emulator, on_conflict="take_over"), True),
    "to own": (lambda run, _: run.protection.check({}, protection(JANE, SILVER, adopt="own")), True),
    "refused": (refused, True),
    "declared twice": (twice, True),
    "another policy at deletion": (other_policy, False),
    "members": (lambda run, _: run.protection_set.check({}, assigned({HIDDEN: GOLD, FORMER: "Nope"})), True),
    "members skipped": (
        lambda run, _: run.protection_set.check({}, members(HIDDEN, FORMER, JANE, policy=SILVER, on_missing="warn")),
        False,
    ),
    "members with other policies": (lambda run, _: run.protection_set.check({}, members(JANE, user(2))), True),
    "members taken over": (
        lambda run, _: run.protection_set.check({}, members(JANE, user(2), policy=GOLD, on_conflict="take_over")),
        True,
    ),
    "members declared twice": (set_twice, True),
    "an external id": (lambda run, emulator: existing_org(run, emulator, "crm-9", "Other"), True),
    "an organization": (lambda run, emulator: existing_org(run, emulator, "crm-8", HIDDEN), True),
    "a run": (failed_run, False),
    "no such archive": (
        lambda run, _: run.archive_deletion.check({}, {"tenant_id": TENANT, "archive_id": HIDDEN, "reason": "x"}),
        False,
    ),
}


@pytest.mark.parametrize(("flow", "names"), FLOWS.values(), ids=FLOWS)
def test_no_message_of_a_resource_is_obeyed(
    hurried: Servicer, engine: Engine, attacked: Emulator, flow: Callable[[Run, Emulator], object], *, names: bool
) -> None:
    texts: list[str] = []
    checks: object = None
    try:
        checks = flow(hurried.run(attacked), attacked)
    except OperationError as error:
        texts += [error.text, str(error.code)]
    if isinstance(checks, Checked):
        # With the name of a property the engine prints its value.
        texts += [f"{reason} {checks.inputs.get(name, '')}" for name, reason in checks.failures]
    texts += [message.message for message in engine.messages]
    text = "\n".join(texts)
    assert text.strip(), "the flow has no message"
    assert_harmless(text)
    assert SHOWN in text or not names, text


def test_no_message_in_the_life_of_a_set_is_obeyed(sets: Sets, engine: Engine, emulator: Emulator) -> None:
    attack(emulator)
    many = members(*map(user, range(9, 29)), policy=GOLD)
    few = members(user(9), policy=GOLD)
    with emulator.possible_faults({"operation": "protect_resource", "do": ["status:403"]}):
        errors = [sets.up(people=many).error]
    errors += [sets.up(people=many).error, sets.preview(people=few).error]
    on = [one for one in emulator.state()["protections"] if one["tenant_id"] == TENANT]
    emulator.patch({"protections": [{**one, "policy_id": SILVER} for one in on]})
    errors += [sets.refresh().error, sets.up(people={**few, "max_removals": "100%"}).error, sets.destroy().error]
    text = "\n".join([*errors, *(message.message for message in engine.messages)])
    assert_harmless(text)
    assert ["403 forbidden", "max_removals allows", SHOWN] == [
        part for part in ("403 forbidden", "max_removals allows", SHOWN) if part in text
    ]
