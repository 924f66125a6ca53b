"""The settings of a client: their sources, and their allowed values."""

import ipaddress
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast, get_args
from urllib.parse import urlsplit

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client.errors import ConfigurationError

__all__ = [
    "OPTIONS",
    "LicenceCheck",
    "Option",
    "Settings",
    "find_setting",
    "load_licence_check",
    "load_preview_checks",
    "load_settings",
]

LicenceCheck = Literal["warn", "fail", "off"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The address of the service, and the load that the client may put on it.

    Attributes:
        api_key: the application's key; never shown.
        base_url: scheme, host and whatever stands before `/api/v1`; no trailing slash.
        key_source: the source of the key, as error texts name it.
        calls_per_second: the call budget of the key; 0 for no limit of our own.
        concurrency: calls in flight at a time.
        page_size: items asked for in a page.
        request_timeout: seconds for one attempt, up to the end of the answer.
        read_lag: seconds that the service's reads may lag behind its writes.
    """

    api_key: str = field(repr=False)
    base_url: str
    key_source: str = "the program"
    calls_per_second: float = 10
    concurrency: int = 4
    page_size: int = 500
    request_timeout: float = 30
    read_lag: float = 5

    def __post_init__(self) -> None:
        object.__setattr__(self, "api_key", _checked_key(self.api_key, self.key_source))
        object.__setattr__(self, "base_url", _checked_url(self.base_url))


@dataclass(frozen=True, slots=True)
class Option:
    """One setting: its key in the namespace `dataprotection`, and the variable that wins over it."""

    key: str
    variable: str
    default: str
    meaning: str


OPTIONS = (
    Option("apiKey", "DATAPROTECTION_API_KEY", "required", "the application's key (secret)"),
    Option("baseUrl", "DATAPROTECTION_BASE_URL", "required", "https; http only for loopback addresses"),
    Option("profiles", "DATAPROTECTION_PROFILES", "none", "`{name: {apiKey, baseUrl}}` as JSON (secret)"),
    Option(
        "callsPerSecond",
        "DATAPROTECTION_CALLS_PER_SECOND",
        "10",
        "call budget per key, shared by all processes of this machine; 0 = no limit of our own",
    ),
    Option("concurrency", "DATAPROTECTION_CONCURRENCY", "4", "calls in flight per process"),
    Option("pageSize", "DATAPROTECTION_PAGE_SIZE", "500", "items asked for in a page"),
    Option(
        "requestTimeout", "DATAPROTECTION_REQUEST_TIMEOUT", "30", "seconds for one attempt, up to the end of the answer"
    ),
    Option("readLag", "DATAPROTECTION_READ_LAG", "5", "seconds after which a read shows each write for certain"),
    Option(
        "previewChecks",
        "DATAPROTECTION_PREVIEW_CHECKS",
        "true",
        "`false`: check and diff stay offline, and `get_resources` has no witness",
    ),
    Option(
        "licenceCheck",
        "DATAPROTECTION_LICENCE_CHECK",
        "warn",
        "a preview with too few free licences: `warn`, `fail`, or `off`",
    ),
)
_OPTIONS = {option.key: option for option in OPTIONS}

_HOST = re.compile(r"([\w-]{1,63}\.)*[\w-]{1,63}\.?|[0-9a-f.]*:[0-9a-f:.]+")


def load_settings(
    config: Callable[[str], str | None], environ: Mapping[str, str], profile: str | None = None
) -> Settings:
    """Find the settings: an environment variable first, then the stack's config, then the default.

    Args:
        config: reads a key of the namespace `dataprotection` from the stack's config.
        environ: the environment; a blank variable counts as not set.
        profile: the entry of `profiles` to take the key and the base URL from.

    Raises:
        ConfigurationError: a setting is missing or cannot be used.
    """

    def find(key: str) -> tuple[str | None, str]:
        return find_setting(key, config, environ, profile)

    (api_key, key_source), (base_url, _) = find("apiKey"), find("baseUrl")
    return Settings(
        api_key=_required(api_key, "apiKey"),
        base_url=_required(base_url, "baseUrl"),
        key_source=key_source,
        calls_per_second=_number(*find("callsPerSecond"), default=10, least=0),
        concurrency=_whole_number(*find("concurrency"), default=4),
        page_size=_whole_number(*find("pageSize"), default=500),
        request_timeout=_number(*find("requestTimeout"), default=30, least=0.001),
        read_lag=_number(*find("readLag"), default=5, least=0),
    )


def load_preview_checks(config: Callable[[str], str | None], environ: Mapping[str, str]) -> bool:
    """Whether check and diff may read from the service; found as the other settings are, and without a key.

    Raises:
        ConfigurationError: it is neither true nor false.
    """
    text, source = find_setting("previewChecks", config, environ)
    value = (text or "true").strip().lower()
    if value not in {"true", "false"}:
        raise ConfigurationError(f"{source} is {text!r}, and must be true or false")
    return value == "true"


def load_licence_check(config: Callable[[str], str | None], environ: Mapping[str, str]) -> LicenceCheck:
    """Return what a preview does about too few free licences; found as the other settings are, and without a key.

    Raises:
        ConfigurationError: it is none of the choices.
    """
    text, source = find_setting("licenceCheck", config, environ)
    value, choices = (text or "warn").strip().lower(), get_args(LicenceCheck)
    if value not in choices:
        raise ConfigurationError(f"{source} is {text!r}, and must be one of: {', '.join(choices)}")
    return cast("LicenceCheck", value)


def find_setting(
    key: str, config: Callable[[str], str | None], environ: Mapping[str, str], profile: str | None = None
) -> tuple[str | None, str]:
    """Find the text of one setting: an environment variable first, then the stack's config.

    Args:
        key: one of `OPTIONS`.
        config: reads a key of the namespace `dataprotection` from the stack's config.
        environ: the environment; a blank variable counts as not set.
        profile: the entry of `profiles` that the key and the base URL are taken from.

    Returns:
        Its text, or None; and its source, as error texts name it.

    Raises:
        ConfigurationError: The profile does not exist.
    """
    if profile is not None and key in {"apiKey", "baseUrl"}:
        text, source = find_setting("profiles", config, environ)
        return _profile(text, source, profile)[key], f"the profile {profile!r} in {source}"
    option = _OPTIONS[key]
    if (value := environ.get(option.variable, "")).strip():
        return value, option.variable
    value = config(key) or ""
    return (value if value.strip() else None), f"the config key dataprotection:{key}"


def _required(value: str | None, key: str) -> str:
    if value is None:
        secret = "--secret " if key == "apiKey" else ""
        raise ConfigurationError(
            f"no {key}: set the environment variable {_OPTIONS[key].variable}, "
            f"or run `pulumi config set {secret}dataprotection:{key}`; a preview without look-ups needs none where "
            "previewChecks is false"
        )
    return value


def _profile(text: str | None, source: str, name: str) -> dict[str, str]:
    if text is None:
        raise ConfigurationError(
            f"profile {name!r} does not exist, because no profiles are set: set DATAPROTECTION_PROFILES, or run "
            "`pulumi config set --secret --path dataprotection:profiles.NAME.apiKey` and the same for baseUrl"
        )
    try:
        profiles: object = json.loads(text)
    except (ValueError, RecursionError):
        # No cause, no value: the text holds keys.
        raise ConfigurationError(f"{source} is not JSON") from None
    entries = cast("dict[str, object]", profiles) if isinstance(profiles, dict) else {}
    if name not in entries:
        known = ", ".join(map(printable, sorted(entries))) or "none"
        raise ConfigurationError(f"no profile {name!r} in {source}; there are: {known}")
    entry = entries[name]
    values = cast("dict[str, object]", entry) if isinstance(entry, dict) else {}
    api_key, base_url = values.get("apiKey"), values.get("baseUrl")
    if not isinstance(api_key, str) or not isinstance(base_url, str):
        raise ConfigurationError(f"profile {name!r} in {source} needs apiKey and baseUrl, both text")
    return {"apiKey": api_key, "baseUrl": base_url}


def _number(text: str | None, source: str, *, default: float, least: float) -> float:
    if text is None:
        return default
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number < float("inf"):
        raise ConfigurationError(f"{source} is {text!r}, and must be a number of at least {least}")
    return number


def _whole_number(text: str | None, source: str, *, default: int) -> int:
    number = _number(text, source, default=default, least=1)
    if number % 1:
        raise ConfigurationError(f"{source} is {text!r}, and must be a whole number")
    return int(number)


def _checked_key(api_key: str, source: str) -> str:
    stripped = api_key.strip()
    if not stripped:
        raise ConfigurationError(f"the API key from {source} is empty")
    for position, character in enumerate(stripped, start=1):
        if not "!" <= character <= "~":
            raise ConfigurationError(
                f"the API key from {source} holds a character that no key has (U+{ord(character):04X}, "
                f"character {position} of {len(stripped)}): copy the key again"
            )
    return stripped


def _checked_url(base_url: str) -> str:
    text = base_url.strip()
    # A password may stand before the host, even in a URL that is otherwise wrong.
    shown = text.rpartition("@")[2]
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - fails if the port is not a number
    except ValueError:
        raise ConfigurationError(f"the base URL {shown!r} has an impossible host or port") from None
    host = parts.hostname or ""
    if parts.scheme not in {"http", "https"} or not _HOST.fullmatch(host):
        raise ConfigurationError(f"the base URL {shown!r} needs a scheme and a host, as in https://api.example.com")
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigurationError(f"the base URL {parts.scheme}://{host} must hold no user, no query and no fragment")
    if parts.scheme == "http" and not _is_loopback(host):
        raise ConfigurationError(
            f"the base URL {text!r} would send the API key unencrypted: use https (http is for loopback addresses)"
        )
    path = parts.path.rstrip("/").removesuffix("/api/v1").rstrip("/")
    return f"{parts.scheme}://{parts.netloc.lower()}{path}"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
