"""The creation of an organization whose external id exists, on each variant of the service."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from support import Emulator, until
from support.resources.arguments import SHOP
from support.resources.servicer import Run, Servicer, assert_names, failure_of

INVITING = {**SHOP, "admin_email": "it@shop.example"}
# It exists, below org-harbor.
ADATUM = {"external_id": "crm-1003", "name": "Adatum", "parent_org_id": "org-alpine"}
VARIANTS = {
    "existing": ["org-adatum", "org-alpine"],
    "existing_invited": ["org-adatum", "org-alpine"],
    "invalid_argument": ["400", "(POST /api/v1/orgs)"],
    "conflict": ["409", "(POST /api/v1/orgs)"],
}


@pytest.fixture(scope="module")
def other_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servicer]:
    """The provider process of another stack."""
    with Servicer(tmp_path_factory.mktemp("other") / "log") as servicer:
        yield servicer


def orgs(emulator: Emulator, external_id: str) -> list[tuple[str, str]]:
    """Return the name and the parent of each organization with an external id."""
    found = [org for org in emulator.state()["orgs"] if org["external_id"] == external_id]
    return [(org["name"], org["parent_org_id"]) for org in found]


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_organization_elsewhere_is_never_adopted(run: Run, emulator: Emulator, variant: str) -> None:
    emulator.set_dialect(repeated_external_id=variant)
    assert_names(failure_of(run.org.create, ADATUM), '"Adatum"', '"crm-1003"', *VARIANTS[variant])
    assert [("Adatum", "org-harbor")] == orgs(emulator, "crm-1003")


@pytest.mark.parametrize("variant", ["existing", "existing_invited"])
def test_an_organization_elsewhere_with_another_name_is_named(run: Run, emulator: Emulator, variant: str) -> None:
    emulator.set_dialect(repeated_external_id=variant)
    failure = failure_of(run.org.create, {**ADATUM, "name": "Adatum AG"})
    assert_names(failure, '"crm-1003"', '"Adatum" (org-adatum)', '"Adatum AG"')


def test_an_external_id_may_exist_elsewhere_if_it_counts_below_one_parent(run: Run, emulator: Emulator) -> None:
    emulator.set_dialect(external_id_scope="parent", repeated_external_id="conflict")
    made = run.org.create(ADATUM)
    assert (True, "org-alpine") == (made.id != "org-adatum", made.outs["parent_org_id"])
    assert {("Adatum", "org-harbor"), ("Adatum", "org-alpine")} == {*orgs(emulator, "crm-1003")}


@pytest.mark.parametrize(
    ("variant", "scope"), [*((variant, "service") for variant in VARIANTS), ("conflict", "parent")]
)
def test_two_processes_that_create_the_same_organization_share_it(
    run: Run, other_process: Servicer, emulator: Emulator, variant: str, scope: str
) -> None:
    emulator.set_dialect(repeated_external_id=variant, external_id_scope=scope)
    other = other_process.run(emulator)
    for one in (run, other):
        one.org.get("org-contoso")  # sends each its config
    with ThreadPoolExecutor(2) as threads:
        # Both look before either creates.
        with emulator.faults({"operation": "list_orgs", "do": ["stall:900", "stall:900"]}):
            making = [threads.submit(one.org.create, INVITING) for one in (run, other)]
            until(lambda: not emulator.remaining_faults())
        made = [one.result() for one in making]
    assert 2 == len(emulator.writes()), "they did not overlap"
    assert ([("Shop", "org-alpine")], 1) == (orgs(emulator, "crm-7"), len({one.id for one in made}))
    # A provider cannot prevent an invitation that the service sends for each creation.
    invitations = 2 if variant == "existing_invited" else 1
    assert invitations == len([one for one in made if one.outs.get("invitation_url")])
