"""Shell scripts that stand in for programs."""

from pathlib import Path

__all__ = ["write_script"]


def write_script(path: Path, script: str) -> Path:
    """Write an executable shell script, and return its path."""
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path
