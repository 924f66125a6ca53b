"""The proxy of the environment, and the hosts that are reached without it."""

import ipaddress
import os
import re
from dataclasses import dataclass
from typing import NoReturn
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client.errors import ConfigurationError

__all__ = ["Proxy", "find_proxy"]

_PORTS = {"http": 80, "https": 443}
_MAX_PORT = 65_535
_ADDRESS = re.compile(
    r"((?P<name>([0-9a-z_-]{1,63}\.)*[0-9a-z_-]{1,63}\.?)|\[(?P<literal>[0-9a-f:.]+)\])(:(?P<port>[0-9]{1,5}))?/?"
)


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy.

    Attributes:
        encrypted: whether the connection to the proxy is encrypted.
        host: its host.
        port: its port.
        credentials: the user and the password; None without them.
        source: the variable that names it, for messages.
    """

    encrypted: bool
    host: str
    port: int
    credentials: tuple[str, str] | None
    source: str

    def __str__(self) -> str:
        """Return the proxy as messages name it, without its password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.encrypted else 'http'}://{host}:{self.port} from {self.source}"

    __repr__ = __str__


def find_proxy(base_url: str) -> Proxy | None:
    """Find the proxy for a service that is reached over https; None if it is reached without one.

    Lower case wins over upper case, and HTTPS_PROXY over ALL_PROXY. An entry of NO_PROXY is `*`, a host with all hosts
    below it, an address, or a range of addresses as 10.0.0.0/8; a port and a scheme may stand with it.

    Raises:
        ConfigurationError: A variable cannot be used; the text names the variable and the entry.
    """
    found = getproxies()
    text = (found.get("https") or found.get("all") or "").strip()
    url = urlsplit(base_url)
    if not text or url.scheme != "https" or _is_exempt(url, found.get("no", "")):
        return None
    return _parse(text, _name_of({"https_proxy", "all_proxy"}, text))


def _parse(text: str, source: str) -> Proxy:
    scheme, mark, rest = text.rpartition("://")
    # A password may stand before the host.
    credentials, _, address = rest.rpartition("@")
    entry = f"{scheme}{mark}{address}"
    scheme = scheme.lower() if mark else "http"
    if scheme.startswith("socks"):
        _refuse(source, entry, "a SOCKS proxy is not supported. Name an HTTP proxy, as in http://proxy.example:3128")
    host, port = _split(address.lower())
    if scheme not in _PORTS or not host:
        _refuse(source, entry, "it is not a proxy. Write it as http://proxy.example:3128")
    user, _, password = credentials.partition(":")
    return Proxy(
        encrypted=scheme == "https",
        host=host,
        port=port or _PORTS[scheme],
        credentials=(unquote(user), unquote(password)) if credentials else None,
        source=source,
    )


def _is_exempt(url: SplitResult, no_proxy: str) -> bool:
    return any(_matches(entry, url) for entry in re.split(r"[,\s]+", no_proxy) if entry)


def _matches(entry: str, url: SplitResult) -> bool:
    if entry == "*":
        return True
    scheme, _, address = entry.lower().rpartition("://")
    name, port = (address, None) if _is_range(address) else _split(address.removeprefix("*").lstrip("."))
    if not name:
        _refuse(_name_of({"no_proxy"}), entry, "it is not a host, an address or a range of addresses")
    of_scheme_and_port = scheme in {"", "all", "https"} and port in {None, url.port or 443}
    return of_scheme_and_port and _is_among(url.hostname or "", name)


def _is_among(host: str, name: str) -> bool:
    if _is_range(host):
        return _is_range(name) and ipaddress.ip_address(host) in ipaddress.ip_network(name, strict=False)
    return host == name or host.endswith(f".{name}")


def _is_range(text: str) -> bool:
    """Return whether a text is an address or a range of addresses."""
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _split(address: str) -> tuple[str, int | None]:
    """Return a host and its port; an empty host if the text is not the address of a host."""
    found = _ADDRESS.fullmatch(address)
    if found is None or not int(found["port"] or 1) <= _MAX_PORT:
        return "", None
    return found["name"] or found["literal"], int(found["port"]) if found["port"] else None


def _name_of(names: set[str], text: str = "") -> str:
    """Return the variable with one of these names, and with this value if it is given.

    The settings of the system count on some systems if no variable is set.
    """
    found = [name for name in os.environ if name.lower() in names and text in os.environ[name]]
    return min(found, key=str.isupper, default="the settings of this system")


def _refuse(source: str, entry: str, cause: str) -> NoReturn:
    raise ConfigurationError(f'{source} has the entry "{printable(entry)}", which cannot be used: {cause}')
