"""A protection and its outputs, when its policy changes."""

from support import Emulator
from support.engine.programs import program, writes_by_thing
from support.engine.stack import Stack

OUTPUTS = ("id", "tenant_id", "resource", "policy", "on_conflict", "on_destroy", "resource_id", "policy_id", "job_id")
SHOWN = (
    'wei = protect("wei", 9, "Gold")',
    f"for name in {(*OUTPUTS, 'own_policy_id')}: pulumi.export(name, getattr(wei, name))",
)


def outputs_of(emulator: Emulator, policy: str) -> dict[str, object]:
    """Return the outputs of the protection, as the emulator has it."""
    (one,) = [one for one in emulator.state()["protections"] if one["resource_id"] == "res-contoso-user-09"]
    return {
        "id": f"{one['tenant_id']}/{one['resource_id']}",
        "resource": one["resource_id"],
        "policy": policy,
        "on_conflict": "fail",
        "on_destroy": "unprotect",
        "own_policy_id": f"policy-contoso-{policy.lower()}",
        **{name: one[name] for name in ("tenant_id", "resource_id", "policy_id", "job_id")},
    }


SWAPS = {"adds": ("Bronze", ["+bronze", "-gold"]), "replaces": ("Silver", ["+silver"])}


def test_another_policy_is_an_update_and_all_outputs_follow(stack: Stack, emulator: Emulator) -> None:
    archives = emulator.state()["archives"]
    stack.deploy(program(*SHOWN))
    for second_policy, (policy, writes) in SWAPS.items():
        emulator.set_dialect(second_policy=second_policy)
        emulator.clear_requests()
        stack.write(program(*SHOWN).replace('"Gold")', f'"{policy}")'))
        assert {"wei": "update"} == stack.up().steps
        assert {"contoso-user-09": writes} == writes_by_thing(emulator)
        assert outputs_of(emulator, policy) == stack.outputs()
    assert {} == stack.refresh().refreshed
    assert outputs_of(emulator, "Silver") == stack.outputs()
    assert archives == emulator.state()["archives"]


def test_another_dialect_of_the_service_changes_nothing(stack: Stack, emulator: Emulator) -> None:
    lines = (*SHOWN, 'protect("any", 1, on_conflict="accept")', 'org("shop", "crm-1", "Shop")')
    stack.deploy(program(*lines, 'org("deli", "crm-2", "Deli", parent_org_id="org-alpine")'))
    for preset in ("terse", "foreign", "late"):
        emulator.set_dialect(preset, read_lag=0)
        preview = stack.preview("--refresh")
        assert (False, {}) == (preview.failed, preview.steps), preset
    (one,) = [one for one in emulator.state()["protections"] if one["resource_id"] == "res-contoso-user-09"]
    emulator.patch({"protections": [{**one, "policy_id": "policy-contoso-silver"}]})
    seen = stack.preview("--refresh", "--diff")
    assert ({"wei": "update"}, {"policy", "policy_id"}) == (seen.steps, seen.differing["wei"])
