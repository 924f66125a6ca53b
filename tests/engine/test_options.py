"""The engine's options and state commands on resources and sets, and the writes of each."""

from support import Emulator
from support.engine.programs import Change, hire, program, steps_and_writes, writes_by_thing, writes_in_order
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
    "ignore_changes of members": Change(
        'protect_all("frozen", [30, 31], ignore_changes=["assignments"])',
        'protect_all("frozen", [32], "Silver", ignore_changes=["assignments"])',
    ),
    "aliases of a protection": Change('protect("old", 12)', 'protect("new", 12, aliases=[pulumi.Alias(name="old")])'),
    "aliases of an organization": Change(
        'org("old-org", "crm-3", "Cafe")', 'org("new-org", "crm-3", "Cafe", aliases=[pulumi.Alias(name="old-org")])'
    ),
    "aliases below a parent": Change(
        'protect("moved", 13)\nprotect_all("moved-set", [33])',
        'below = {"parent": Group("home"), "aliases": [pulumi.Alias(parent=pulumi.ROOT_STACK_RESOURCE)]}\n'
        'protect("moved", 13, **below)\nprotect_all("moved-set", [33], **below)',
    ),
    "a parent that goes": Change(
        'house = Group("house")\nprotect("child", 14, parent=house)\nprotect_all("child-set", [34], parent=house)',
        "",
        {"child": "delete", "child-set": "delete"},
        {"contoso-user-14": ["-gold"], "contoso-user-34": ["-gold"]},
    ),
    "retain_on_delete": Change(
        'protect("left", 15, retain_on_delete=True)\nprotect_all("left-set", [35], retain_on_delete=True)',
        "",
        {"left": "delete", "left-set": "delete"},
    ),
    "on_destroy": Change('protect_all("kept", [36], on_destroy="keep")', "", {"kept": "delete"}),
    "protect": Change(
        'protect("safe", 16, protect=True)\nprotect_all("safe-set", [37], protect=True)',
        'protect("safe", 16, protect=False)\nprotect_all("safe-set", [37], protect=False)',
    ),
    "protect, while an item leaves": Change(
        'protect_all("fewer", [47, 48], protect=True)',
        'protect_all("fewer", [47], protect=True)',
        {"fewer": "update"},
        {"contoso-user-48": ["-gold"]},
    ),
    "adopt": Change(
        'of = {"tenant_id": "tenant-contoso"}\n'
        'Protection("owned", resource="res-contoso-user-01", policy="Silver", **of)\n'
        'ProtectionSet("owned-set", resources=["res-contoso-user-03"], policy="Gold", **of)',
        'of = {"tenant_id": "tenant-contoso", "adopt": "own"}\n'
        'Protection("owned", resource="res-contoso-user-01", policy="Silver", **of)\n'
        'ProtectionSet("owned-set", resources=["res-contoso-user-03"], policy="Gold", **of)',
        {"owned": "update", "owned-set": "update"},
    ),
    "replace_on_changes of a policy": Change(
        'protect("swapped", 17, replace_on_changes=["policy"])',
        'protect("swapped", 17, "Silver", replace_on_changes=["policy"])',
        {"swapped": "replace"},
        {"contoso-user-17": ["+silver 400", "-gold", "+silver"]},
    ),
    "replace_on_changes of members": Change(
        'protect_all("made", [38, 39], replace_on_changes=["assignments"])',
        'protect_all("made", [39, 40], replace_on_changes=["assignments"])',
        {"made": "replace"},
        {"contoso-user-38": ["-gold"], "contoso-user-40": ["+gold"]},
    ),
    "delete_before_replace": Change(
        'protect("replaced", 18, delete_before_replace=True)',
        'protect("replaced", 19, delete_before_replace=True)',
        {"replaced": "replace"},
        {"contoso-user-18": ["-gold"], "contoso-user-19": ["+gold"]},
    ),
    "delete_before_replace of a policy": Change(
        'protect("again", 20, replace_on_changes=["policy"], delete_before_replace=True)',
        'protect("again", 20, "Silver", replace_on_changes=["policy"], delete_before_replace=True)',
        {"again": "replace"},
        {"contoso-user-20": ["+silver 400", "-gold", "+silver"]},
    ),
    "delete_before_replace of members": Change(
        'protect_all("gone", [41, 42], replace_on_changes=["assignments"], delete_before_replace=True)',
        'protect_all("gone", [42, 43], replace_on_changes=["assignments"], delete_before_replace=True)',
        {"gone": "replace"},
        {"contoso-user-41": ["-gold"], "contoso-user-43": ["+gold"]},
    ),
    "another tenant with items of the same ids": Change(
        'protect_all("tenant", [44, 45], max_removals=2)',
        'protect_all("tenant", ["res-contoso-user-44", "res-contoso-user-45"], max_removals=2, tenant="adatum")',
        {"tenant": "replace"},
        {"contoso-user-44": ["-gold"], "contoso-user-45": ["+gold", "-gold"]},
    ),
    "only an argument": Change(
        'protect_all("lenient", [46])', 'protect_all("lenient", [46], on_missing="warn")', {"lenient": "update"}
    ),
}


