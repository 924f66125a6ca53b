"""Organizations: creating one makes one, however often, and whatever the service says to the second time."""

from pulumi_dataprotection.client import Call, calls, same_text
from pulumi_dataprotection.client.records import CreateOrgResult, Org
from support.contract.flows import EXTERNAL_ID, ORG_NAME
from support.contract.outcomes import attempt
from support.contract.service import Service


def creation(service: Service, *, admin_email: str | None = None) -> Call[CreateOrgResult]:
    return calls.create_org(
        parent_org_id=service.scene.org_id, external_id=EXTERNAL_ID, name=ORG_NAME, admin_email=admin_email
    )


def created_ones(service: Service) -> list[Org]:
    """Return the organizations that the tests have made, once reads show them."""
    service.wait_out_lag()
    orgs = service.send(calls.list_orgs(service.scene.org_id))
    return [org for org in orgs if org.external_id == EXTERNAL_ID]


def test_a_created_organization_is_listed_and_read_as_it_was_wanted(forgetful: Service) -> None:
    org = forgetful.send(creation(forgetful)).org
    assert EXTERNAL_ID == org.external_id
    assert same_text(ORG_NAME, org.name)
    assert [org] == created_ones(forgetful)
    assert org == forgetful.send(calls.get_org(org.id))


def test_an_invitation_comes_where_somebody_was_invited_and_is_not_shown(forgetful: Service) -> None:
    result = forgetful.send(creation(forgetful, admin_email="it@fourth.example"))
    assert result.invitation_url
    assert result.invitation_url not in repr(result)


def test_creating_twice_leaves_one_and_brings_it_or_a_refusal(forgetful: Service) -> None:
    first = forgetful.send(creation(forgetful))
    second = attempt(forgetful, creation(forgetful), "repeated_external_id", otherwise=first)
    assert ([first.org], first.org) == (created_ones(forgetful), second.org)


def test_without_a_parent_it_is_a_child_of_the_own_organization_or_refused(forgetful: Service) -> None:
    call = calls.create_org(external_id=EXTERNAL_ID, name=ORG_NAME)
    result = attempt(forgetful, call, "missing_parent", otherwise=None)
    assert ([result.org] if result else []) == created_ones(forgetful)
