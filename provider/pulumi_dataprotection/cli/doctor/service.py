"""The checks of the way to the service and of its answers: at most a handful of calls that read, each sent once."""

import os
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

import click

from pulumi_dataprotection import client
from pulumi_dataprotection.cli.doctor.checks import Check, Finding, depends_on, failed, ok, skipped, warning
from pulumi_dataprotection.cli.doctor.settings import Sources
from pulumi_dataprotection.client import calls, errors
from pulumi_dataprotection.core.outcomes import detail_of

__all__ = ["CLOCK", "SERVICE", "Service"]

_MAX_WAIT = 30.0
"""The seconds to wait for a slot of the call budget."""

_MAX_SKEW = 300.0
"""The seconds that two clocks may differ."""

_PROXIES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")


@dataclass
class Service:
    """The facts about the service that its checks share.

    Attributes:
        sources: the sources of the settings.
        opened: the resources to close at the end.
        sender: a client without retries.
        error: the error of operation 1, if the call failed.
        organizations: the organizations that the key is installed for, on the first page of operation 1.
        tenants: the tenants that it is installed for, without those of the organizations.
        is_complete: whether there are no more pages.
    """

    sources: Sources
    opened: ExitStack = field(default_factory=ExitStack)
    sender: client.Client = field(init=False)
    error: errors.DataProtectionError | None = None
    organizations: list[str] = field(default_factory=list[str])
    tenants: list[str] = field(default_factory=list[str])
    is_complete: bool = True


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
        return depends_on("other settings")
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
        listed = service.sender.send_listing(calls.list_installations(), max_pages=1)
    except errors.DataProtectionError as error:
        service.error = error
    else:
        service.organizations = [installation.org_id for installation in listed.items if installation.org_id]
        service.tenants = [installation.tenant_id for installation in listed.items if installation.tenant_id]
        service.is_complete = listed.complete
    match service.error:
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
            address = service.sender.settings.base_url
            trust = ", with a certificate that is trusted" if address.startswith("https:") else ""
            return ok(f"{address} answers{trust}")


def _interface(service: Service) -> Finding:
    match service.error:
        case None | errors.UnauthenticatedError() | errors.ForbiddenError():
            return ok("answers as the interface describes")
        case errors.TooManyRequestsError() as error:
            return failed(detail_of(error), "Wait before the next call")
        case errors.ServiceError() as error:
            return failed(detail_of(error), "If it lasts, tell those who run the service")
        case error:
            _, source = service.sources.find("baseUrl")
            return failed(
                detail_of(error),
                f"Look whether the address from {source} is the service's, and whether a proxy or a login page answers "
                "in its place",
            )


def _authentication(service: Service) -> Finding:
    if isinstance(service.error, errors.UnauthenticatedError):
        source = service.sender.settings.key_source
        return failed(detail_of(service.error), f"Copy the key into {source} again, or have a new one issued")
    return ok("the service knows the key")


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


SERVICE = (
    Check("certificates and proxy", _surroundings, needs=["API key", "base URL"]),
    Check("call budget", _budget, needs=["certificates and proxy"]),
    Check("connection", _connection, needs=["certificates and proxy"]),
    Check("service", _interface, needs=["connection"]),
    Check("authentication", _authentication, needs=["service"]),
)
"""The checks, in order."""

CLOCK = Check("clock", _clock, needs=["connection"])
"""The last check."""
