"""A strict, stateful stand-in for the service, for tests and for trying things out."""

from pulumi_dataprotection.emulator._errors import EmulatorError
from pulumi_dataprotection.emulator.seeds import FULL_KEY, READ_ONLY_KEY
from pulumi_dataprotection.emulator.seeds.content import open_store
from pulumi_dataprotection.emulator.server.server import Server, serve

__all__ = ["FULL_KEY", "READ_ONLY_KEY", "EmulatorError", "Server", "open_store", "serve"]
