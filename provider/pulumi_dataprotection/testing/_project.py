"""The project of a program under test, which leaves the program's folder unchanged."""

import json
import os
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import yaml

__all__ = ["configure", "pulumi_variables", "write_program", "write_project"]

_NAME = "test"

# Where the state and the settings of a stack are is for the test to say; what else a project may have, it keeps.
_LEFT_OUT = {"backend", "stackConfigDir"}


def pulumi_variables(state: Path, home: Path) -> dict[str, str]:
    """Return the variables of `pulumi` commands whose state is in a folder, and whose secrets need no passphrase.

    Args:
        state: the folder of the state.
        home: the folder of Pulumi's own settings and plugins.
    """
    return {
        # Without `metadata=skip` a second file beside the state is written in place. A command that is killed while it
        # writes that file leaves a state that no later command can load.
        "PULUMI_BACKEND_URL": f"{state.as_uri()}?metadata=skip",
        "PULUMI_CONFIG_PASSPHRASE": "",
        "PULUMI_HOME": str(home),
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
    }


def write_project(program: Path | str, folder: Path) -> str:
    """Make a project of a program: of a folder, which stays as it is, or of a program's text.

    Args:
        program: the folder of a project, with a Pulumi.yaml or a `__main__.py`, or the text of a program.
        folder: what the project is written into.

    Returns:
        The project's name.

    Raises:
        ValueError: The program is neither a project nor the text of a program.
    """
    project: dict[str, Any] = {"name": _NAME}
    if isinstance(program, str):
        write_program(program, folder)
    else:
        project = _read_project(program)
    project["runtime"] = "python"
    _write(folder / "Pulumi.yaml", project)
    return str(project["name"])


def write_program(text: str, folder: Path) -> None:
    """Write the text of a program, indented as it may be, into the project's folder.

    Raises:
        ValueError: It is the name of a folder.
    """
    if "\n" not in text and text.strip() and Path(text).is_dir():
        raise ValueError(f"{text!r} would be the text of a program: name a folder as Path({text!r})")
    file = folder / "__main__.py"
    before = file.stat().st_mtime if file.exists() else 0.0
    file.write_text(textwrap.dedent(text), encoding="utf-8")
    # Python runs the compiled program again if the new program has the same length and the same time in seconds:
    # https://docs.python.org/3/reference/import.html#cached-bytecode-invalidation
    time = max(file.stat().st_mtime, before + 1)
    os.utime(file, (time, time))


def configure(folder: Path, stack: str, project: str, config: Mapping[str, object]) -> None:
    """Write a stack's config.

    Args:
        folder: the project's folder; the stack is made already.
        stack: the stack's name.
        project: the project's name, whose the keys without a namespace are.
        config: values by key; lists and mappings are objects.
    """
    file = folder / f"Pulumi.{stack}.yaml"
    settings: dict[str, object] = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    settings["config"] = {key if ":" in key else f"{project}:{key}": value for key, value in config.items()}
    _write(file, settings)


def _write(file: Path, content: object) -> None:
    # JSON is also YAML.
    file.write_text(json.dumps(content, ensure_ascii=False, indent=2, default=str) + "\n", encoding="utf-8")


def _read_project(folder: Path) -> dict[str, Any]:
    files = [file for file in (folder / "Pulumi.yaml", folder / "Pulumi.yml") if file.exists()]
    if not files:
        if not (folder / "__main__.py").exists():
            raise ValueError(f"{folder} has no Pulumi.yaml and no __main__.py")
        return {"name": _NAME, "main": str(folder.resolve())}
    project: dict[str, Any] = yaml.safe_load(files[0].read_text(encoding="utf-8"))
    runtime: object = project.get("runtime")
    language = cast("dict[str, object]", runtime).get("name") if isinstance(runtime, dict) else runtime
    if language != "python":
        raise ValueError(f"{files[0]}: the runtime is {language!r}; only Python programs can use this package")
    kept = {key: value for key, value in project.items() if key not in _LEFT_OUT}
    if isinstance(kept.get("config"), str):
        # The former spelling of stackConfigDir.
        del kept["config"]
    return {**kept, "main": str((folder / project.get("main", "")).resolve())}
