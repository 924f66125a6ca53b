"""Python processes that start quickly: each is forked from a process that has imported what they need.

Pulumi starts two Python processes for each command, and most of their work is to import the SDK and other libraries.
The `python3` of this module sends its arguments, environment, folder and standard streams to a server, which forks a
process with them, and ends when that process ends. No module of this package is imported before the fork: a forked
process imports it as any other process does.

Commands that tests interrupt or kill run on the real Python, which gets the signals itself.
"""

import array
import atexit
import gc
import importlib
import os
import runpy
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from functools import cache
from io import FileIO, TextIOWrapper
from pathlib import Path
from tempfile import mkdtemp
from types import TracebackType
from typing import NoReturn, cast

__all__ = ["NIGHTLY", "with_forking"]

NIGHTLY = bool(os.environ.get("TESTS_NIGHTLY"))
"""Whether this is a run of `make test-nightly`: in full size, on the real Python and pip."""

# Runs isolated and without site-packages, and imports only C modules, because it starts as often as the processes that
# it stands for.
_CLIENT = """#!{python} -IS
import _signal, _socket, os, sys
server = _socket.socket(_socket.AF_UNIX)
server.connect({address!r})
for number in (_signal.SIGINT, _signal.SIGTERM):
    _signal.signal(number, lambda number, _: server.send(bytes([number])))
request = b"\\0".join(map(os.fsencode, [*sys.argv[1:], "", os.getcwd(), *map("=".join, os.environ.items())]))
descriptors = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
server.sendmsg([len(request).to_bytes(4, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, descriptors)])
server.sendall(request)
os._exit(int(server.recv(16) or b"70"))
"""
_IMPORTED = (
    "certifi",
    "filelock",
    "google.rpc.status_pb2",
    "grpc",
    "httpcore",
    "idna",
    "pulumi",
    "pulumi.dynamic",
    "pydantic.dataclasses",
    "pydantic.type_adapter",
    "pyrate_limiter",
    "tenacity",
)


def with_forking(path: str) -> str:
    """Put the `python3` that forks processes first on a PATH; at night all processes are started by the real Python."""
    return path if NIGHTLY else f"{_python_folder()}{os.pathsep}{path}"


@cache
def _python_folder() -> Path:
    """Start a server that ends with this process; return the folder with the `python3` that it serves."""
    folder = Path(mkdtemp(prefix="forking-"))
    address = str(folder / "socket")
    client = folder / "python3"
    client.write_text(_CLIENT.format(python=sys.executable, address=address), encoding="utf-8")
    client.chmod(0o700)
    command = [sys.executable, __file__, address]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE_", "PYTHONPATH"))}
    pipe = subprocess.PIPE
    server = subprocess.Popen(command, env=kept, stdin=pipe, stdout=pipe, start_new_session=True)
    assert server.stdin
    assert server.stdout
    assert server.stdout.readline()
    # Waited for, so that whoever measures this process's time counts the time of those that it started.
    atexit.register(shutil.rmtree, folder)
    atexit.register(server.wait)
    atexit.register(server.stdin.close)
    return folder


def main(address: str) -> NoReturn:
    """Serve until standard input is closed."""
    for name in _IMPORTED:
        importlib.import_module(name)
    base_path = sys.path[1:]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    gc.freeze()
    with selectors.DefaultSelector() as selector:
        selector.register(listener, selectors.EVENT_READ)
        selector.register(sys.stdin, selectors.EVENT_READ)
        while True:
            if sys.stdin in [key.fileobj for key, _ in selector.select()]:
                _end()
            connection, _ = listener.accept()
            if not os.fork():
                break
            connection.close()
            _reap(os.WNOHANG)
    listener.close()
    _attend(connection, base_path)


def _end() -> NoReturn:
    """Kill all that still runs."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    _reap(0)
    os._exit(0)


def _reap(options: int) -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, options)[0]:
            pass


def _attend(connection: socket.socket, base_path: list[str]) -> NoReturn:
    """Fork the process, pass signals on to it, kill it if the client is gone, and send its exit code."""
    arguments, folder, environment, descriptors = _receive(connection)
    ended, inherited = os.pipe()
    child = os.fork()
    if not child:
        os.close(ended)
        connection.close()
        _become(folder, environment, descriptors, base_path)
        _end_with(_status_of(arguments))
    os.close(inherited)
    for descriptor in descriptors:
        os.close(descriptor)
    with selectors.DefaultSelector() as selector:
        selector.register(ended, selectors.EVENT_READ)
        selector.register(connection, selectors.EVENT_READ)
        while ended not in [key.fd for key, _ in selector.select()]:
            passed_on = connection.recv(1)
            os.kill(child, passed_on[0] if passed_on else signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with suppress(BrokenPipeError):
        connection.send(str(code if code >= 0 else 128 - code).encode())
    os._exit(0)


def _receive(connection: socket.socket) -> tuple[list[str], str, dict[str, str], list[int]]:
    descriptors = array.array("i", bytes(3 * struct.calcsize("i")))
    size, messages, _, _ = connection.recvmsg(4, socket.CMSG_SPACE(descriptors.itemsize * 3))
    descriptors = array.array("i", messages[0][2])
    with connection.makefile("rb") as stream:
        parts = [os.fsdecode(part) for part in stream.read(int.from_bytes(size)).split(b"\0")]
    end = parts.index("")
    environment = dict(variable.split("=", 1) for variable in parts[end + 2 :])
    return parts[:end], parts[end + 1], environment, [*descriptors]


def _become(folder: str, environment: dict[str, str], descriptors: list[int], base_path: list[str]) -> None:
    """Take on what a new Python takes from its environment."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin, sys.stdout, sys.stderr = (
        TextIOWrapper(FileIO(number, mode, closefd=False), "utf-8", write_through=True)
        for number, mode in enumerate(("r", "w", "w"))
    )
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    sys.pycache_prefix = environment.get("PYTHONPYCACHEPREFIX") or None
    paths = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:] = [*paths, *base_path]
    if "sitecustomize" in sys.modules or paths:
        sys.modules.pop("sitecustomize", None)
        with suppress(ModuleNotFoundError):
            importlib.import_module("sitecustomize")


def _status_of(arguments: list[str]) -> int:
    """Run a module or a script, and return its exit code."""
    try:
        _run(arguments)
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        sys.stderr.write(f"{error.code}\n")
        return 1
    except BaseException:  # noqa: BLE001 - as Python does
        sys.excepthook(*cast("tuple[type[BaseException], BaseException, TracebackType]", sys.exc_info()))
        return 1
    return 0


def _end_with(status: int) -> NoReturn:
    """End the process as Python does, but leave its memory as it is: to clear it copies most of the server's pages."""
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001 - Python's own end
    vars(atexit)["_run_exitfuncs"]()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status & 0xFF)


def _run(arguments: list[str]) -> None:
    """Run a module or a script, as `python3 -u` does."""
    match arguments:
        case ["-u", "-m", module, *rest] | ["-m", module, *rest]:
            sys.argv[:] = [module, *rest]
            sys.path.insert(0, str(Path.cwd()))
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case ["-u", script, *rest] | [script, *rest] if not script.startswith("-"):
            sys.argv[:] = [script, *rest]
            sys.path.insert(0, str(Path(script).resolve().parent))
            runpy.run_path(script, run_name="__main__")
        case _:
            os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606 - ours


if __name__ == "__main__":
    main(sys.argv[1])
