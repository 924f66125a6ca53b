"""Run the quickstart's stack (`up`) or undo it (`down`); called by the Makefile with .venv's Python."""

import argparse
import os
import sys

from tools.quickstart import _emulator
from tools.quickstart._local import LOCAL, ROOT, QuickstartError, only_one
from tools.quickstart._pulumi import ENVIRONMENT_FILE, Pulumi

TARGET = LOCAL / "target"
EMULATOR = "the emulator"


def up() -> int:
    """Bring the stack up against the service in the environment, else against the emulator."""
    target = target_in_environment()
    check_target(target)
    pulumi = Pulumi()
    TARGET.write_text(target, encoding="utf-8")
    code = up_on_emulator(pulumi) if target == EMULATOR else pulumi.run("up", "--yes")
    if code:
        print("Not everything was done. `make up` goes on from here, `make down` undoes what was done.")
    print("The program    examples/quickstart/__main__.py: change it, then `make up` again")
    print(f"By hand        source {ENVIRONMENT_FILE.relative_to(ROOT)}, then pulumi preview, pulumi stack, ...")
    print("The end        make down")
    return code


def up_on_emulator(pulumi: Pulumi) -> int:
    """Bring the stack up against the emulator, and tell what the emulator saw of it."""
    emulator = _emulator.running()
    pulumi.configure(base_url=emulator.url, api_key=emulator.api_key)
    earlier = len(_emulator.request_methods(emulator))
    code = pulumi.run("up", "--yes")
    methods = _emulator.request_methods(emulator)[earlier:]
    writes = sum(method != "GET" for method in methods)
    control = f"{emulator.url}/_emulator"
    print(f"The emulator   {emulator.url} (pid {emulator.pid}, log {_emulator.LOG.relative_to(ROOT)})")
    print(f"Its requests   {len(methods)} in this run, {writes} of them writes; all: curl {control}/requests")
    print(f"Its state      curl {control}/state")
    return code


def down() -> int:
    """Destroy the stack's resources, then remove the emulator and its data: the next `up` starts afresh."""
    if not TARGET.exists():
        print("Nothing is up.")
        return 0
    target = target_in_environment()
    check_target(target)
    pulumi = Pulumi()
    if target == EMULATOR:
        emulator = _emulator.running()
        pulumi.configure(base_url=emulator.url, api_key=emulator.api_key)
    pulumi.unprotect()
    code = pulumi.run("destroy", "--yes")
    if code:
        print("Not everything was destroyed. `make down` goes on from here.")
        return code
    if target == EMULATOR:
        _emulator.remove()
        print("The emulator is stopped and its data removed: the next `make up` starts afresh.")
    TARGET.unlink()
    return 0


def target_in_environment() -> str:
    """Return the base URL of the service that the environment names; without one it is the emulator."""
    base_url = os.environ.get("DATAPROTECTION_BASE_URL", "")
    api_key = os.environ.get("DATAPROTECTION_API_KEY", "")
    if bool(base_url) != bool(api_key):
        missing = "DATAPROTECTION_API_KEY" if base_url else "DATAPROTECTION_BASE_URL"
        raise QuickstartError(
            f"{missing} is not set: set it to use a service of your own, or unset the other to use the emulator"
        )
    return base_url or EMULATOR


def check_target(target: str) -> None:
    """Refuse to use a stack whose resources are elsewhere: their ids mean nothing, or another thing, there."""
    known = TARGET.read_text(encoding="utf-8") if TARGET.exists() else target
    if known != target:
        names = "DATAPROTECTION_BASE_URL and DATAPROTECTION_API_KEY"
        how = f"without {names}" if known == EMULATOR else f"with {names} for {known}"
        raise QuickstartError(f"the stack is up on {known}, not on {target}: run `make down` {how} first")


def main() -> int:
    """Run the command that was asked for."""
    commands = {"up": up, "down": down}
    parser = argparse.ArgumentParser(prog="python -m tools.quickstart", description=__doc__)
    parser.add_argument("command", choices=commands)
    command: str = parser.parse_args().command
    try:
        with only_one(command):
            return commands[command]()
    except QuickstartError as error:
        print(f"make {command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
