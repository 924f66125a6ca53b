"""The first steps of every `make` command: find a Python and uv, and install the locked packages."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support import ROOT, run_process

Program = Callable[[str, str], Path]
Make = Callable[[str], "subprocess.CompletedProcess[str]"]

MAKE = shutil.which("make") or "make"

# Stands in for uv: notes what it is asked for, and makes what a later run finds.
UV = """
if [ "$1" = --version ]; then echo "uv 0.9.1 (fake)"; exit; fi
echo "$@" >> uv.log
mkdir -p .venv/bin; echo > .venv/bin/python; chmod +x .venv/bin/python
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with what the set-up reads."""
    folder = tmp_path / "check out"
    (folder / "tools").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "uv.lock", "tools/setup.sh"):
        shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture
def make(checkout: Path, path_folder: Path) -> Make:
    """Return what runs make in the checkout, where PATH has nothing but the shell and its basic tools."""
    for tool in ("bash", "sh", "env", "mkdir", "chmod", "touch"):
        (path_folder / tool).symlink_to(shutil.which(tool) or tool)

    def run(target: str) -> "subprocess.CompletedProcess[str]":
        environment = {"PATH": str(path_folder)}
        return run_process([MAKE, target], cwd=checkout, env=environment)

    return run


@pytest.mark.parametrize("target", ["up", "down", "test", "check", "bench", "dist"])
def test_an_old_or_missing_python_is_an_error_with_the_needed_version(
    make: Make, program: Program, target: str
) -> None:
    missing = make(target)
    assert (True, True) == (missing.returncode != 0, "(found: nothing)" in missing.stderr)

    program("python3", "echo 3.10.14")
    result = make(target)
    assert 0 != result.returncode
    for named in ("Python 3.11", "(found: python3 is Python 3.10.14)", "https://www.python.org/downloads/"):
        assert named in result.stderr


def test_a_newer_python_is_found_under_its_own_name(make: Make, program: Program, checkout: Path) -> None:
    program("python3", "echo 3.9.18")
    python = program("python3.12", "echo 3.12.1")
    program("uv", UV)

    result = make("setup")

    assert 0 == result.returncode, result.stderr
    assert f"sync --locked --python {python}\n" == (checkout / "uv.log").read_text(encoding="utf-8")


def test_an_old_uv_is_replaced_by_one_of_our_own(make: Make, program: Program, checkout: Path) -> None:
    pip = 'mkdir -p .local/uv/bin; printf "#!/bin/sh\\necho pip \\"\\$@\\" >> pip.log\\n" > .local/uv/bin/python'
    ours = f"cat > .local/uv/bin/uv <<'END'\n#!/bin/sh\n{UV}\nEND\nchmod +x .local/uv/bin/python .local/uv/bin/uv"
    program("python3", f'if [ "$1" = -c ]; then echo 3.11.7; exit; fi\n{pip}\n{ours}')
    program("uv", "echo uv 0.8.24")
    shutil.copy2(shutil.which("cat") or "cat", checkout.parent / "path" / "cat")

    result = make("setup")

    assert 0 == result.returncode, result.stderr
    assert "no uv >= 0.9 on PATH; installing it into .local/uv" in result.stderr
    assert "uv>=0.9,<1\n" == (checkout / "pip.log").read_text(encoding="utf-8").rpartition(" ")[2]
    assert (checkout / "uv.log").exists()


def test_a_uv_that_cannot_be_installed_ends_the_set_up(make: Make, program: Program, checkout: Path) -> None:
    program("python3", 'if [ "$1" = -c ]; then echo 3.11.7; exit; fi; echo no ensurepip; exit 1')

    result = make("setup")

    assert 0 != result.returncode
    assert "no ensurepip" in result.stderr
    assert "installing the locked packages" not in result.stderr
    assert not (checkout / ".venv").exists()


def test_a_second_set_up_does_nothing_unless_the_lock_has_changed(make: Make, program: Program, checkout: Path) -> None:
    program("python3", "echo 3.11.7")
    program("uv", UV)
    make("setup")
    (checkout / "uv.log").unlink()

    result = make("setup")
    assert (0, "", "") == (result.returncode, result.stdout, result.stderr)
    assert not (checkout / "uv.log").exists()

    os.utime(checkout / "uv.lock")
    make("setup")
    assert (checkout / "uv.log").exists()
