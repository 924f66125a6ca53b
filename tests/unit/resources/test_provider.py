"""What a provider makes of the properties that arrive."""

import subprocess
import sys

from pulumi_dataprotection.resources._provider import without_provider
from pulumi_dataprotection.resources._sdk import listen_to_the_engine
from support import HANG


def test_whole_numbers_arrive_as_such_although_the_wire_knows_none() -> None:
    properties = without_provider({"whole": 3.0, "broken": 2.5, "truth": True, "text": "3.0"})
    expected = {"whole": (int, 3), "broken": (float, 2.5), "truth": (bool, True), "text": (str, "3.0")}
    assert expected == {name: (type(value), value) for name, value in properties.items()}


def test_what_the_sdk_adds_is_no_property() -> None:
    assert without_provider({"name": "Shop", "__provider": "gASV"}) == {"name": "Shop"}


def test_where_the_sdk_has_no_servicer_nobody_listens_for_a_cancel() -> None:
    listen_to_the_engine()
    assert not hasattr(sys.modules["__main__"], "DynamicResourceProviderServicer")


LOSE_THE_ENGINE = """
from grpc import ChannelConnectivity as Connection
from pulumi_dataprotection import client
from pulumi_dataprotection.resources._sdk import loss_of_the_engine
note = loss_of_the_engine()
try:
    for state in (Connection.CONNECTING, Connection.TRANSIENT_FAILURE, Connection.READY, Connection.READY):
        note(state)
    client.Clock().check()
    print("goes on")
    note(Connection.IDLE)
    client.Clock().sleep(900)
except KeyboardInterrupt:
    print("ends")
"""


def test_a_process_ends_when_its_engine_is_lost_and_not_before() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOSE_THE_ENGINE], check=True, capture_output=True, text=True, timeout=HANG
    )
    assert ["goes on", "ends"] == ended.stdout.split("\n")[:2]
