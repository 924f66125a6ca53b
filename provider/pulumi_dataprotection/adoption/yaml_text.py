"""YAML of data files: texts of the service as scalars and comments."""

from __future__ import annotations

import re

from pulumi_dataprotection._printable import printable

__all__ = ["comment", "noted", "scalar"]

# Readable without quotes, and text for each version of YAML: no digit first, since `1e3` is a number for some.
_PLAIN = re.compile(r"[^\W\d_][\w.@+'()&/-]*( [\w.@+'()&/-]+)*")
_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
# https://yaml.org/spec/1.2.2/#51-character-set: other characters need an escape. So do line ends of YAML 1.1.
_ESCAPED = re.compile('["\\\\]|[^ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]')
_UNPRINTABLE = re.compile("[\ufffe\uffff]")


def scalar(text: str) -> str:
    """Return a text as a scalar of YAML: in quotes if it could mean anything else."""
    shown = printable(text, limit=None) == text
    if shown and _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    escaped = _ESCAPED.sub(_escape, text)
    # Characters that nobody sees could hide the content of the file from a reviewer.
    return '"' + (escaped if shown else "".join(map(_seen, escaped))) + '"'


def comment(text: str) -> str:
    """Return a text as a comment of YAML, without line break."""
    return "# " + _UNPRINTABLE.sub(_escape, printable(text))


def noted(line: str, note: str | None) -> str:
    """Return a line of a file with a comment if it has a note."""
    return f"{line}  {comment(note)}" if note else line


def _escape(found: re.Match[str]) -> str:
    return _escaped(found[0])


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    code = ord(character)
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"  # noqa: PLR2004 - the basic plane


def _seen(character: str) -> str:
    return character if printable(character) == character else _escaped(character)
