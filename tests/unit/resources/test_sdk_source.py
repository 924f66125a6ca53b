"""The private parts of Pulumi's SDK, in the source of the installed SDK: an upgrade that changes one fails here.

`resources/_sdk.py` links each part. The tests of that module show the effect of the parts; these show the cause.
"""

import re
from pathlib import Path

import pulumi
import pytest

from support import ROOT

SDK = Path(pulumi.__file__).parent
HOOKS = ("Check", "Diff", "Create", "Read", "Update", "Delete")

PARTS = {
    "the property of the pickled provider": ("dynamic/dynamic.py", r'^PROVIDER_KEY = "__provider"$'),
    **{
        f"the request and the context of {hook}": (
            "dynamic/__main__.py",
            rf"^class DynamicResourceProviderServicer\(.*^    def {hook}\(self, request, context\):$",
        )
        for hook in HOOKS
    },
    "a cancellation that does nothing": (
        "dynamic/__main__.py",
        r"^    def Cancel\(self, request, context\):\n        return empty_pb2.Empty\(\)$",
    ),
    "a process that ends at SIGINT": ("dynamic/__main__.py", r"^    except KeyboardInterrupt:$"),
    "inputs from the wire": ("runtime/rpc.py", r"^def deserialize_properties\(\n    props_struct: struct_pb2.Struct,$"),
    "the root of a program": ("runtime/settings.py", r"^def get_root_resource\(\) -> "),
    "the engine of a program": ("runtime/settings.py", r"self\.engine = engine_pb2_grpc\.EngineStub\("),
    "failed registrations": ("runtime/rpc_manager.py", r"^    unhandled_exception: Optional\[Exception\]$"),
    "the manager of registrations": ("runtime/settings.py", r"self\.rpc_manager = RPCManager\(\)"),
    "the end of the main function": ("runtime/stack.py", r"^        self\._outputs_registered = True$"),
    "a program that waits for the engine": ("runtime/stack.py", r"^async def _wait_for_shutdown\(\) -> None:$"),
}


@pytest.mark.parametrize(("file", "part"), PARTS.values(), ids=PARTS)
def test_the_sdk_has_each_private_part(file: str, part: str) -> None:
    source = (SDK / file).read_text(encoding="utf-8")
    assert re.search(part, source, re.MULTILINE | re.DOTALL), f"look at each use in resources/_sdk.py: {file} changed"


def test_no_other_module_uses_private_parts() -> None:
    private = re.compile(
        r"pulumi\.runtime\.(settings|rpc|proto|stack)|from pulumi\.runtime|get_root_resource|f_back|f_locals"
    )
    package = ROOT / "provider/pulumi_dataprotection"
    users = [path.name for path in package.rglob("*.py") if private.search(path.read_text(encoding="utf-8"))]
    assert ["_sdk.py"] == users
