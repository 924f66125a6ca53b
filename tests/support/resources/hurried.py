"""The provider process of the SDK, whose clock advances as soon as a thread waits."""

import os
import runpy

if __name__ == "__main__":
    # Objects keep the clock, so that its class has to change.
    vars(_clock.CLOCK).update(vars(DrivenClock()))
    _clock.CLOCK.__class__ = DrivenClock
    runpy.run_module("pulumi.dynamic", run_name="__main__", alter_sys=True)
