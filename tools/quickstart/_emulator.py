"""The emulator that the quickstart keeps running in the background."""

import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import urlsplit

from tools.quickstart._local import LOCAL, QuickstartError

from pulumi_dataprotection.testing._control import send

__all__ = ["LOG", "Emulator", "remove", "request_methods", "running"]

DATABASE = LOCAL / "emulator.db"
LOG = LOCAL / "emulator.log"
RECORD = LOCAL / "emulator.json"
START_LIMIT = 900.0  # seconds; ends only what hangs, however slow the machine is
STOP_LIMIT = 60.0  # seconds


@dataclass(frozen=True)
class Emulator:
    """What the emulator said of itself when it was ready."""

    url: str
    api_key: str
    pid: int


def running() -> Emulator:
    """Return the emulator that runs already; else start one, at its old address where that is free."""
    emulator = recorded()
    if emulator is not None and alive() and healthy(emulator):
        return emulator
    stop()
    return start(port_for(emulator))


def recorded() -> Emulator | None:
    """Return what the last emulator said of itself, whether it still runs or not."""
    try:
        return parsed(RECORD.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def parsed(line: str) -> Emulator:
    """Read the emulator's JSON line."""
    match json.loads(line):
        case {"url": str(url), "api_key": str(api_key), "pid": int(pid)}:
            return Emulator(url, api_key, pid)
        case _:
            raise ValueError("the emulator's JSON line lacks url, api_key or pid")


def alive() -> bool:
    """Tell whether the emulator runs: it inherits the lock on its log file, which lasts as long as it does."""
    if not LOG.exists():
        return False
    with LOG.open("a", encoding="utf-8") as log:
        return not try_lock(log)


def try_lock(file: IO[str]) -> bool:
    """Lock a file, or return False when another process holds its lock."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def healthy(emulator: Emulator) -> bool:
    """Tell whether the emulator answers at its address."""
    try:
        read(emulator, "health")
    except QuickstartError:
        return False
    return True


def request_methods(emulator: Emulator) -> list[str]:
    """Return the method of each request that the emulator has answered since it started."""
    requests: list[dict[str, str]] = read(emulator, "requests")
    return [request["method"] for request in requests]


def read(emulator: Emulator, name: str) -> Any:  # noqa: ANN401 - JSON
    """Read from the emulator's control plane."""
    try:
        return send(emulator.url, "GET", name, timeout=10)
    except (OSError, HTTPException, ValueError) as error:
        raise QuickstartError(f"the emulator at {emulator.url} does not answer: {error}. See {LOG}") from error


def port_for(emulator: Emulator | None) -> int:
    """Return the port of the last emulator, which the stack's config names; 0, any port, when that is taken."""
    port = (urlsplit(emulator.url).port or 0) if emulator else 0
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return 0
    return port


def start(port: int) -> Emulator:
    """Start the emulator so that it outlives this process and its terminal."""
    program = str(Path(sys.executable).with_name("dataprotection"))
    options = ["--db", str(DATABASE), "--seed", "demo", "--port", str(port)]
    with LOG.open("a", encoding="utf-8") as log:
        try_lock(log)
        process = subprocess.Popen(
            [program, "emulator", "serve", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
        try:
            line = first_line(cast("IO[bytes]", process.stdout))
            emulator = parsed(line)
            RECORD.touch(mode=0o600)
            RECORD.write_text(line, encoding="utf-8")
        except ValueError:
            process.kill()
            process.wait()
            last = "\n".join(LOG.read_text(encoding="utf-8").splitlines()[-5:])
            raise QuickstartError(
                f"the emulator did not start. The end of {LOG}:\n{last}\n"
                f"When its data cannot be saved, `rm -r {LOCAL}` starts all over."
            ) from None
        except BaseException:
            process.kill()
            raise
    return emulator


def first_line(output: IO[bytes]) -> str:
    """Wait for the emulator's JSON line; return nothing when it ends or stays silent."""
    with output:
        ready, _, _ = select.select([output], [], [], START_LIMIT)
        return output.readline().decode() if ready else ""


def stop() -> None:
    """End the emulator if it runs."""
    if not alive():
        return
    emulator = recorded()
    if emulator is None:
        raise QuickstartError(f"an emulator runs that left no record: end the process that has {LOG} open")
    os.kill(emulator.pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_LIMIT
    while alive():
        if time.monotonic() > deadline:
            os.kill(emulator.pid, signal.SIGKILL)
        time.sleep(0.05)


def remove() -> None:
    """End the emulator and remove its data, record and log."""
    stop()
    for path in LOCAL.glob("emulator.*"):
        path.unlink()
