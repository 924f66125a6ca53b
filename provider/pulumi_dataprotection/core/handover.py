"""A private file through which a program informs the provider's process: its declarations, and its service.

Program and provider are two processes. The engine asks a provider only about resources that it processes: not about
those that `--target` and `--exclude` skip, and not about those of a second provider. The file closes that gap. Both
processes know the address of the engine, which names the file. The program's process locks it as long as it runs: the
system gives the number of a killed process, and the port of its engine, to other processes.
"""

from __future__ import annotations

import functools
import json
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from threading import RLock

from filelock import FileLock, Timeout

from pulumi_dataprotection import client

__all__ = ["Declaration", "Handover", "HandoverFile", "read_handover"]


@dataclass(frozen=True, slots=True)
class Declaration:
    """A resource that a program declares, and the items that it names.

    Attributes:
        name: the name in the program.
        urn: the URN; empty if the engine did not return it.
        tenant_id: the tenant; None if it is unknown.
        references: ids, external ids and names of items; None if they are unknown.
    """

    name: str
    urn: str
    tenant_id: str | None
    references: Collection[str] | None


@dataclass(frozen=True)  # Without slots, for the index.
class Handover:
    """The content of the file.

    Attributes:
        complete: whether the program has declared all its resources.
        declarations: these resources.
        salt: random text.
        services: hashes of the services that functions of the program read from, by profile.
        preview: whether the program runs for a preview.
    """

    complete: bool = False
    declarations: Collection[Declaration] = ()
    salt: str = ""
    services: Mapping[str, Collection[str]] = field(default_factory=dict[str, Collection[str]])
    preview: bool = False

    def contradicts(self, profile: str | None, settings: client.Settings) -> bool:
        """Return whether functions of the program read from another service, or with another key."""
        services = self.services.get(profile or "")
        return services is not None and _service(self.salt, settings) not in services

    def has_urn(self, urn: str) -> bool:
        """Return whether the program declares the resource with this URN."""
        return any(declaration.urn == urn for declaration in self.declarations)

    def in_tenant(self, tenant_id: str) -> list[Declaration]:
        """Return the declarations that can name an item of a tenant."""
        return [declaration for declaration in self.declarations if declaration.tenant_id in {None, tenant_id}]

    def declared_by(self, tenant_id: str, references: Collection[str]) -> str | None:
        """Return the name of the resource that has one of some references; None if no resource has.

        A resource whose references are unknown may have any.
        """
        for reference in references:
            for tenant in (tenant_id, None):
                if name := self._names.get((tenant, client.folded(reference))):
                    return name
        unknown = (declaration for declaration in self.in_tenant(tenant_id) if declaration.references is None)
        return next((declaration.name for declaration in unknown), None)

    @functools.cached_property
    def _names(self) -> Mapping[tuple[str | None, str], str]:
        return {
            (declaration.tenant_id, client.folded(reference)): declaration.name
            for declaration in self.declarations
            for reference in declaration.references or ()
        }


class HandoverFile:
    """The writing side of the file, in the program's process; safe to use from several threads.

    Args:
        address: the address of the engine.
        preview: whether the program runs for a preview.

    Attributes:
        path: the file.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, address: str, *, preview: bool = False) -> None:
        folder = client.private_folder()
        for old in folder.glob("*.program"):
            if not _is_in_use(old):
                old.unlink(missing_ok=True)
        self.path = folder / f"{_stem(address)}.{secrets.token_hex(8)}.program"
        self._in_use = FileLock(_lock_path(self.path), mode=0o600, thread_local=False)
        self._in_use.acquire(timeout=0)
        self._lock = RLock()  # A search for garbage may remove the file.
        self._content = Handover(salt=secrets.token_hex(16), preview=preview)
        self._write(self._content)

    def add_service(self, profile: str | None, settings: client.Settings) -> None:
        """Add the service that a function of the program reads from."""
        name, service = profile or "", _service(self._content.salt, settings)
        with self._lock:
            known = self._content.services.get(name, ())
            if service not in known:
                services = {**self._content.services, name: [*known, service]}
                self._write(replace(self._content, services=services))

    def declare(self, declarations: Iterable[Declaration], *, complete: bool = False) -> None:
        """Set the declarations: those until now, or those of the complete program."""
        with self._lock:
            self._write(replace(self._content, complete=complete, declarations=[*declarations]))

    def remove(self) -> None:
        """Remove the file; nothing writes it any more."""
        with self._lock:
            self.path.unlink(missing_ok=True)
            self._in_use.release()
            _lock_path(self.path).unlink(missing_ok=True)

    def _write(self, content: Handover) -> None:
        self._content = content
        if not self._in_use.is_locked:
            return
        new = self.path.with_suffix(".new")
        with open(new, "w", encoding="utf-8", opener=client.open_privately) as file:
            # asdict and json.dump take ten times as long, for a set with thousands of members.
            file.write(json.dumps(content, default=_fields_of))
        # A reader sees the old content or the new content, never a part.
        new.replace(self.path)


def read_handover(address: str) -> Handover | None:
    """Return the content of the file, in the provider's process; None if no program runs that writes one.

    Args:
        address: the address of the engine.
    """
    try:
        files = client.private_folder().glob(f"{_stem(address)}.*.program")
        found = [(path.stat().st_mtime_ns, path) for path in files if _was_in_use(path)]
        # A process that runs programs in sequence may still have the file of an earlier program.
        return _parse(*max(found)) if found else None
    except OSError:
        # The program has just ended, or could not write the file either, and has warned.
        return None


@functools.lru_cache(maxsize=1)
def _parse(_changed_at: int, path: Path) -> Handover:
    content = json.loads(path.read_text("utf-8"))
    declarations = [Declaration(**declaration) for declaration in content["declarations"]]
    return Handover(content["complete"], declarations, content["salt"], content["services"], content["preview"])


def _fields_of(content: Handover | Declaration) -> dict[str, object]:
    return {field.name: getattr(content, field.name) for field in fields(content)}


def _service(salt: str, settings: client.Settings) -> str:
    return sha256(f"{salt}\n{settings.base_url}\n{settings.api_key}".encode()).hexdigest()


def _stem(address: str) -> str:
    return sha256(address.encode()).hexdigest()[:32]


def _lock_path(path: Path) -> Path:
    return path.with_suffix(".lock")


@functools.lru_cache(maxsize=8)
def _was_in_use(path: Path) -> bool:
    """Return whether the process that wrote a file ran at the first look: when a program is killed, its engine ends."""
    return _is_in_use(path)


def _is_in_use(path: Path) -> bool:
    """Return whether the process that wrote a file still runs."""
    if not _lock_path(path).exists():
        return False
    try:
        with FileLock(_lock_path(path), mode=0o600, thread_local=False).acquire(timeout=0):
            _lock_path(path).unlink(missing_ok=True)
            return False
    except Timeout:
        return True
