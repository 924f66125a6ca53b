"""JSON files that options of the command line name."""

import json
from pathlib import Path

from pulumi_dataprotection.emulator._errors import EmulatorError


def read_file(kind: str, text: str, known: str) -> object:
    """Read a JSON file.

    Args:
        kind: what it holds, such as a seed.
        text: its name.
        known: the other values of the option.

    Raises:
        EmulatorError: The file does not exist, or it is not JSON.
    """
    try:
        content: object = json.loads(Path(text).read_text(encoding="utf-8"))
    except OSError as error:
        raise EmulatorError(f"{text} is no {kind} ({known}), and as a file: {error.strerror}") from None
    except ValueError as error:
        raise EmulatorError(f"the {kind} file {text} is not JSON: {error}") from None
    return content
