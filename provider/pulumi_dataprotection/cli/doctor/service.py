"""The checks of the service: at most a handful of calls that read, each sent once."""

import os
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

import click

from pulumi_dataprotection import client
from pulumi_dataprotection.cli.doctor.checks import Check, Finding, failed, ok, skipped, warning
from pulumi_dataprotection.cli.doctor.settings import Sources
from pulumi_dataprotection.client import calls, errors
from pulumi_dataprotection.client.records import Installation

__all__ = ["SERVICE", "Service"]

_MAX_WAIT = 30.0
"""The seconds to wait for a slot of the call budget."""

_MAX_SKEW = 300.0
"""The seconds that two clocks may differ."""

_MAX_NAMES = 3
"""The number of organizations or tenants that a finding names."""

_PROXIES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")


@dataclass
class Service:
    """The facts about the service that its checks share.

    Attributes:
        sources: the sources of the settings.
        opened: the resources to close at the end.
        sender: a client without retries.
        outcome: the first page of operation 1, or the error of the call.
    """

    sources: Sources
    opened: ExitStack = field(default_factory=ExitStack)
    sender: client.Client = field(init=False)
    outcome: client.Listed[list[Installation]] | errors.DataProtectionError = field(init=False)

    @property
    def organizations(self) -> list[str]:
        """The organizations that the key is installed for."""
        return [installation.org_id for installation in self._installations if installation.org_id]

    @property
    def tenants(self) -> list[str]:
        """The tenants that it is installed for, without those of the organizations."""
        return [installation.tenant_id for installation in self._installations if installation.tenant_id]

    @property
    def _installations(self) -> list[Installation]:
        return [] if isinstance(self.outcome, errors.DataProtectionError) else self.outcome.items


class _Impatient(client.Clock):
    """The clock of the process, which rejects long waits for a slot of the call budget."""

    def __init__(self) -> None:
        super().__init__()
        clock = client.process_clock()
        self.monotonic, self.time, self._sleep = clock.monotonic, clock.time, clock.sleep

    def sleep(self, seconds: float, /) -> None:
        """Wait; raise CanceledError if the wait would take too long."""
        if seconds > _MAX_WAIT:
            raise errors.CanceledError(
                f"no call with this key may go out in the next {seconds:.0f} s: the service has asked for that (429), "
                "or callsPerSecond is that low"
            )
        self._sleep(seconds)


def _surroundings(service: Service) -> Finding:
    try:
        settings = service.sources.load()
    except errors.ConfigurationError:
        return skipped("depends on: other settings", 'See "other settings"')
    try:
        service.sender = client.Client(settings, clock=_Impatient(), max_attempts=1, show=partial(click.echo, err=True))
    except errors.ConfigurationError as error:
        names = ", ".join(name for name in (*_CERTIFICATES, *_PROXIES) if os.environ.get(name))
        return failed(str(error), f"Correct {names or 'what this machine sets for them'}")
    service.opened.callback(service.sender.close)
    if not settings.base_url.startswith("https:"):
        return ok("not used: plain http, on this machine")
    given = next((name for name in _CERTIFICATES if os.environ.get(name)), None)
    proxies = [name for name in _PROXIES if os.environ.get(name)]
    return ok(
        f"authorities from {given or 'the package certifi'}; {f'a proxy, from {proxies[0]}' if proxies else 'no proxy'}"
    )


def _budget(service: Service) -> Finding:
    try:
        file = service.sender.check_budget()
    except (OSError, RuntimeError) as error:
        return failed(
            f"its file cannot be used: {error}",
            "Make the file's folder one that is yours alone (mode 0700), or set XDG_CACHE_HOME to a folder for caches: "
            "without it, processes that use the key at the same time know nothing of each other's calls",
        )
    return ok(f"shared by all processes of this user, in {file.parent}")


def _connection(service: Service) -> Finding:
    try:
        service.outcome = service.sender.send_listing(calls.list_installations(), max_pages=1)
    except errors.DataProtectionError as error:
        service.outcome = error
    address = service.sender.settings.base_url
    match service.outcome:
        case errors.CanceledError() as failure:
            return failed(str(failure), "Wait so long, or raise callsPerSecond")
        case errors.TooManyRequestsError(attempts=0) as failure:
            return failed(failure.detail, "Wait until then")
        case (errors.NotSentError() | errors.OutcomeUnclearError()) as failure:
            if "CERTIFICATE_VERIFY_FAILED" in failure.detail:
                advice = (
                    "Look whether the host is the right one; where your company's network opens what is encrypted, "
                    "name its certificate authority with SSL_CERT_FILE"
                )
            else:
                _, source = service.sources.find("baseUrl")
                advice = f"Check the host and the port from {source}, and the way there: DNS, firewall, HTTPS_PROXY"
            return failed(failure.detail, advice)
        case _:
            trust = ", with a certificate that is trusted" if address.startswith("https:") else ""
            return ok(f"{address} answers{trust}")


