"""An infrastructure repository of a user of the package, and the installed emulator."""

import json
import re
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pulumi_dataprotection.testing._control import send
from pulumi_dataprotection.testing._project import pulumi_variables
from support import ROOT
from support.release.installing import Installed, run

PROGRAM = (ROOT / "examples/quickstart/__main__.py").read_text()
README = (ROOT / "README.md").read_text()


class Service(NamedTuple):
    """The emulator of an environment."""

    url: str
    api_key: str

    def control(self, method: str, name: str) -> Any:  # noqa: ANN401 - JSON
        """Send a request to the control plane, and return the answer."""
        return send(self.url, method, name)


@contextmanager
def emulator(installed: Installed) -> Generator[Service]:
    """Run the emulator that an environment has."""
    command = [str(installed.programs / "dataprotection"), "emulator", "serve"]
    with subprocess.Popen(
        command, cwd=installed.folder, env=installed.environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            line = json.loads(process.stdout.readline())
            yield Service(line["url"], line["api_key"])
        finally:
            process.terminate()


class Customers:
    """An infrastructure repository as the README shows it, with the quickstart as its program."""

    def __init__(self, folder: Path, installed: Installed, service: Service) -> None:
        (block,) = re.findall(r"^```yaml\n# Pulumi\.yaml\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
        (folder / "Pulumi.yaml").write_text(block)
        tell = 'import pulumi_dataprotection\npulumi.export("package", pulumi_dataprotection.__file__)\n'
        (folder / "__main__.py").write_text(f"{PROGRAM}\n{tell}")
        self._folder = folder
        self._environment = {
            **installed.environment,
            **pulumi_variables(folder, folder / "home"),
            "DATAPROTECTION_BASE_URL": service.url,
            "DATAPROTECTION_API_KEY": service.api_key,
            "DATAPROTECTION_CALLS_PER_SECOND": "0",
            "DATAPROTECTION_READ_LAG": "0",
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        self.pulumi("stack", "init", "dev")

    def pulumi(self, *arguments: str) -> str:
        """Run a command of the engine."""
        command = (*arguments, "--non-interactive", "--color", "never")
        return run("pulumi", *command, folder=self._folder, environment=self._environment)

    def outputs(self) -> dict[str, Any]:
        """Return the stack's outputs."""
        outputs: dict[str, Any] = json.loads(self.pulumi("stack", "output", "--json"))
        return outputs
