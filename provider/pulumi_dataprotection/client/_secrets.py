"""Secrets in the service's own words: removed in each spelling in which a service or a proxy may repeat them."""

import base64
import re
from collections.abc import Mapping
from functools import lru_cache
from html.entities import codepoint2name
from typing import cast

__all__ = ["hide", "hide_addresses", "without_secret_fields"]

_MAX_SPELLED = 200
"""Characters of a secret that are searched for; what follows them up to a blank is hidden too."""

_MIN_BASE64 = 8
_SECRET_FIELD = re.compile(r"auth|invit|key|pass|secret|token|url", re.IGNORECASE)


def hide(text: str, secrets: Mapping[str, str]) -> str:
    """Replace secrets, also percent-encoded, in Base64, in hexadecimal digits, and as escapes of JSON or HTML.

    Args:
        text: the text.
        secrets: the replacement by secret.
    """
    for secret, replacement in secrets.items():
        if secret:
            text = replacement.join(_pattern(secret).split(text))
    return text


def hide_addresses(text: str) -> str:
    """Cut each URL behind its host: the rest may be an invitation."""
    return _URL.sub(r"\1…", text)


def without_secret_fields(value: object) -> object:
    """Return a JSON value without the values of the fields that may be secret."""
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value).items()
        return {name: "…" if _SECRET_FIELD.search(name) else without_secret_fields(part) for name, part in fields}
    return [without_secret_fields(part) for part in cast("list[object]", value)] if isinstance(value, list) else value


@lru_cache(maxsize=16)
def _pattern(secret: str) -> re.Pattern[str]:
    start = secret[:_MAX_SPELLED]
    spelled = _spelled(start) + (r"\S*" if start != secret else "")
    digits = start.encode(errors="replace").hex()
    return re.compile("|".join([spelled, digits, *map(_spelled_base64, _cores(start))]), re.IGNORECASE)


def _spelled(text: str) -> str:
    return "".join(map(_spelled_character, text))


def _spelled_character(character: str) -> str:
    code, encoded = ord(character), character.encode(errors="replace")
    forms = [
        rf"\\*{re.escape(character)}",
        "".join(f"%(?:25)*{byte:02x}" for byte in encoded),
        rf"\\+(?:u|x){{?0*{code:x}}}?",
        f"&#0*{code};?",
        f"&#x0*{code:x};?",
        *([f"&{codepoint2name[code]};?"] if code in codepoint2name else []),
    ]
    return f"(?:{'|'.join(forms)})"


def _cores(secret: str) -> list[str]:
    """Return the characters of Base64 that stand for a secret, whatever stands before and behind it."""
    data = secret.encode(errors="replace")
    cores: list[str] = []
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + data).decode().rstrip("=")
        # The bits at both ends belong to other characters too.
        end = len(encoded) - (1 if (before + len(data)) % 3 else 0)
        cores.append(encoded[-(-before * 4 // 3) : end])
    return [core for core in cores if len(core) >= _MIN_BASE64]


def _spelled_base64(core: str) -> str:
    standard = "".join({"+": "(?:[+-]|%2b)", "/": "(?:[/_]|%2f)"}.get(character, character) for character in core)
    return rf"{standard}[\w+/=%-]*"


_URL = re.compile(rf"(https?{_spelled('://')}[\w.:\[\]-]*+)[/?#%\\&][^\s\"'<>]*", re.IGNORECASE)
