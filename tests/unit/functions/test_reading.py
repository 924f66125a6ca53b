"""The calls of every function: only the necessary ones, each page, once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pulumi
import pytest

from pulumi_dataprotection import get_installations
from pulumi_dataprotection.functions._data_source import open_program_account
from support import Emulator
from support.functions.arguments import ARGUMENTS, LISTS, function
from support.functions.program import Program

BILLING = ["get_licences", "get_subscription_history", "get_subscriptions"]
PLACES = [(name, argument) for name in ARGUMENTS for argument in ARGUMENTS[name] if argument.endswith("id")]
"""The arguments that name an organization, a tenant or a task by its id."""


@pytest.mark.parametrize("name", ARGUMENTS)
def test_no_call_is_made_twice(shop: Program, emulator: Emulator, name: str) -> None:
    first, second = shop.run(lambda: [function(name)(**ARGUMENTS[name]) for _ in range(2)])
    asked = Counter((request["path"], *sorted(request["query"].items())) for request in emulator.requests())
    assert (first, [1] * len(asked)) == (second, [*asked.values()])


def test_no_call_is_made_twice_by_threads(shop: Program, emulator: Emulator) -> None:
    def ask_all() -> None:
        with ThreadPoolExecutor(8) as threads:
            for asked in [threads.submit(function(name), **ARGUMENTS[name]) for name in ARGUMENTS for _ in range(4)]:
                asked.result()

    shop.run(ask_all)
    asked = Counter((request["path"], *sorted(request["query"].items())) for request in emulator.requests())
    assert [] == [request for request, times in asked.items() if times > 1]


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_function_that_failed_reads_again(shop: Program, emulator: Emulator, name: str) -> None:
    with emulator.faults({"do": ["status:403"]}), pytest.raises(pulumi.RunError, match=f"^{name}: .* 403 forbidden"):
        shop.run(lambda: function(name)(**ARGUMENTS[name]))
    emulator.clear_requests()
    shop.run(lambda: function(name)(**ARGUMENTS[name]))
    assert emulator.requests() != []


@pytest.mark.parametrize(("name", "argument"), PLACES)
def test_an_id_that_does_not_exist_ends_the_program(shop: Program, name: str, argument: str) -> None:
    with pytest.raises(pulumi.RunError, match=f"^{name}: .*404 not found .*nowhere"):
        shop.run(lambda: function(name)(**{**ARGUMENTS[name], argument: "nowhere"}))


@pytest.mark.parametrize("name", ["get_archives", "get_protection", "get_resource"])
@pytest.mark.parametrize(
    ("resource", "named"),
    [
        ("nobody", '"nobody"'),
        ("support@contoso.example", "2 resources .* res-contoso-drive-11, .* res-contoso-user-30"),
    ],
)
def test_a_reference_without_exactly_one_resource_ends_the_program(
    shop: Program, emulator: Emulator, name: str, resource: str, named: str
) -> None:
    with pytest.raises(pulumi.RunError, match=f"^{name}: .*{named}"):
        shop.run(lambda: function(name)("tenant-contoso", resource=resource))
    assert {request["operation"] for request in emulator.requests()} <= {"list_resources", "list_protections"}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_complete_over_all_pages(
    shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    emulator.patch({"tenants": [{"id": "tenant-2", "org_id": "org-contoso", "name": "Second"}]})
    expected = shop.run(lambda: function(name)(**ARGUMENTS[name]))
    monkeypatch.setenv("DATAPROTECTION_PAGE_SIZE", "1")
    assert expected == shop.run(lambda: function(name)(**ARGUMENTS[name]))


@pytest.mark.parametrize("name", [name for name in ARGUMENTS if name not in BILLING])
def test_a_key_with_the_permission_to_read_is_enough(
    shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    expected = shop.run(lambda: function(name)(**ARGUMENTS[name]))
    emulator.patch({"keys": [{"name": "Read-only", "permissions": ["read"]}]})
    monkeypatch.setenv("DATAPROTECTION_API_KEY", emulator.read_only_key)
    assert expected == shop.run(lambda: function(name)(**ARGUMENTS[name]))


@pytest.mark.parametrize("name", BILLING)
def test_a_key_without_the_permission_for_billing_data_ends_the_program(
    shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    emulator.set_dialect("terse")
    emulator.patch({"keys": [{"name": "Read-only", "permissions": ["read"]}]})
    monkeypatch.setenv("DATAPROTECTION_API_KEY", emulator.read_only_key)
    with pytest.raises(pulumi.RunError, match=f"^{name}: .*403 forbidden .* DATAPROTECTION_API_KEY .* billing data"):
        shop.run(lambda: function(name)(**ARGUMENTS[name]))


@pytest.mark.parametrize("name", LISTS)
def test_a_list_belongs_to_the_program_that_got_it(shop: Program, name: str) -> None:
    first = shop.run(lambda: function(name)(**ARGUMENTS[name]))
    expected = [*first.items]
    first.items.clear()
    assert expected == shop.run(lambda: function(name)(**ARGUMENTS[name])).items


def test_another_profile_has_its_own_calls(shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
    profiles = f'{{"second": {{"apiKey": "{emulator.read_only_key}", "baseUrl": "{emulator.url}"}}}}'
    monkeypatch.setenv("DATAPROTECTION_PROFILES", profiles)
    shop.run(lambda: [get_installations(profile=profile) for profile in (None, "second", None, "second")])
    assert ["Full access", "Read-only"] == [request["key"] for request in emulator.requests()]


def test_a_long_wait_is_shown_on_stderr_without_an_engine(shop: Program, capsys: pytest.CaptureFixture[str]) -> None:
    shop.run(lambda: open_program_account(None).client.show("the service is late"))
    assert "the service is late" in capsys.readouterr().err
