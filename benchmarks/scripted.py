"""Contenders that keep no state: a script, and a playbook."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.contenders import Policies, Setup, Step
from benchmarks.running import compiling
from benchmarks.watching import Usage, watch

__all__ = ["Playbook", "Script", "install_ansible"]

_HERE = Path(__file__).parent


class Script:
    """The script of `benchmarks.script`, told which calls to make.

    Args:
        name: what the table calls it.
        folder: does not exist yet.
        setup: what all have in common.
        threads: how many calls it makes at a time.
    """

    writes = True

    def __init__(self, name: str, folder: Path, setup: Setup, threads: int = 1) -> None:
        folder.mkdir()
        self.name = name
        self._folder = folder
        self._setup = setup
        self._threads = threads

    def run(self, step: Step) -> Usage:
        """Send the calls that lead from one to the other; at a second `up` all of them once more."""
        if step.name == "preview":
            return self.read("resources", "policies", "protections")
        if step.name == "refresh":
            return self.read("protections")
        calls: dict[str, list[tuple[str, str, str]]] = {}
        for method, policies in (("DELETE", _taken_off(step)), ("POST", _put_on(step))):
            for resource_id, policy_id in policies.items():
                calls.setdefault(resource_id, []).append((method, resource_id, policy_id))
        (self._folder / "calls.json").write_text(json.dumps(list(calls.values())))
        return self._run("send", "calls.json", str(self._threads))

    def read(self, *listings: str) -> Usage:
        """Read listings by all their pages."""
        return self._run("read", *listings)

    def state(self) -> None:
        """Keep nothing."""

    def _run(self, *arguments: str) -> Usage:
        command = (str(self._setup.programs / "python"), str(_HERE / "script.py"), *arguments)
        environment = {**compiling(self._setup.bytecode), **self._setup.service}
        return watch(command, folder=self._folder, environment=environment, limit=self._setup.limit)


class Playbook:
    """A playbook of Ansible that loops over the resources.

    Args:
        name: what the table calls it.
        folder: does not exist yet.
        setup: what all have in common.
        programs: where Ansible is installed.
    """

    writes = True

    def __init__(self, name: str, folder: Path, setup: Setup, programs: Path) -> None:
        folder.mkdir()
        self.name = name
        self._folder = folder
        self._setup = setup
        self._program = str(programs / "ansible-playbook")

    def run(self, step: Step) -> Usage | None:
        """Run the playbook; there is no preview, because `--check` skips calls."""
        if step.name == "preview":
            return None
        variables = {
            "tenant": f"{self._setup.url}/api/v1/tenants/tenant-0001",
            "api_key": self._setup.api_key,
            "count": len(step.after),
            "unprotected": _items(_taken_off(step)),
            "protected": _items(_put_on(step)),
        }
        (self._folder / "variables.json").write_text(json.dumps(variables))
        playbook = _HERE / "playbooks" / ("read.yaml" if step.name == "refresh" else "protect.yaml")
        command = (self._program, str(playbook), "--extra-vars", "@variables.json")
        # As its documentation advises for speed: without a file for each call.
        ansible = {"ANSIBLE_HOME": f"{self._folder}/home", "ANSIBLE_PIPELINING": "True"}
        environment = {**compiling(self._setup.bytecode), **ansible}
        return watch(command, folder=self._folder, environment=environment, limit=self._setup.limit)

    def state(self) -> None:
        """Keep nothing."""


def _taken_off(step: Step) -> Policies:
    return {id_: policy for id_, policy in step.before.items() if step.after.get(id_) != policy}


def _put_on(step: Step) -> Policies:
    """Return what a run asks for: where nothing changes it does not know that, and asks for all once more."""
    again = step.before == step.after
    return {id_: policy for id_, policy in step.after.items() if again or step.before.get(id_) != policy}


def _items(policies: Policies) -> list[dict[str, str]]:
    return [{"resource_id": resource_id, "policy_id": policy_id} for resource_id, policy_id in policies.items()]


def install_ansible(folder: Path) -> Path:
    """Install Ansible, for this benchmark alone.

    Args:
        folder: does not exist yet.

    Returns:
        The folder of its programs.
    """
    uv = shutil.which("uv") or str(_HERE.parent / ".local/uv/bin/uv")
    environment = ("venv", "--quiet", "--python", sys.executable, str(folder))
    packages = ("pip", "install", "--quiet", "--python", str(folder), "ansible-core>=2.19,<3")
    for arguments in (environment, packages):
        subprocess.run([uv, *arguments], check=True, timeout=600)
    return folder / "bin"
