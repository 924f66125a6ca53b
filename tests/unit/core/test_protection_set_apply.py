"""The policies of the members of a set, if the run ends early."""

from pulumi_dataprotection.client import Account, Client, Settings
from pulumi_dataprotection.client.records import Policy, Resource
from pulumi_dataprotection.core.protection_set.apply import assign_policies
from pulumi_dataprotection.core.protection_set.inputs import SetInputs
from pulumi_dataprotection.core.protection_set.members import Member, ResolvedMembers, SetContext
from pulumi_dataprotection.core.protection_set.plan import SetState
from pulumi_dataprotection.core.protection_set.progress import Result
from pulumi_dataprotection.core.registry import Registry
from pulumi_dataprotection.core.session import Context
from support.scripted import DrivenClock


def test_policies_that_another_resource_gave_up_belong_to_the_set_even_if_their_items_are_not_tried() -> None:
    clock, registry = DrivenClock(), Registry("")
    settings = Settings("key", "http://127.0.0.1:1", concurrency=1, calls_per_second=0)
    context = SetContext.of(
        Context(Account(Client(settings, clock=clock)), registry, "urn", registry.resource("urn")), "t-1"
    )
    items = {id: Member(Resource(id=id, name=id), Policy(id="gold", name="Gold"), "Gold") for id in "abcdef"}
    for id in items:
        registry.note_state("protection", "t-1", id, shown="silver", made="silver")
    clock.interrupt()
    result = Result.after(SetState())
    resolved = ResolvedMembers(SetInputs.of({}), items)
    assign_policies(context, resolved, [*items], result, shown={}, made={}, on_conflict="fail", show=lambda _: None)
    assert (True, dict.fromkeys(items, "silver")) == (result.interrupted, result.protected)
    context.tenant.client.close()
