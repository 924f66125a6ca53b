"""The provider process of the SDK, on a clock whose waits end at once."""

import os
import runpy

if __name__ == "__main__":
    os.environ["DATAPROTECTION_DRIVEN_CLOCK"] = "support.scripted:DrivenClock"
    runpy.run_module("pulumi.dynamic", run_name="__main__", alter_sys=True)