def _interface(service: Service) -> Finding:
    match service.outcome:
        case errors.UnauthenticatedError() | errors.ForbiddenError() | client.Listed():
            return ok("answers as the interface describes")
        case errors.TooManyRequestsError() as error:
            return failed(_text(error), "Wait before the next call")
        case errors.ServiceError() as error:
            return failed(_text(error), "If it lasts, tell those who run the service")
        case error:
            _, source = service.sources.find("baseUrl")
            return failed(
                _text(error),
                f"Look whether the address from {source} is the service's, and whether a proxy or a login page answers "
                "in its place",
            )


def _authentication(service: Service) -> Finding:
    if isinstance(service.outcome, errors.UnauthenticatedError):
        source = service.sender.settings.key_source
        return failed(_text(service.outcome), f"Copy the key into {source} again, or have a new one issued")
    return ok("the service knows the key")


def _installations(service: Service) -> Finding:
    if isinstance(service.outcome, errors.DataProtectionError):
        return skipped("they cannot be read", 'See "permission to read"')
    organizations, tenants = service.organizations, service.tenants
    if not organizations and not tenants:
        return failed("the key is installed nowhere", "Install its application for an organization or a tenant")
    counts = [
        *(
            [f"{_count(len(organizations), 'organization')} as a whole ({_names(organizations)})"]
            if organizations
            else []
        ),
        *([f"{_count(len(tenants), 'tenant')} ({_names(tenants)})"] if tenants else []),
    ]
    more = "" if service.outcome.complete else ", and more"
    reach = (
        "" if organizations or more else "; Org and the functions of organizations need a key that is installed for one"
    )
    return ok(f"{' and '.join(counts)}{more}{reach}")


def _read(service: Service) -> Finding:
    advice = "Give the application of the key the permission to read, where it is installed"
    if isinstance(service.outcome, errors.DataProtectionError):
        return failed(_text(service.outcome), advice)
    try:
        if service.organizations:
            service.sender.send_listing(calls.list_orgs(service.organizations[0]), max_pages=1)
        elif service.tenants:
            if all(_is_gone(service, tenant_id) for tenant_id in service.tenants[:_MAX_NAMES]):
                return skipped("the tenants that the key is installed for are deleted", 'See "installations"')
        else:
            return skipped("there is nothing to read", 'See "installations"')
    except errors.DataProtectionError as error:
        return failed(_text(error), advice if isinstance(error, errors.ForbiddenError) else "Try again later")
    return ok("given")


def _is_gone(service: Service, tenant_id: str) -> bool:
    try:
        return service.sender.send(calls.get_tenant(tenant_id)).deleted
    except errors.NotFoundError:
        return True


def _billing(service: Service) -> Finding:
    if not service.organizations:
        return skipped(
            "subscriptions are an organization's, and the key is installed for tenants only", "Nothing to do"
        )
    try:
        service.sender.send_listing(calls.list_subscriptions(service.organizations[0]), max_pages=1)
    except errors.ForbiddenError as error:
        return warning(_text(error), "Nothing to do, unless you look up subscriptions: only that needs it")
    except errors.DataProtectionError as error:
        return failed(_text(error), "Try again later")
    return ok("given")


def _write(_: Service) -> Finding:
    return skipped("only a write tells", "For previews, use a key that cannot write")


def _clock(service: Service) -> Finding:
    skew = service.sender.clock_skew
    if skew is None:
        return skipped("the service does not tell its time", "Nothing to do")
    if abs(skew) <= _MAX_SKEW:
        return ok(f"within {_MAX_SKEW / 60:g} minutes of the service's")
    direction = "behind" if skew > 0 else "ahead of"
    return warning(
        f"{abs(skew) / 60:.0f} minutes {direction} the service's",
        "Set the clock of this machine (NTP): periods that you ask for, and waits that the service asks for, are wrong",
    )


def _text(error: errors.DataProtectionError) -> str:
    return error.detail if isinstance(error, errors.CallError) else str(error)


def _names(ids: list[str]) -> str:
    return ", ".join(ids[:_MAX_NAMES]) + (", …" if len(ids) > _MAX_NAMES else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


SERVICE = (
    Check("certificates and proxy", _surroundings, needs=["API key", "base URL"]),
    Check("call budget", _budget, needs=["certificates and proxy"]),
    Check("connection", _connection, needs=["certificates and proxy"]),
    Check("service", _interface, needs=["connection"]),
    Check("authentication", _authentication, needs=["service"]),
    Check("installations", _installations, needs=["authentication"]),
    Check("permission to read", _read, needs=["authentication"]),
    Check("permission to read billing", _billing, needs=["permission to read"]),
    Check("permission to write", _write),
    Check("clock", _clock, needs=["connection"]),
)
"""The checks, in order."""
