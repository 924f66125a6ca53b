"""The files of the project: programs that are the same for everybody, and data files."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from string import Template
from typing import Literal

from pulumi_dataprotection.adoption import orgs_file
from pulumi_dataprotection.adoption.evidence import Evidence
from pulumi_dataprotection.adoption.report import as_json, as_markdown
from pulumi_dataprotection.adoption.result import Result
from pulumi_dataprotection.adoption.snapshot import of_text
from pulumi_dataprotection.adoption.tenant_file import OnConflict
from pulumi_dataprotection.adoption.yaml_text import scalar

__all__ = ["Layout", "Options", "Style", "find_data_files", "stack_config", "whole_files", "write_project"]

Layout = Literal["stack-per-customer", "single"]
Style = Literal["names", "rules"]

_TEMPLATES = Path(__file__).parent / "templates"
_PACKAGE = "pulumi-dataprotection"
_STACK = "prod"
"""The stack of the organizations, or of the whole estate."""

_STAYS = "A removed line keeps the policy if the set adopted it: remove such a policy in the portal."
_GOES = "A removed line removes the policy, because the sets own what they adopted."
_NOT_ACCEPTED = """\
No data file has `on_conflict: accept`. If the portal protects people of a tenant automatically, add this line to its
data file. The set then accepts the policies that the portal assigns."""
_ACCEPTED = """\
The portal protects people of these tenants automatically, as the option `--on-conflict accept` says. So their data
files have `on_conflict: accept`, and the sets accept the policies that the portal assigns. Remove this line as soon as
the rule in the portal is off.

"""


@dataclass(frozen=True, slots=True)
class Options:
    """The choices about the project.

    Attributes:
        layout: a project with a stack for each customer, or a single stack.
        style: whether data files list names, or have rules.
        own: whether the sets own the policies that they adopt.
        on_conflict: the argument of the sets.
        base_url: the address of the service, for the config of the stacks.
    """

    layout: Layout
    style: Style
    own: bool
    on_conflict: OnConflict
    base_url: str


def write_project(folder: Path, result: Result, options: Options) -> None:
    """Write all files into an empty folder.

    Args:
        folder: the folder.
        result: the result of the adoption.
        options: the choices.
    """
    single = options.layout == "single"
    template = _TEMPLATES / options.layout.replace("-", "_")
    shutil.copytree(template, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    msp, customer = (folder, folder) if single else (folder / "msp", folder / "customer")
    config = stack_config(options.base_url)
    evidence = Evidence(folder)
    _write(msp / f"Pulumi.{_STACK}.yaml", config)
    written: list[str] = []
    for place, tenant in result.tenants:
        if tenant.text:
            written.append(f"tenants/{place.customer}/{place.slug}.yaml")
            _write(customer / written[-1], tenant.text)
            evidence.save(place.tenant.id, tenant.snapshot)
            if not single:
                _write(customer / f"Pulumi.{place.customer}.yaml", config)
    if options.own:
        program = customer / "__main__.py"
        _write(program, program.read_text("utf-8").replace('adopt="keep"', 'adopt="own"'))
    _write(folder / "requirements.txt", f"{_PACKAGE}=={version(_PACKAGE)}\n")
    for path, text in whole_files(folder, result).items():
        _write(path, text)
        evidence.save(path.relative_to(folder).as_posix(), of_text(text))
    accepted = written if options.on_conflict == "accept" else []
    notes = _fill(
        _TEMPLATES / "notes.md",
        removal=_GOES if options.own else _STAYS,
        accept=_ACCEPTED + "\n".join(f"- `{path}`" for path in accepted) if accepted else _NOT_ACCEPTED,
    )
    _write(folder / "README.md", _fill(template / "README.md", notes=notes.rstrip()))


def whole_files(folder: Path, result: Result) -> dict[Path, str]:
    """Return the texts of the files of a project that are about all tenants, by their paths."""
    msp = folder / "msp" if (folder / "customer").is_dir() else folder
    return {
        msp / "orgs.yaml": orgs_file.dumps(result.estate.orgs, result.estate.names),
        folder / "report.md": as_markdown(result),
        folder / "report.json": as_json(result),
    }


def stack_config(base_url: str) -> str:
    """Return the config of a stack."""
    return f"config:\n  dataprotection:baseUrl: {scalar(base_url)}\n"


def find_data_files(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the files of organizations and the files of tenants in a project of any layout."""
    orgs = [path for path in (folder / "msp/orgs.yaml", folder / "orgs.yaml") if path.exists()]
    tenants = [path for base in (folder / "customer", folder) for path in sorted(base.glob("tenants/*/*.yaml"))]
    return orgs, tenants


def _fill(template: Path, **values: str) -> str:
    return Template(template.read_text("utf-8")).substitute(values)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")
