"""The SDK's provider process, in which nobody has to wait: its clock goes on at once where somebody does."""

import runpy

from pulumi_dataprotection.client._transport import clock as _clock
from support.scripted import DrivenClock

if __name__ == "__main__":
    # Whoever was given the clock keeps it, so that it has to become another one.
    vars(_clock.CLOCK).update(vars(DrivenClock()))
    _clock.CLOCK.__class__ = DrivenClock
    runpy.run_module("pulumi.dynamic", run_name="__main__", alter_sys=True)
