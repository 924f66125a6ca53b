"""How to call the service: a typed, synchronous, thread-safe client for its 22 operations."""

from pulumi_dataprotection.client import calls
from pulumi_dataprotection.client._call import Call
from pulumi_dataprotection.client._client import Client, Clock
from pulumi_dataprotection.client._settings import OPTIONS, Option, Settings, load_settings

__all__ = ["OPTIONS", "Call", "Client", "Clock", "Option", "Settings", "calls", "load_settings"]
