"""The output of the engine obeys no name of the service, although it prints the values of properties."""

import re

from support import Emulator
from support.engine.stack import Stack

ATTACK = "\x1b[2J\n::error::x\n##vso[task.complete]\u202e"
PROGRAM = r"""
    Protection("one", tenant_id="tenant-contoso", resource="no\u202e##[x]", policy="Gold")
    Protection("two", tenant_id="tenant-contoso", resource="a\n::error::b", policy="Gold")
    Protection("three", tenant_id="tenant-contoso", resource="res-contoso-user-01", policy="policy-contoso-gold")
"""


def test_a_failing_preview_prints_no_name_raw(stack: Stack, emulator: Emulator) -> None:
    named = [{"tenant_id": "tenant-contoso", "id": "res-contoso-user-01", "name": f"jane{ATTACK}"}]
    emulator.patch({"resources": named})
    stack.write(PROGRAM)
    preview = stack.preview()
    assert (True, True) == (preview.failed, "has a problem" in preview.text)
    assert [] == re.findall(r"\u202e|\x1b\[2J|^\s*::|##\w*\[", preview.text, re.MULTILINE)
