"""Sessions: the accounts that the operations of a process share."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from pulumi_dataprotection.client import Account, Settings
from pulumi_dataprotection.core.session import Session
from support import HANG, Emulator

THREADS = 8
SERVICE = "https://api.test"


def test_equal_settings_share_an_account() -> None:
    session = Session()
    settings = [Settings("key-1", f"{SERVICE}{end}") for end in ("", "/", "/api/v1")]
    together = Barrier(THREADS, timeout=HANG)

    def open_all() -> list[Account]:
        together.wait()
        return [session.account(each) for each in settings]

    with ThreadPoolExecutor(THREADS) as pool:
        futures = [pool.submit(open_all) for _ in range(THREADS)]
        assert 1 == len({id(account) for future in futures for account in future.result(timeout=HANG)})


@pytest.mark.parametrize(
    "other",
    [
        Settings("key-2", SERVICE),
        Settings("key-1", "https://other.test"),
        Settings("key-1", SERVICE, page_size=5),
    ],
    ids=["key", "service", "page size"],
)
def test_other_settings_have_another_account(other: Settings) -> None:
    session = Session()
    assert session.account(other) is not session.account(Settings("key-1", SERVICE))


def test_a_closed_session_forgets_its_accounts(emulator: Emulator) -> None:
    session = Session()
    settings = Settings(emulator.api_key, emulator.url, calls_per_second=0)
    session.account(settings).installations()
    session.close()
    session.account(settings).installations()
    session.close()
    assert ["list_installations"] * 2 == [request["operation"] for request in emulator.requests()]
