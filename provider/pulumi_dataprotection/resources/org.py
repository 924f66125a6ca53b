"""Organizations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pulumi
from pulumi.dynamic import CheckFailure, CheckResult, CreateResult, DiffResult, ReadResult, UpdateResult

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.messages import declared_twice
from pulumi_dataprotection.core.orgs import create_org, plan_org
from pulumi_dataprotection.core.outcomes import PurposeError
from pulumi_dataprotection.core.session import Context
from pulumi_dataprotection.resources._provider import (
    SCHEMA,
    Properties,
    Provider,
    inputs_among,
    is_managed,
    is_unknown,
    optional_str,
    report_errors,
    text_failures,
    without_provider,
)
from pulumi_dataprotection.resources._resource import DeclaredResource
from pulumi_dataprotection.resources._sdk import info, warn

__all__ = ["Org", "OrgProvider"]

_INPUTS = ("external_id", "name", "parent_org_id", "admin_email", "profile")
_REQUIRED = ("external_id", "name")
_FIXED = {
    "external_id": "declare another resource for another organization",
    "name": "write that name in the program, or rename it in the portal and run `pulumi refresh`",
    "parent_org_id": "declare another resource for an organization elsewhere",
    "admin_email": 'only the creation uses it: write the old address, or set ignore_changes=["admin_email"]',
}


class OrgProvider(Provider):
    """Creates and reads organizations; the interface can neither change nor delete one."""

    @report_errors
    def check(self, _olds: Properties, news: Properties) -> CheckResult:
        """Find in a preview what `up` would fail on."""
        olds, inputs = without_provider(_olds), without_provider(news)
        self.begin_check(olds, inputs)
        failures = [
            *text_failures(
                inputs,
                required=_REQUIRED,
                optional=("parent_org_id", "admin_email", "profile"),
            )
        ]
        if olds and "parent_org_id" not in inputs and "parent_org_id" in olds:
            inputs["parent_org_id"] = olds["parent_org_id"]
        if not failures and not olds and (name := optional_str(inputs, "name")) and name != name.strip():
            # A service that leaves blanks out would answer with another name, after the invitation was sent.
            failures = [CheckFailure("name", "must not begin or end with a blank")]
        failures = failures or [*_changes_that_cannot_be(olds, inputs)]
        if not failures and self.online:
            failures = [*_conflicts(self.context(inputs), inputs, new=not olds)]
        return CheckResult(inputs, failures)

    @report_errors
    def diff(self, _id: str, _olds: Properties, _news: Properties) -> DiffResult:
        """Let the engine compare, except what is only written in another way."""
        olds, inputs = self.stored(_id, _olds), without_provider(_news)
        self.begin_diff(inputs)
        same = all(_means_the_same(name, olds.get(name), inputs.get(name)) for name in _INPUTS)
        return DiffResult(changes=False if same else None)

    @report_errors
    def create(self, props: Properties) -> CreateResult:
        """Take over the organization with this external id, or create it."""
        inputs = without_provider(props)
        context = self.context(inputs)
        parent_org_id = optional_str(inputs, "parent_org_id") or context.account.home_org_id()
        name, external_id = str(inputs["name"]), str(inputs["external_id"])
        _, other = context.registry.declare(context.urn, "org", parent_org_id, external_id)
        if other:
            raise errors.DataProtectionError(declared_twice(f'"{printable(external_id)}"', other))
        try:
            org, invitation_url = create_org(
                context.account,
                parent_org_id=parent_org_id,
                external_id=external_id,
                name=name,
                admin_email=optional_str(inputs, "admin_email"),
            )
        except errors.DataProtectionError as error:
            raise PurposeError(
                f'cannot create the organization "{printable(name)}" with the external_id "{printable(external_id)}"',
                error,
            ) from error
        computed = {"parent_org_id": parent_org_id, "invitation_url": invitation_url}
        return CreateResult(org.id, _state(org, {**inputs, **computed}))

    @report_errors
    def read(self, id_: str, props: Properties) -> ReadResult:
        """Read the organization as it is now."""
        state = self.stored(id_, props)
        account = self.account(state)
        if is_managed(props):
            org = account.org(id_)
            if org is None:
                return ReadResult("", {})
        else:
            org = account.send(client.calls.get_org(id_))
        outs = _state(org, state)
        return ReadResult(id_, outs, inputs_among(outs, _INPUTS))

    @report_errors
    def update(self, _id: str, _olds: Properties, _news: Properties) -> UpdateResult:
        """Keep the new spelling of what did not really change."""
        olds = self.stored(_id, _olds)
        # The only argument that can go away: what is not in the new ones is not wanted any more.
        olds.pop("profile", None)
        return UpdateResult({**olds, **without_provider(_news), "schema_version": SCHEMA})

    @report_errors
    def delete(self, _id: str, _props: Properties) -> None:
        """Forget the organization."""
        # A deletion needs no key.
        with suppress(errors.ConfigurationError):
            if self.is_forced(self.context(without_provider(_props))):
                warn("A forced replacement loses the invitation_url: do not use --replace or `pulumi state taint`.")
                return
        name = optional_str(without_provider(_props), "name")
        label = f'"{printable(name)}" ({printable(_id)})' if name else printable(_id)
        warn(
            f"The organization {label} stays in the service, if it was not deleted in the portal: there is no "
            "operation for that, and Pulumi only forgets it."
        )


def _conflicts(context: Context, inputs: Properties, *, new: bool) -> Iterator[CheckFailure]:
    """Find the parent, and what stands in the way of an organization below it."""
    if new and inputs.get("parent_org_id") is None:
        try:
            inputs["parent_org_id"] = context.account.home_org_id()
        except errors.UnresolvedReferenceError as error:
            yield CheckFailure("parent_org_id", str(error))
            return
    parent_org_id, external_id, name = (
        optional_str(inputs, property_) for property_ in ("parent_org_id", "external_id", "name")
    )
    if parent_org_id and external_id:
        _, other = context.registry.declare(context.urn, "org", parent_org_id, external_id)
        if other:
            yield CheckFailure("external_id", declared_twice(f'"{printable(external_id)}"', other))
        if new and name:
            invites = inputs.get("admin_email") is not None
            yield from _preview(context.account, parent_org_id, external_id, name, invites=invites)


def _preview(
    account: client.Account, parent_org_id: str, external_id: str, name: str, *, invites: bool
) -> Iterator[CheckFailure]:
    """Report whether an `up` creates the organization or adopts it, or find what stands in the way.

    The name may be a secret, which the provider does not know.
    """
    try:
        siblings = account.children(parent_org_id)
    except errors.UnresolvedReferenceError as error:
        yield CheckFailure("parent_org_id", str(error))
        return
    except errors.NotFoundError as error:
        yield CheckFailure("parent_org_id", error.detail)
        return
    plan = plan_org(external_id, name, siblings)
    if plan.action == "refuse":
        conflict = plan.org and plan.org.external_id == external_id
        yield CheckFailure("name" if conflict else "external_id", plan.reason)
    elif plan.org:
        info(f"1 to adopt: the organization {printable(plan.org.id)} has this external_id already.")
    else:
        invited = "an invitation goes to its admin_email" if invites else "nobody is invited, without an admin_email"
        info(f"1 to create: an organization; {invited}.")


def _state(org: client.records.Org, known: Properties) -> Properties:
    """Map an organization to its outputs; what the service does not tell again is carried on."""
    name = known.get("name")
    return {
        **known,
        "external_id": org.external_id,
        # A service that stores another Unicode form of the same text did not rename anything.
        "name": name if isinstance(name, str) and client.same_text(name, org.name) else org.name,
        "kind": org.kind,
        "schema_version": SCHEMA,
    }


def _changes_that_cannot_be(olds: Properties, inputs: Properties) -> Iterator[CheckFailure]:
    if not olds:
        return
    for name, advice in _FIXED.items():
        old, new = olds.get(name), inputs.get(name)
        # A state without a name does not say that the name was another.
        unsaid = old is None and name in _REQUIRED
        if unsaid or is_unknown(new) or _means_the_same(name, old, new):
            continue
        # An address may be a secret, and nobody needs to read it here.
        was = ("another address" if name == "admin_email" else f'"{printable(old)}"') if old else "empty"
        yield CheckFailure(name, f"cannot be changed, the service has no operation for it; it is {was}: {advice}")


def _means_the_same(name: str, old: object, new: object) -> bool:
    if not isinstance(old, str) or not isinstance(new, str):
        return old == new
    if name == "admin_email":
        return old.strip().casefold() == new.strip().casefold()
    return client.same_text(old, new) if name == "name" else old == new


class Org(DeclaredResource, module="dataprotection", name="Org"):
    """An organization below another organization.

    Its identity is `external_id`: an existing organization with this id is adopted, and none is created twice. The
    service can neither change nor delete an organization: a changed argument fails in the preview, and destroying
    the resource does not change the organization.

    Example:
        ```python
        import pulumi
        from pulumi_dataprotection import Org

        customer = Org("contoso", external_id="crm-1042", name="Contoso", admin_email="it@contoso.example")
        pulumi.export("contoso", customer.id)
        ```

    Args:
        resource_name: the name in the program.
        external_id: identity in a system of yours; never changes.
        name: the organization's name.
        parent_org_id: the organization above it; by default the organization that the key is installed for.
        admin_email: an invitation is sent there, once, when the organization is created.
        profile: the profile of the config whose key is used.
        opts: the usual options of a resource.
    """

    provider_class = OrgProvider
    outputs = (*_INPUTS, "kind", "invitation_url")
    secret_outputs = ("invitation_url",)

    external_id: pulumi.Output[str]
    name: pulumi.Output[str]
    kind: pulumi.Output[str | None]
    """The kind that the service gave it: distributor, msp or basic."""
    parent_org_id: pulumi.Output[str | None]
    admin_email: pulumi.Output[str | None]
    invitation_url: pulumi.Output[str | None]
    """Makes the invited person the administrator; secret, and only given when this resource created it."""

    def __init__(
        self,
        resource_name: str,
        *,
        external_id: pulumi.Input[str],
        name: pulumi.Input[str],
        parent_org_id: pulumi.Input[str] | None = None,
        admin_email: pulumi.Input[str] | None = None,
        profile: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        inputs: dict[str, object] = {
            "external_id": external_id,
            "name": name,
            "parent_org_id": parent_org_id,
            "admin_email": admin_email,
            "profile": profile,
        }
        super().__init__(resource_name, inputs, opts)
