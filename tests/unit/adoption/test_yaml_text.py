"""Texts of the service in YAML."""

import io
import re
from typing import Any, cast

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.yaml_text import comment, scalar
from support.adoption import HARD_NAMES, texts

MAX_KEY = 1000
NOT_IN_LOGS = str.maketrans("", "", "#:")

EVERY_HARD_NAME = st.sampled_from(HARD_NAMES)


@given(texts | EVERY_HARD_NAME, texts)
@example("a\u2028b", "a\u2028b: c")
def test_a_text_is_the_same_text_for_each_version_of_yaml(text: str, note: str) -> None:
    key = f"? {scalar(text)}\n" if len(scalar(text)) > MAX_KEY else scalar(text)
    document = f"{comment(note)}\n{key}:  {comment(note)}\n  - {scalar(text)}  {comment(note)}\n"
    expected = {text: [text]}
    assert expected == yaml.load(document, yaml.SafeLoader)
    if not re.search("[\ud800-\udfff]", text):  # libyaml and ruamel know whole characters only
        assert expected == yaml.load(document, yaml.CSafeLoader)
        assert expected == cast("Any", YAML(typ="safe", pure=True)).load(io.StringIO(document))


@given(texts | EVERY_HARD_NAME)
def test_a_file_hides_nothing_from_its_reader(text: str) -> None:
    # Runners of pipelines obey `#` and `:` in a log, not in a file.
    for shown in (scalar(text).translate(NOT_IN_LOGS), comment(text).translate(NOT_IN_LOGS)):
        assert printable(shown, limit=None) == shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("jane.doe@contoso.example", "jane.doe@contoso.example"),
        ("d'arcy.holt@adatum.example", "d'arcy.holt@adatum.example"),
        ("Human Resources", "Human Resources"),
        ("Legal & Compliance", "Legal & Compliance"),
        ("josé.garcía@contoso.example", "josé.garcía@contoso.example"),
        ("Marketing 🚀", '"Marketing 🚀"'),
        ("yes", '"yes"'),
        ("1e3", '"1e3"'),
        ("a: b", '"a: b"'),
        ("a #b", '"a #b"'),
        ("a\nb", r'"a\u000Ab"'),
        ("\u202eevil", r'"\u202Eevil"'),
    ],
)
def test_an_ordinary_name_needs_no_quotes(text: str, expected: str) -> None:
    assert scalar(text) == expected