def test_options_do_what_they_say(stack: Stack, emulator: Emulator) -> None:
    hire(emulator)
    twins = [{"tenant_id": "tenant-adatum", "id": f"res-contoso-user-{number}"} for number in (44, 45)]
    foreign = {"id": "prot-1", "tenant_id": "tenant-adatum", "resource_id": twins[0]["id"], "job_id": "1"}
    emulator.patch({"resources": twins, "protections": [{**foreign, "policy_id": "policy-adatum-gold"}]})
    stack.deploy(program(*(change.before for change in OPTIONS.values())))
    stack.write(program(*(change.after for change in OPTIONS.values())))
    steps, writes = steps_and_writes(OPTIONS)
    assert steps == stack.preview().steps
    up = stack.up()
    assert (steps, writes) == (up.steps, writes_by_thing(emulator))
    # A resource that takes its own place does not report that it stays protected.
    assert not {"swapped", "replaced", "again", "made", "gone"} & {*up.messages}
    order = writes_in_order(emulator)
    # A set is never deleted before its replacement exists, also with delete_before_replace.
    for new, old in ((40, 38), (43, 41)):
        assert order.index(f"contoso-user-{new} +gold") < order.index(f"contoso-user-{old} -gold")
    outputs = {name: resource["outputs"] for name, resource in stack.resources().items()}
    assert ["policy-contoso-silver"] * 3 == [outputs[name]["own_policy_id"] for name in ("swapped", "again", "owned")]
    # A replaced set keeps its policies, and owns no policy that another tenant had.
    sets = {name: {int(id[-2:]) for id in one["protected"]} for name, one in outputs.items() if "protected" in one}
    expected = {"frozen": {30, 31}, "moved-set": {33}, "safe-set": {37}, "made": {39, 40}, "gone": {42, 43}}
    assert {**expected, "tenant": {45}, "lenient": {46}, "fewer": {47}, "owned-set": {3}} == sets
    assert {"res-contoso-user-44": "policy-adatum-gold"} == outputs["tenant"]["adopted"]
    assert {} == stack.up("--refresh").steps


SET = "urn:pulumi:dev::test::pulumi-python:dynamic/dataprotection:ProtectionSet::before"


def test_a_set_renamed_in_the_state_or_exported_and_imported_is_unchanged(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program('protect_all("before", [9, "yuki.tanaka@contoso.example"])'))
    stack.rename(SET, "after")
    stack.load(stack.export())
    stack.write(program('protect_all("after", [9, "yuki.tanaka@contoso.example"])'))
    emulator.clear_requests()
    up = stack.up("--refresh")
    assert (False, {}, {}, {}) == (up.failed, up.steps, up.refreshed, writes_by_thing(emulator)), up.text


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


def test_arguments_that_are_secret_stay_secret_through_refresh_and_update(stack: Stack) -> None:
    stack.use_profile("msp")
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
