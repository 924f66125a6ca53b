"""The function for the coverage of a tenant."""

from pulumi_dataprotection import get_coverage, get_protections, get_resources
from support import Emulator
from support.functions.program import Program

CONTOSO = "tenant-contoso"


def test_the_coverage_counts_what_the_lists_show(shop: Program) -> None:
    found = {one.kind: one for one in shop.run(lambda: get_coverage(CONTOSO)).items}
    assert ["office_teamdrive", "office_user"] == [*found]
    all_bare = shop.run(lambda: get_resources(CONTOSO, archived=False, protected=False)).items
    all_living = shop.run(lambda: get_resources(CONTOSO, archived=False)).items
    for kind, coverage in found.items():
        bare, living = ([one for one in items if one.kind == kind] for items in (all_bare, all_living))
        assert (len(living), len(bare), len(living) - len(bare)) == (
            coverage.count, coverage.unprotected, coverage.protected
        )  # fmt: skip


def test_an_archived_resource_with_a_policy_is_counted_apart(shop: Program, emulator: Emulator) -> None:
    protected = shop.run(lambda: get_protections(CONTOSO)).items[0].resource_id
    emulator.patch({"resources": [{"tenant_id": CONTOSO, "id": protected, "archived": True}]})
    (coverage,) = shop.run(lambda: get_coverage(CONTOSO, kind="office_user")).items
    assert (28, 7, 21, 1, 25.0) == (
        coverage.count, coverage.protected, coverage.unprotected, coverage.archived_protected, coverage.percent
    )  # fmt: skip


def test_a_kind_without_a_resource_has_no_coverage(shop: Program) -> None:
    assert [] == shop.run(lambda: get_coverage(CONTOSO, kind="office_site")).items
