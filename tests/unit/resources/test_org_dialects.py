"""Creating an organization whose external id exists, on services that answer to that in each of the known ways."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from support import Emulator, until
from support.resources.servicer import Made, OperationError, Run, Servicer

SHOP = {"external_id": "crm-7", "name": "Shop", "parent_org_id": "org-alpine", "admin_email": "it@shop.example"}
# It exists, below org-harbor.
ADATUM = {"external_id": "crm-1003", "name": "Adatum", "parent_org_id": "org-alpine"}

NOT_BELOW = "the service answers with the organization org-adatum, and does not list it below org-alpine"
VARIANTS = {
    "existing": NOT_BELOW,
    "existing_invited": NOT_BELOW,
    "invalid_argument": "400 invalid argument (POST /api/v1/orgs)",
    "conflict": "409 conflict (POST /api/v1/orgs)",
}


@pytest.fixture(scope="module")
def other_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servicer]:
    """The provider's process of another stack."""
    with Servicer(tmp_path_factory.mktemp("other") / "log") as servicer:
        yield servicer


def orgs(emulator: Emulator, external_id: str) -> list[tuple[str, str]]:
    """The name and the parent of each organization with an external id."""
    found = [org for org in emulator.state()["orgs"] if org["external_id"] == external_id]
    return [(org["name"], org["parent_org_id"]) for org in found]


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_organization_elsewhere_is_never_taken_over(run: Run, emulator: Emulator, variant: str) -> None:
    emulator.set_dialect(repeated_external_id=variant)
    with pytest.raises(OperationError) as raised:
        run.org.create(ADATUM)
    start = 'cannot create the organization "Adatum" with the external_id "crm-1003": '
    assert str(raised.value).startswith(start + VARIANTS[variant])
    assert [("Adatum", "org-harbor")] == orgs(emulator, "crm-1003")


@pytest.mark.parametrize("variant", ["existing", "existing_invited"])
def test_an_organization_elsewhere_with_another_name_is_named(run: Run, emulator: Emulator, variant: str) -> None:
    emulator.set_dialect(repeated_external_id=variant)
    with pytest.raises(OperationError) as raised:
        run.org.create({**ADATUM, "name": "Adatum AG"})
    reason = 'the external_id "crm-1003" belongs to the organization "Adatum" (org-adatum), and this asks for "Adatum'
    assert reason in str(raised.value)


def test_an_external_id_may_exist_elsewhere_where_it_counts_below_one_parent(run: Run, emulator: Emulator) -> None:
    emulator.set_dialect(external_id_scope="parent", repeated_external_id="conflict")
    made = run.org.create(ADATUM)
    assert (True, "org-alpine") == (made.id != "org-adatum", made.outs["parent_org_id"])
    assert {("Adatum", "org-harbor"), ("Adatum", "org-alpine")} == {*orgs(emulator, "crm-1003")}


@pytest.mark.parametrize(
    ("variant", "scope"), [*((variant, "service") for variant in VARIANTS), ("conflict", "parent")]
)
def test_two_that_create_the_same_at_once_end_with_the_same_organization(
    run: Run, other_process: Servicer, emulator: Emulator, variant: str, scope: str
) -> None:
    emulator.set_dialect(repeated_external_id=variant, external_id_scope=scope)
    other = other_process.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})
    for one in (run, other):
        one.org.get("org-contoso")  # sends each its config
    with ThreadPoolExecutor(2) as threads:
        # Both look before either creates.
        with emulator.faults({"operation": "list_orgs", "do": ["stall:900", "stall:900"]}):
            making = threads.map(create_shop, [run, other])
            until(lambda: not emulator.remaining_faults())
        made = [*making]
    assert 2 == len(emulator.writes()), "they did not overlap"
    assert ([("Shop", "org-alpine")], 1) == (orgs(emulator, "crm-7"), len({one.id for one in made}))
    # Where the service sends another invitation by itself, nobody can know before.
    invitations = 2 if variant == "existing_invited" else 1
    assert invitations == len([one for one in made if one.outs.get("invitation_url")])


def create_shop(run: Run) -> Made:
    return run.org.create(SHOP)
