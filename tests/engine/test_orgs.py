"""Organizations are searched before they are created, created once and invited once, after each failure."""

from collections import Counter

from support import Emulator
from support.engine.stack import SECRET, Outcome, Stack


def invited(emulator: Emulator) -> Counter[str]:
    """Count the mails to each address: one for each creation that the service carried out."""
    creations = [write for write in emulator.writes() if write["operation"] == "create_org"]
    done = [one for one in creations if one["status"] == 200 or str(one["fault"]).startswith("after:")]
    return Counter(one["query"]["admin_email"] for one in done)


def made(emulator: Emulator) -> Counter[str]:
    """Count the organizations with each external id of the tests."""
    return Counter(org["external_id"] for org in emulator.state()["orgs"] if org["external_id"].startswith("crm-7"))


# searched before it is created


SIBLINGS = 130
CHILD = """
    org = Org(
        "child", external_id="crm-127", name="{name}", parent_org_id="org-harbor", admin_email="it@child.example"
    )
    pulumi.export("id", org.id)
    pulumi.export("invitation", org.invitation_url)
"""


def test_an_organization_on_a_later_page_of_its_siblings_is_adopted(stack: Stack, emulator: Emulator) -> None:
    emulator.patch(
        {
            "orgs": [
                {"id": f"org-{n:03}", "external_id": f"crm-{n}", "name": f"Child {n}", "parent_org_id": "org-harbor"}
                for n in range(SIBLINGS)
            ]
        }
    )
    stack.write(CHILD.format(name="Child 127"))
    assert {"child": "create"} == stack.up().steps
    assert {"id": "org-127"} == {name: value for name, value in stack.outputs().items() if value}
    assert ({}, {}) == (stack.preview().steps, stack.refresh().refreshed)
    stack.write(CHILD.format(name="Another name").replace('"child"', '"other"'))
    other = stack.preview().messages["other"]
    assert all(named in other for named in ('"crm-127"', '"Child 127" (org-127)', '"Another name"'))
    assert emulator.writes() == []


# created once, invited once

FAULTS = [
    "after:reset",
    "status:503",
    "after:status:503",
    "truncated",
    "reset",
    "cut",
    "type:text/html",
    "status:429",
    "after:status:502",
]
NUMBERS = range(70, 70 + len(FAULTS))
# One after the other, so that no creation meets three failures in a row, after which it fails.
MANY = f"""
    made = []
    for number in {NUMBERS}:
        one = Org(f"org-{{number}}", external_id=f"crm-{{number}}", name=f"Shop {{number}}", parent_org_id="org-alpine",
                  admin_email=f"it@shop-{{number}}.example", opts=pulumi.ResourceOptions(depends_on=made))
        made = [one]
"""


def test_failed_answers_create_no_second_organization_and_send_no_second_mail(stack: Stack, emulator: Emulator) -> None:
    # Each repeated creation would send another mail.
    emulator.set_dialect(repeated_external_id="existing_invited")
    stack.write(MANY)
    with emulator.faults({"operation": "create_org", "do": FAULTS}):
        up = stack.up()
    assert not up.failed, up.text
    assert {f"crm-{number}": 1 for number in NUMBERS} == made(emulator)
    assert {f"it@shop-{number}.example": 1 for number in NUMBERS} == invited(emulator)
    emulator.clear_requests()
    assert ({}, []) == (stack.up().steps, emulator.writes())


ONE = """
    org = Org(
        "shop", external_id="crm-7", name="Shop", parent_org_id="org-alpine", admin_email="it@shop.example"{more}
    )
    pulumi.export("id", org.id)
    pulumi.export("invitation", org.invitation_url)
"""
SHOP = ONE.format(more="")


def test_the_next_up_finds_an_organization_whose_creation_stayed_unclear(stack: Stack, emulator: Emulator) -> None:
    emulator.set_dialect(repeated_external_id="existing_invited")
    stack.write(SHOP)
    lost = {"operation": "create_org", "do": ["after:reset"]}
    with emulator.faults(lost, {"operation": "list_orgs", "nth": 3, "do": ["status:403"]}):
        up = stack.up()
    assert (True, 1) == (up.failed, made(emulator)["crm-7"])
    assert "403 forbidden (GET /api/v1/orgs/org-al" in up.messages["shop"]
    assert {"shop": "create"} == stack.up().steps
    assert ({"crm-7": 1}, {"it@shop.example": 1}) == (made(emulator), invited(emulator))


# given only once


def test_the_invitation_stays_and_stays_secret(stack: Stack, emulator: Emulator) -> None:
    stack.use_profile("msp")
    ignored = ', profile="msp", opts=pulumi.ResourceOptions(ignore_changes=["admin_email"])'
    stack.write(SHOP)
    # The read after the creation fails, and the invitation is kept.
    with emulator.faults({"operation": "list_orgs", "nth": 3, "do": ["status:403"]}):
        assert not stack.up().failed
    assert {} == stack.up().steps
    first = stack.outputs()
    assert str(first["invitation"]).startswith("https://portal.example/invitations/")

    def kept(outcome: Outcome) -> bool:
        secret = SECRET in stack.resources()["shop"]["outputs"]["invitation_url"]
        return secret and first == stack.outputs() and str(first["invitation"]) not in outcome.text

    stack.write(ONE.format(more=', profile="msp"'))
    update = stack.up()
    assert ({"shop": "update"}, True) == (update.steps, kept(update))
    stack.write(ONE.format(more=ignored).replace("it@shop", "boss@shop"))
    unchanged = stack.up()
    assert ({}, True) == (unchanged.steps, kept(unchanged))
    stack.write(ONE.format(more=ignored).replace("Shop", "Deli"))
    failed = stack.up()
    assert (True, True) == (failed.failed, kept(failed))
    emulator.patch({"orgs": [{"id": first["id"], "name": "Deli"}]})
    refresh = stack.refresh()
    assert ({"shop": "update"}, True) == (refresh.refreshed, kept(refresh))
    assert ({"it@shop.example": 1}, 1) == (invited(emulator), len(emulator.writes()))
