"""The examples of docs/testing.md."""

import re
import shutil

import pytest

from support import HANG, ROOT

pytest_plugins = ["pytester"]

EXAMPLES = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/testing.md").read_text(), re.MULTILINE | re.DOTALL)


def test_the_guide_has_three_examples() -> None:
    assert [2, 2, 2] == [len(re.findall(r"^def test_", example, re.MULTILINE)) for example in EXAMPLES]


@pytest.mark.engine
@pytest.mark.parametrize("example", EXAMPLES, ids=["a project", "what may go wrong", "mocks"])
def test_each_example_passes(pytester: pytest.Pytester, example: str) -> None:
    shutil.copytree(ROOT / "examples/quickstart", pytester.path / "infrastructure")
    (pytester.mkdir("tests") / "test_example.py").write_text(example)
    ended = pytester.runpytest_subprocess("-W", "error", "-p", "no:schemathesis", "--strict-markers", timeout=HANG)
    ended.assert_outcomes(passed=2)
