"""The tables of the documents, which `python -m tools.tables` writes."""

import shutil
import sys
from pathlib import Path

import pytest
from tools.tables import BEGIN, TABLES

from support import ROOT, run_process


def tables(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run the command in a checkout; return its exit code and its output."""
    command = [sys.executable, "-m", "tools.tables", *arguments]
    ended = run_process(command, cwd=folder)
    return ended.returncode, ended.stdout + ended.stderr


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a copy of the documents and of the tools."""
    for name in ("docs", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_the_documents_of_this_checkout_have_the_tables_of_the_code() -> None:
    assert (0, "") == tables(ROOT, "--check")


def test_a_stale_table_fails_the_check_and_is_written_again(checkout: Path) -> None:
    documents = [checkout / "docs" / name for name in TABLES]
    before = [document.read_text() for document in documents]
    for document in documents:
        document.write_text(document.read_text().replace(BEGIN, f"{BEGIN}| stale |\n"))
    stale = "".join(f"docs/{name} is stale: run `python -m tools.tables`\n" for name in TABLES)
    assert (1, stale) == tables(checkout, "--check")
    assert (0, "") == tables(checkout)
    assert before == [document.read_text() for document in documents]


def test_a_page_that_is_missing_is_named(checkout: Path) -> None:
    (checkout / "docs/functions/get-task.md").unlink()
    expected = (1, "docs/functions/get-task.md is missing: write the page of get_task\n")
    assert expected == tables(checkout, "--check")
