"""Stands in for pip in most tests: Pulumi's language host runs `python -m pip list` at each command.

The folder names of the installed packages hold all that the host asks for, and listing them takes a twentieth of the
time. The tests of the wheel run pip itself, and so does `make test-nightly`.
"""

import json
import sys
from pathlib import Path

if sys.argv[1:] != ["list", "-v", "--format", "json"]:
    sys.exit(f"the tests' stand-in for pip cannot answer {sys.argv[1:]}")
packages: list[dict[str, str]] = []
for folder in filter(Path.is_dir, map(Path, sys.path)):
    for found in folder.glob("*.dist-info"):
        name, _, version = found.stem.rpartition("-")
        packages.append({"name": name.replace("_", "-"), "version": version, "location": str(folder)})
sys.stdout.write(json.dumps(packages))
