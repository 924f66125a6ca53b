"""docs/dialects.md, whose tables are made from the record."""

import runpy

from support import ROOT

DOCUMENT = (ROOT / "docs/dialects.md").read_text(encoding="utf-8")


def test_its_tables_are_those_that_the_tool_makes() -> None:
    tool = runpy.run_path(str(ROOT / "tools/dialect_table.py"))
    assert DOCUMENT == tool["updated"](DOCUMENT), "run `python -m tools.dialect_table`"
