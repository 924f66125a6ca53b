"""The engine's options of a resource, and the writes of each of them."""

import json

from support import Emulator
from support.engine.programs import Change, program, steps_and_writes, writes_by_thing, writes_in_order
from support.engine.stack import SECRET, Stack

OPTIONS = {
    "ignore_changes of a policy": Change(
        'protect("policy", 9, ignore_changes=["policy"])',
        'protect("policy", 9, "Bronze", ignore_changes=["policy"])',
    ),
    "ignore_changes of a resource": Change(
        'protect("resource", 10, ignore_changes=["resource"])',
        'protect("resource", 11, ignore_changes=["resource"])',
    ),
    "ignore_changes of an address": Change(
        'org("address", "crm-1", "Shop", ignore_changes=["admin_email"])',
        'org("address", "crm-1", "Shop", admin_email="boss@shop.example", ignore_changes=["admin_email"])',
    ),
    "ignore_changes of a name": Change(
        'org("title", "crm-2", "Deli", ignore_changes=["name"])',
        'org("title", "crm-2", "Bistro", ignore_changes=["name"])',
    ),
    "aliases of a protection": Change('protect("old", 12)', 'protect("new", 12, aliases=[pulumi.Alias(name="old")])'),
    "aliases of an organization": Change(
        'org("old-org", "crm-3", "Cafe")', 'org("new-org", "crm-3", "Cafe", aliases=[pulumi.Alias(name="old-org")])'
    ),
    "aliases below a parent": Change(
        'protect("moved", 13)',
        'protect("moved", 13, parent=Group("home"), aliases=[pulumi.Alias(parent=pulumi.ROOT_STACK_RESOURCE)])',
    ),
    "a parent that goes": Change(
        'protect("child", 14, parent=Group("house"))', "", {"child": "delete"}, {"contoso-user-14": ["-gold"]}
    ),
    "retain_on_delete": Change('protect("kept", 15, retain_on_delete=True)', "", {"kept": "delete"}),
    "protect": Change('protect("safe", 16, protect=True)', 'protect("safe", 16, protect=False)'),
    "delete_before_replace": Change(
        'protect("replaced", 17, delete_before_replace=True)',
        'protect("replaced", 18, delete_before_replace=True)',
        {"replaced": "replace"},
        {"contoso-user-17": ["-gold"], "contoso-user-18": ["+gold"]},
    ),
}


def test_options_of_a_resource_do_what_they_say(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program(*(change.before for change in OPTIONS.values())))
    stack.write(program(*(change.after for change in OPTIONS.values())))
    steps, writes = steps_and_writes(OPTIONS)
    assert steps == stack.preview().steps
    assert (steps, writes) == (stack.up().steps, writes_by_thing(emulator))


REPLACING = {
    "invalid_argument": ("Silver", ["+silver 400", "-gold", "+silver"]),
    "adds": ("Bronze", ["+bronze", "-silver"]),
}


def test_a_policy_that_replaces_the_resource_is_swapped_in_place(stack: Stack, emulator: Emulator) -> None:
    lines = program(
        'replace = {"replace_on_changes": ["policy"]}',
        'protect("made", 9, POLICY, **replace)',
        'protect("deleted", 10, POLICY, **replace, delete_before_replace=True)',
    )
    stack.deploy(lines.replace("POLICY", '"Gold"'))
    for second_policy, (policy, writes) in REPLACING.items():
        emulator.set_dialect(second_policy=second_policy)
        emulator.clear_requests()
        stack.write(lines.replace("POLICY", f'"{policy}"'))
        assert {"made": "replace", "deleted": "replace"} == stack.up().steps
        assert {"contoso-user-09": writes, "contoso-user-10": writes} == writes_by_thing(emulator)
    own = {name: resource["outputs"]["own_policy_id"] for name, resource in stack.resources().items()}
    assert {"made": "policy-contoso-bronze", "deleted": "policy-contoso-bronze"} == own


def test_dependent_resources_are_created_later_and_deleted_earlier(stack: Stack, emulator: Emulator) -> None:
    stack.write(
        program(
            'first = protect("first", 9)',
            'second = protect("second", 10, depends_on=first)',
            'protect("third", 11, depends_on=[Group("group"), second])',
        )
    )
    # A resource that does not wait for the slow one overtakes it.
    with emulator.faults({"operation": "protect_resource", "path": "*-user-09/*", "do": ["stall:1"]}):
        stack.up()
    with emulator.faults({"operation": "unprotect_resource", "path": "*-user-11/*", "do": ["stall:1"]}):
        stack.destroy()
    users = ("contoso-user-09", "contoso-user-10", "contoso-user-11")
    expected = [*(f"{user} +gold" for user in users), *(f"{user} -gold" for user in reversed(users))]
    assert expected == writes_in_order(emulator)


SECRETS = """
    secret = pulumi.Output.secret
    shop = Org("shop", external_id=secret("crm-1"), name=secret("Shop"), admin_email=secret("it@shop.example"))
    wei = Protection(
        "wei", tenant_id=secret("tenant-contoso"), resource=secret("wei.zhang@contoso.example"), policy=secret("Gold")
    )
    for name in ("id", "external_id", "name", "admin_email", "parent_org_id", "kind", "invitation_url"):
        pulumi.export(f"shop.{name}", getattr(shop, name))
    for name in ("id", "tenant_id", "resource", "policy"):
        pulumi.export(f"wei.{name}", getattr(wei, name))
"""
SECRET_INPUTS = {
    "shop": {"external_id", "name", "admin_email"},
    "wei": {"tenant_id", "resource", "policy"},
}
SECRET_OUTPUTS = {**SECRET_INPUTS, "shop": {*SECRET_INPUTS["shop"], "invitation_url"}}


def secrets_in(stack: Stack, kind: str) -> dict[str, set[str]]:
    """Return the properties that are encrypted in the state, by resource."""
    return {
        name: {key for key, value in resource[kind].items() if isinstance(value, dict) and SECRET in value}
        for name, resource in stack.resources().items()
    }


def test_arguments_that_are_secret_stay_secret_through_refresh_and_update(stack: Stack, emulator: Emulator) -> None:
    stack.set_environment(
        DATAPROTECTION_PROFILES=json.dumps({"msp": {"apiKey": emulator.api_key, "baseUrl": emulator.url}})
    )
    stack.write(SECRETS)
    shown = [stack.up("--diff"), stack.refresh("--diff")]
    outputs = stack.outputs()
    assert (SECRET_INPUTS, SECRET_OUTPUTS) == (secrets_in(stack, "inputs"), secrets_in(stack, "outputs"))
    stack.write(SECRETS.replace('"Gold"', '"Silver"').replace("name=", 'profile="msp", name='))
    shown.append(stack.up("--diff"))
    assert {"shop": "update", "wei": "update"} == shown[-1].steps
    assert {**outputs, "wei.policy": "Silver"} == stack.outputs()
    assert (SECRET_INPUTS, SECRET_OUTPUTS) == (secrets_in(stack, "inputs"), secrets_in(stack, "outputs"))
    text = "".join(outcome.text for outcome in shown)
    plain = ("crm-1", "Shop", "it@shop.example", "wei.zhang@contoso.example", "Gold", "Silver", "https://")
    assert [] == [secret for secret in plain if secret in text]
    assert "~ policy   : [secret] => [secret]" in text
    stack.write(SECRETS.replace("it@shop.example", "boss@shop.example"))
    preview = stack.preview()
    assert "admin_email" in preview.messages["shop"]
    assert "@shop.example" not in preview.text
