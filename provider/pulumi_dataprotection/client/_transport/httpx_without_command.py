"""The HTTP library without its command-line program.

If click and rich are installed, `import httpx` also imports that program, which takes 70 ms of each provider process:
https://github.com/encode/httpx/blob/0.28.1/httpx/__init__.py#L15
"""

import sys

_COMMAND = "httpx._main"
_skipped = sys.modules.setdefault(_COMMAND, None) is None  # type: ignore[arg-type]  # None makes the import fail

import httpx  # noqa: E402  # after the line above

if _skipped:
    del sys.modules[_COMMAND]

__all__ = ["httpx"]
