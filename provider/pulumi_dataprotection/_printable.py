"""How texts of the service are shown to people."""

import re

__all__ = ["MAX_LENGTH", "printable", "printable_lines"]

MAX_LENGTH = 200
"""The characters of a name in a message."""

_EMOJI = "\u2600-\u27bf\ufe0f\U0001f000-\U0001faff"

# Control characters, ends of lines, characters that turn the direction of text, characters without a width, and halves
# of characters. A joiner between the parts of an emoji stays. Runners of pipelines obey `##[…]`, `##vso[…]` and the
# like anywhere in a line: https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff\ud800-\udfff]"
    rf"|(?<![{_EMOJI}])\u200d|\u200d(?![{_EMOJI}])|#(?=#\w*\[)"
)

# They also obey `::…::` behind the blanks at the start of a line.
_START_OF_COMMAND = re.compile(r"\A(\s*):(?=:)")


def printable(text: object, *, limit: int | None = MAX_LENGTH) -> str:
    r"""Return a text in one line, without characters that a terminal or the runner of a pipeline obeys.

    Each name and each id passes this function before it enters a message. State and outputs have the exact text.

    Args:
        text: a text of the service or of a program; None counts as empty.
        limit: the number of characters after which the text is cut; None for no limit.

    Returns:
        The text with each of these characters as an escape of JSON, such as `\u001b`.
    """
    whole = "" if text is None else str(text)
    kept = _UNSAFE.sub(_escape, whole[:limit])
    return _START_OF_COMMAND.sub(r"\1\\u003a", kept) + ("…" if len(whole) > len(whole[:limit]) else "")


def printable_lines(text: str) -> str:
    """Return a message of several lines, each of them printable: the last line of defence before it is shown."""
    return "\n".join(printable(line, limit=None) for line in text.split("\n"))


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
