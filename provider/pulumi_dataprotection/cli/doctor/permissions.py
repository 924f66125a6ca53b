"""The checks of the key: the places where it is installed, and its permissions."""

from pulumi_dataprotection.cli.doctor.checks import Check, Finding, failed, ok, skipped, warning
from pulumi_dataprotection.cli.doctor.service import Service
from pulumi_dataprotection.client import calls, errors
from pulumi_dataprotection.core.outcomes import detail_of

__all__ = ["PERMISSIONS"]

_MAX_NAMES = 3
"""The number of organizations or tenants that a finding names."""


def _installations(service: Service) -> Finding:
    if service.error:
        return skipped("they cannot be read", 'See "permission to read"')
    if not service.organizations and not service.tenants:
        return failed("the key is installed nowhere", "Install its application for an organization or a tenant")
    organizations = _listed(service.organizations, "organization", " as a whole")
    places = [place for place in (organizations, _listed(service.tenants, "tenant")) if place]
    more = "" if service.is_complete else ", and more"
    needed = "; Org and the functions of organizations need a key that is installed for one"
    return ok(f"{' and '.join(places)}{more}{'' if organizations or more else needed}")


def _listed(ids: list[str], noun: str, manner: str = "") -> str:
    names = ", ".join(ids[:_MAX_NAMES]) + (", …" if len(ids) > _MAX_NAMES else "")
    return f"{len(ids)} {noun}{'' if len(ids) == 1 else 's'}{manner} ({names})" if ids else ""


def _read(service: Service) -> Finding:
    advice = "Give the application of the key the permission to read, where it is installed"
    if service.error:
        return failed(detail_of(service.error), advice)
    try:
        if service.organizations:
            service.sender.send_listing(calls.list_orgs(service.organizations[0]), max_pages=1)
        elif not service.tenants:
            return skipped("there is nothing to read", 'See "installations"')
        elif all(_is_gone(service, tenant_id) for tenant_id in service.tenants[:_MAX_NAMES]):
            return skipped("the tenants that the key is installed for are deleted", 'See "installations"')
    except errors.DataProtectionError as error:
        return failed(detail_of(error), advice if isinstance(error, errors.ForbiddenError) else "Try again later")
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
        return warning(detail_of(error), "Nothing to do, unless you look up subscriptions: only that needs it")
    except errors.DataProtectionError as error:
        return failed(detail_of(error), "Try again later")
    return ok("given")


def _write(_: Service) -> Finding:
    return skipped("only a write tells", "For previews, use a key that cannot write")


PERMISSIONS = (
    Check("installations", _installations, needs=["authentication"]),
    Check("permission to read", _read, needs=["authentication"]),
    Check("permission to read billing", _billing, needs=["permission to read"]),
    Check("permission to write", _write),
)
"""The checks, in order."""
