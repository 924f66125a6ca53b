"""The page on the architecture names files and operations that exist."""

import re

import pulumi.dynamic
import pytest

from pulumi_dataprotection.core.session import Session
from pulumi_dataprotection.spec import BY_ID
from support import ROOT
from support.pages import DOCS

TEXT = (DOCS / "architecture.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "provider/pulumi_dataprotection"
PATHS = sorted({*re.findall(r"`([a-z_]+/[a-z_/]*(?:\.py)?)`", TEXT)} - {"provider/pulumi_dataprotection/"})


@pytest.mark.parametrize("path", PATHS)
def test_each_path_of_the_page_exists(path: str) -> None:
    assert (PACKAGE / path).exists()


def test_the_path_of_a_protection_goes_through_these_files() -> None:
    assert {"resources/protection.py", "core/protection/apply.py", "client/_client.py"} <= {*PATHS}


def test_the_diagram_has_the_operations_of_a_protection() -> None:
    last = re.findall(r"-> ([\d, ]+)$", TEXT, re.MULTILINE)
    numbers = {int(number) for found in last for number in found.split(", ")}
    ids = ("list_resources", "list_policies", "list_protections", "protect_resource")
    assert {BY_ID[id].number for id in ids} == numbers


def test_the_docstring_of_the_session_has_the_order_of_the_locks() -> None:
    assert "locks takes them in this order" in " ".join((Session.__doc__ or "").split())


def test_the_provider_of_the_sdk_runs_four_operations_at_a_time() -> None:
    source = (ROOT / str(pulumi.dynamic.__file__)).with_name("__main__.py").read_text(encoding="utf-8")
    assert "ThreadPoolExecutor(max_workers=4)" in " ".join(source.split())
