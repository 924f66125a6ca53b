"""Make the `pulumi` command available: prints on stdout the one folder to put first on PATH.

Three sources, tried in this order; stderr says which one it was, what is being done, and why a source failed:

1. `path`: a `pulumi` >= 3.254 on PATH, with the Python language host beside it or on PATH;
2. `installer`: Pulumi's own installer, called through its SDK (needs the open internet);
3. `build`: built from the Go modules `engine` and `language-host` in this folder (needs Go and a module proxy).

What 2 and 3 bring is kept in ${XDG_CACHE_HOME:-~/.cache}/pulumi-dataprotection, one folder per version, and taken
from there ever after. PULUMI_CLI_SOURCES=path,build in the environment tries only the sources it names.
"""

import fcntl
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from semver import Version

HERE = Path(__file__).resolve().parent
ENGINE = HERE / "engine"
LANGUAGE_HOST = HERE / "language-host"
PROGRAMS = ("pulumi", "pulumi-language-python", "pulumi-language-python-exec", "pulumi-resource-pulumi-python")
MINIMUM = Version(3, 254)

SDK_MODULE = "github.com/pulumi/pulumi/sdk/v3"
BUILDS = (
    (ENGINE, "pulumi", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"),
    (LANGUAGE_HOST, "pulumi-language-python", f"{SDK_MODULE}/python/cmd/pulumi-language-python"),
)
# Read-only, so that what is compiled is what go.sum says.
BUILD_FLAGS = ("-mod=readonly", "-trimpath", "-tags", "osusergo,grpcnotrace")

INSTALLER_LIMIT = 300.0  # seconds
GO_LIMIT = 3600.0  # seconds, for each command
PROGRESS_INTERVAL = 10.0  # seconds

STARTED = time.monotonic()


class SourceError(Exception):
    """A source cannot give the command; the text says why."""


def say(text: str) -> None:
    """Tell the person at the terminal; stdout is for the folder alone."""
    elapsed = int(time.monotonic() - STARTED)
    print(f"pulumi-cli [{elapsed // 60}:{elapsed % 60:02}] {text}", file=sys.stderr, flush=True)


def required(module: Path, pattern: str) -> str:
    """Return what the module's go.mod requires, the first group of `pattern`."""
    match = re.search(pattern, (module / "go.mod").read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        message = f"{module / 'go.mod'} has no line {pattern}"
        raise SystemExit(message)
    return match[1]


PULUMI_VERSION = required(ENGINE, r"^\s*github\.com/pulumi/pulumi/pkg/v3 v(\S+)")
GO_VERSION = required(ENGINE, r"^go (\S+)")


def from_path() -> Path:
    """Return the folder of a `pulumi` on PATH that is new enough and has its Python language host."""
    command = shutil.which("pulumi")
    if command is None:
        raise SourceError("there is no pulumi on PATH")
    folder = Path(command).absolute().parent
    version = version_of(command)
    if version < MINIMUM:
        raise SourceError(f"{command} is version {version}, older than {MINIMUM}")
    if shutil.which("pulumi-language-python", path=f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}") is None:
        raise SourceError(f"{command} has no pulumi-language-python beside it or on PATH")
    say(f"using pulumi {version} on PATH, {folder}")
    return folder


def version_of(command: str) -> Version:
    """Ask a `pulumi` for its version."""
    environment = {**os.environ, "PULUMI_SKIP_UPDATE_CHECK": "true"}
    try:
        answer = subprocess.run(
            [command, "version"], env=environment, capture_output=True, text=True, check=True, timeout=300
        )
        return Version.parse(answer.stdout.strip().removeprefix("v"))
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise SourceError(f"`{command} version` does not answer with a version: {error}") from error


def from_installer() -> Path:
    """Return the folder that Pulumi's own installer filled, now or earlier."""
    return kept(run_official_installer)


def run_official_installer(root: Path) -> None:
    """Install into root/bin, in a process of its own: the SDK's call has no time limit."""
    say(f"trying Pulumi's own installer for pulumi {PULUMI_VERSION}")
    run([sys.executable, __file__, "--official-installer", str(root)], "downloading pulumi", limit=INSTALLER_LIMIT)


def official_installer(root: str) -> None:
    """Call the SDK's installer; the body of that other process."""
    from pulumi.automation import PulumiCommand  # noqa: PLC0415 - half a second that the other sources save

    socket.setdefaulttimeout(10)
    try:
        PulumiCommand.install(root=root, version=Version.parse(PULUMI_VERSION))
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.output.decode(errors='replace')}\n{error}")
    except OSError as error:
        sys.exit(f"{error}")


def from_build() -> Path:
    """Return the folder with the programs built from Go modules, now or earlier."""
    return kept(build)


def build(root: Path) -> None:
    """Build the programs into root/bin with Go, in Go's usual caches."""
    go = shutil.which("go")
    if go is None:
        raise SourceError("there is no go on PATH")
    environment = {**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"}
    check_go(go, environment)
    say(f"building pulumi {PULUMI_VERSION} with {go}: once, 4 to 8 minutes on two cores, 3.3 GB of Go caches")
    packages: dict[str, int] = {}
    for module, program, package in BUILDS:
        listing = [go, "list", "-deps", *BUILD_FLAGS, package]
        doing = f"downloading the modules of {program}"
        packages[program] = len(run(listing, doing, cwd=module, environment=environment))
    for module, program, package in BUILDS:
        version = PULUMI_VERSION if module == ENGINE else required(module, rf"{SDK_MODULE} v(\S+)")
        link = f"-s -w -X {SDK_MODULE}/go/common/version.Version=v{version}"
        compiling = [go, "build", "-v", *BUILD_FLAGS, "-ldflags", link, "-o", str(root / "bin" / program), package]
        doing = f"compiling {program} (at most {packages[program]} packages)"
        run(compiling, doing, cwd=module, environment=environment)
    sdk = run([go, "list", "-mod=readonly", "-m", "-f", "{{.Dir}}", SDK_MODULE], "looking up the SDK", cwd=ENGINE)[-1]
    for script in ("cmd/pulumi-language-python-exec", "dist/pulumi-resource-pulumi-python"):
        target = root / "bin" / Path(script).name
        shutil.copyfile(Path(sdk, "python", script), target)
        target.chmod(0o755)


def check_go(go: str, environment: Mapping[str, str]) -> None:
    """Refuse a Go that is too old; one that may fetch a newer toolchain does so here."""
    asking = [go, "env", "GOVERSION", "GOTOOLCHAIN"]
    answer = run(asking, "asking go for its version", cwd=ENGINE, environment=environment)
    found = re.search(r"go(\d+)\.(\d+)(?:\.(\d+))?", answer[0] if answer else "")
    if found is None:
        raise SourceError(f"`{go} env GOVERSION` does not answer with a version")
    if Version(*(int(part or 0) for part in found.groups())) < Version.parse(GO_VERSION, optional_minor_and_patch=True):
        local = ", and GOTOOLCHAIN=local keeps it from fetching a newer one" if "local" in answer[1:] else ""
        raise SourceError(f"{go} is {found[0]}, too old: Go >= {GO_VERSION} is needed{local}")


def kept(fill: Callable[[Path], None]) -> Path:
    """Return the cached programs' folder; when they are not all there, `fill` a folder beside it first."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    root = cache / "pulumi-dataprotection" / f"pulumi-v{PULUMI_VERSION}"
    if not complete(root):
        root.parent.mkdir(parents=True, exist_ok=True)
        with locked(root.with_name(f"{root.name}.lock")):
            if not complete(root):
                partial = root.with_name(f"{root.name}.partial")
                shutil.rmtree(partial, ignore_errors=True)
                (partial / "bin").mkdir(parents=True)
                try:
                    fill(partial)
                    if not complete(partial):
                        raise SourceError(f"not all of {', '.join(PROGRAMS)} were installed")
                    shutil.rmtree(root, ignore_errors=True)
                    partial.rename(root)
                finally:
                    shutil.rmtree(partial, ignore_errors=True)
    say(f"using pulumi {PULUMI_VERSION} in {root / 'bin'}")
    return root / "bin"


def complete(root: Path) -> bool:
    """Tell whether all programs are in root/bin and may be run."""
    return all(os.access(root / "bin" / program, os.X_OK) for program in PROGRAMS)


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Hold a lock between processes, so that two that start at once do not both build."""
    with path.open("w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another process that is installing pulumi")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run(
    argv: Sequence[str],
    doing: str,
    *,
    cwd: Path = HERE,
    environment: Mapping[str, str] | None = None,
    limit: float = GO_LIMIT,
) -> list[str]:
    """Run a command and return its lines without Go's download notes; says every ten seconds how far it is."""
    with tempfile.NamedTemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = wait(process, Path(log.name), doing, limit)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        lines = [line for line in Path(log.name).read_text(encoding="utf-8").splitlines() if line.strip()]
    if code:
        raise SourceError(f"{doing} failed: " + "\n    ".join(lines[-3:]))
    return [line for line in lines if not line.startswith("go: downloading ")]


def wait(process: subprocess.Popen[bytes], log: Path, doing: str, limit: float) -> int:
    """Wait for the process to end, telling how many lines it has written, which is its progress."""
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        try:
            return process.wait(PROGRESS_INTERVAL)
        except subprocess.TimeoutExpired:
            done = len(log.read_text(encoding="utf-8").splitlines())
            say(f"{doing}: {done} so far" if done else doing)
    raise SourceError(f"{doing} took more than {limit:.0f} seconds")


SOURCES = {"path": from_path, "installer": from_installer, "build": from_build}


def main() -> int:
    """Try the sources in order, and print the folder of the first one that has the command."""
    wanted = [name.strip() for name in (os.environ.get("PULUMI_CLI_SOURCES") or ",".join(SOURCES)).split(",")]
    if unknown := set(wanted) - set(SOURCES):
        print(f"PULUMI_CLI_SOURCES: no such source: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    reasons: list[str] = []
    for name, source in SOURCES.items():
        if name not in wanted:
            continue
        try:
            print(source())
        except SourceError as error:
            reasons.append(f"  {name}: {error}")
        else:
            return 0
    print(
        "pulumi-cli: the pulumi command is not to be had:",
        *reasons,
        "Do one of these, then run this again:",
        f"  - install pulumi >= {MINIMUM} (https://www.pulumi.com/docs/install/) so that it is on PATH, or",
        f"  - install Go >= {GO_VERSION} (https://go.dev/doc/install); pulumi is then built from Go modules.",
        sep="\n",
        file=sys.stderr,
    )
    return 1


def stop(*_: object) -> NoReturn:
    """End on a signal as on Ctrl-C: what was started is stopped, too."""
    sys.exit(143)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop)
    try:
        if sys.argv[1:2] == ["--official-installer"]:
            official_installer(sys.argv[2])
        else:
            sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
