"""The base of all providers: how they find the service, read properties, and report errors."""

from __future__ import annotations

import atexit
import functools
import gc
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import ClassVar, ParamSpec, TypeVar, cast
from urllib.parse import quote, unquote

import pulumi
from pulumi.dynamic import CheckFailure, CheckResult, Config, ConfigureRequest, ResourceProvider

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.messages import name_of
from pulumi_dataprotection.core.protection.plan import OnConflict
from pulumi_dataprotection.core.protection_set.inputs import text_problem
from pulumi_dataprotection.core.registry import Registry
from pulumi_dataprotection.core.session import Context, Session
from pulumi_dataprotection.resources._sdk import (
    PROVIDER,
    SECRET_INPUTS,
    engine_address,
    fail,
    listen_to_the_engine,
    operation,
    request_urn,
    secret_inputs,
    show_progress,
    shown,
    urn,
    warn,
)

__all__ = [
    "SCHEMA",
    "Properties",
    "Provider",
    "changes_in",
    "differing",
    "inputs_among",
    "is_managed",
    "is_unknown",
    "joined_id",
    "on_conflict",
    "optional_str",
    "report_errors",
    "split_id",
    "text_failures",
    "without_provider",
]

P = ParamSpec("P")
R = TypeVar("R")
Properties = dict[str, object]

_OF_GET = (PROVIDER, "profile")
_IN_PATHS = {"archive_id", "job_id", "parent_org_id", "tenant_id"}
"""The properties that are ids in the path of a request."""

_PRIVATE = {"admin_email"}
"""The properties whose values are not printed."""

_NEW_OBJECTS = 100_000
"""The number of new objects after which Python searches for garbage."""

SCHEMA = 2
"""The version of the outputs' shape, which each state names."""


@functools.cache
def _session() -> Session:
    """Return the session of this process."""
    session = Session(engine_address(), show_progress)
    atexit.register(session.close)
    return session


class Provider(ResourceProvider):
    """The base of a provider. The state stores its class; its instances hold nothing but the stack's config.

    Attributes:
        defaults: the values of properties that a state does not have.
        names_in_id: the properties that the parts of an id have, if a state does not have them.
    """

    # Nothing in the pickled provider is secret, and a secret provider would make each state larger and slower.
    serialize_as_secret_always = False

    defaults: ClassVar[Mapping[str, object]] = {}
    names_in_id: ClassVar[Sequence[str]] = ()

    _config: Config
    _opened: dict[str | None, tuple[client.Account, Registry]]

    def configure(self, req: ConfigureRequest) -> None:
        """Keep the stack's config; nothing is called before a resource needs it."""
        # Few objects of this process are garbage before its end. With Python's own threshold of 700 new objects, the
        # search for garbage takes a twentieth of a command with 10,000 members.
        gc.freeze()
        gc.set_threshold(_NEW_OBJECTS)
        self._config = req.config
        self._opened = {}
        listen_to_the_engine()

    def stored(self, id_: str, properties: Mapping[str, object]) -> Properties:
        """Return the outputs of a state, in which any property may be missing or null.

        A `get`, an older version or a person may have written the state.
        """
        parts = [unquote(part) for part in id_.split("/")]
        in_id = dict(zip(self.names_in_id, parts, strict=True)) if len(parts) == len(self.names_in_id) else {}
        stated = {name: value for name, value in without_provider(properties).items() if value is not None}
        return {**self.defaults, **in_id, **stated}

    def context(self, properties: Properties) -> Context:
        """Return the account of a resource's profile, and the registry of this run.

        Raises:
            ConfigurationError: A setting is missing or cannot be used.
        """
        profile = optional_str(properties, "profile")
        if profile not in self._opened:
            settings = client.load_settings(self._setting, os.environ, profile)
            self._opened[profile] = _session().account(settings), _session().registry(settings)
        account, registry = self._opened[profile]
        name = urn()
        return Context(account, registry, name, registry.resource(name))

    def account(self, properties: Properties) -> client.Account:
        """Return the account of a resource's profile; errors as in `context`."""
        return self.context(properties).account

    def checked_context(self, properties: Properties) -> Context:
        """Return the context of a check, and refuse a program whose functions read from another service.

        Raises:
            ConfigurationError: A setting is missing or cannot be used.
            DataProtectionError: Functions of the program read from another service.
        """
        context, profile = self.context(properties), optional_str(properties, "profile")
        handover = context.registry.handover()
        if handover and handover.contradicts(profile, context.account.client.settings):
            raise errors.DataProtectionError(
                "Cannot continue: functions of the program read from another service, or with another API key, than "
                "the provider uses. Set the environment variables DATAPROTECTION_* of both processes to the same "
                "values, or use the stack's config instead"
            )
        return context

    def begin_check(self, olds: Properties, inputs: Properties) -> None:
        """Note that the program has a resource, and refuse a replacement by force.

        The engine replaces a resource without a comparison because of `replacement_trigger` and `replace_with`, and
        then checks the new inputs a second time, without the old inputs. Because of `--replace` and `pulumi state
        taint` it checks once, as if the resource were new: only its deletion shows that (`is_forced`).

        Raises:
            ConfigurationError: The setting `licenceCheck` cannot be used.
            DataProtectionError: The engine replaces the resource without a comparison, or functions of the program
                read from another service.
        """
        # A wrong setting fails here, before the preview compares licences.
        client.load_licence_check(self._setting, os.environ)
        # A preview may be offline, without a key.
        with suppress(errors.ConfigurationError):
            context = self.checked_context(inputs)
            noted = context.resource
            if not olds and noted.exists and not noted.compared:
                raise errors.DataProtectionError(
                    f'Cannot replace "{name_of(context.urn)}": a replacement was forced, and it would forget what this '
                    "resource owns. Nothing was changed. Remove replacement_trigger and replace_with from its options"
                )
            noted.in_program, noted.exists = True, noted.exists or bool(olds)

    def begin_diff(self, properties: Properties) -> None:
        """Note that the engine compares a resource with its state."""
        # A preview may be offline, without a key.
        with suppress(errors.ConfigurationError):
            self.context(properties).resource.compared = True

    def is_forced(self, context: Context) -> bool:
        """Return whether the engine deletes a resource because the user forced its replacement.

        Raises:
            DataProtectionError: The replacement is not created yet: another resource may name the same items.
        """
        if not context.resource.in_program:
            return False
        if (handover := context.registry.handover()) and not handover.complete:
            raise errors.DataProtectionError(
                f'Cannot delete "{name_of(context.urn)}" before its replacement is created: another resource of the '
                "program may protect the same items. Nothing was changed. Remove delete_before_replace from the "
                "options of this resource, and of the resources that it depends on"
            )
        return not context.resource.compared

    @functools.cached_property
    def online(self) -> bool:
        """Whether check and diff may read from the service."""
        return client.load_preview_checks(self._setting, os.environ)

    def licence_problem(self, context: Context, tenant_id: str, kinds: Mapping[str, str]) -> str:
        """Compare the items that get their first policy with the free licences, in a preview only.

        Args:
            context: the resource.
            tenant_id: the tenant.
            kinds: the kinds of these items, by id.

        Returns:
            The problem if the setting `licenceCheck` is `fail`; empty if it is not, after a warning.
        """
        choice = client.load_licence_check(self._setting, os.environ)
        handover = context.registry.handover() if kinds and choice != "off" else None
        # Without a program, or in the update of an `up`, there is nothing to announce.
        if handover is None or not handover.preview:
            return ""
        problem = context.registry.new_protections.add(context.account, tenant_id, kinds)
        if problem and choice == "fail":
            return f'{problem} To protect them all the same, set licenceCheck to "warn".'
        if problem and context.registry.is_first(context.urn, problem):
            warn(problem)
        return ""

    def _setting(self, key: str) -> str | None:
        return cast("str | None", self._config.get(f"dataprotection:{key}"))


def report_errors(hook: Callable[P, R]) -> Callable[P, R]:
    """Make the errors of this package reach the user of a provider's operation as plain text, and show its waits."""

    @functools.wraps(hook)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        name, secret = request_urn(), dict[str, object]()
        if hook.__name__ == "check":
            # Only a check gets the names of the secret inputs.
            secret = secret_inputs()
            _session().secrets[name] = sorted({*_texts_in([*secret.values()])}, key=len, reverse=True)
        with operation(name, _session().secrets.get(name, ())):
            try:
                result = hook(*args, **kwargs)
            except errors.DataProtectionError as error:
                fail(str(error))
            if isinstance(result, CheckResult):
                result.failures = [_printable_failure(failure, result.inputs, secret) for failure in result.failures]
            return result

    return wrapper


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for pair in cast("Mapping[str, object]", value).items():
            yield from (text for part in pair for text in _texts_in(part))
    elif isinstance(value, (list, tuple)):
        for part in cast("list[object]", value):
            yield from _texts_in(part)


def _printable_failure(failure: CheckFailure, inputs: Properties, secret: Collection[str]) -> CheckFailure:
    """Return a failure that the engine can print: with the name of a property, it prints the value too."""
    # https://github.com/pulumi/pulumi/blob/v3.274.1/pkg/resource/deploy/step_generator.go
    name, reason = failure.property, shown(failure.reason)
    if name and (name in _PRIVATE or name in secret or not _is_printable(inputs.get(name))):
        return CheckFailure("", f"{name}: {reason}")
    return CheckFailure(name, reason)


def _is_printable(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(map(_is_printable, [*cast("Mapping[str, object]", value).items()]))
    if isinstance(value, (list, tuple)):
        return all(map(_is_printable, cast("list[object]", value)))
    return not isinstance(value, str) or printable(value, limit=None) == value


def without_provider(properties: Mapping[str, object]) -> Properties:
    """Return properties without the pickled provider, and with whole numbers as such: the wire has doubles only."""
    return {name: _whole(value) for name, value in properties.items() if name not in (PROVIDER, SECRET_INPUTS)}


def differing(olds: Properties, news: Properties, names: Collection[str]) -> list[str]:
    """Return the properties that differ, whatever their unknown parts turn out to be."""
    return [name for name in names if _differs(olds.get(name), news.get(name))]


def changes_in(olds: Properties, news: Properties, names: Collection[str]) -> bool | None:
    """Return the answer of a diff: None lets the engine find and name the properties that differ, False says none does.

    The engine compares the pickled provider, too, which each version of Python may write in its own way.
    """
    may_change = differing(olds, news, names) or any(_holds_unknown(news.get(name)) for name in names)
    return None if may_change else False


def inputs_among(outs: Properties, names: Collection[str]) -> Properties:
    """Return what a read answers as inputs: the outputs of these names, without those that have no value."""
    return {name: outs[name] for name in names if outs.get(name) is not None}


def on_conflict(inputs: Mapping[str, object]) -> OnConflict:
    """Return the choice about a policy that is not ours."""
    return cast("OnConflict", inputs.get("on_conflict") or "fail")


def optional_str(properties: Mapping[str, object], name: str) -> str | None:
    """Return the text of a property; None if it has none, or if it is unknown."""
    value = properties.get(name)
    return value if isinstance(value, str) and value else None


def is_managed(properties: Mapping[str, object]) -> bool:
    """Whether these are outputs of a state, and not the arguments of a `get`."""
    return any(value is not None for name, value in properties.items() if name not in _OF_GET)


def joined_id(tenant_id: str, id: str) -> str:
    """Return the id of a thing in a tenant: the ids of both, each percent-encoded."""
    return f"{quote(tenant_id, safe='')}/{quote(id, safe='')}"


def split_id(id: str, form: str) -> tuple[str, str]:
    """Return the two ids of a joined id.

    Args:
        id: the joined id.
        form: the thing that it should be the id of, and its form, for the error.

    Raises:
        DataProtectionError: It does not have this form.
    """
    parts = [unquote(part) for part in id.split("/")]
    if len(parts) != 2 or not all(part.strip() for part in parts):  # noqa: PLR2004 - the tenant's, and its own
        raise errors.DataProtectionError(f'"{printable(id)}" is not the id of {form}')
    return parts[0], parts[1]


def is_unknown(value: object) -> bool:
    """Return whether a value is unknown in a preview."""
    return isinstance(value, type(pulumi.UNKNOWN))


def text_failures(
    properties: Properties, *, required: Collection[str], optional: Collection[str] = ()
) -> Iterable[CheckFailure]:
    """Find the properties that should be text and are not; what is not known yet is let pass."""
    for name in (*required, *optional):
        value = properties.get(name)
        if is_unknown(value) or (value is None and name in optional):
            continue
        problem = "is required" if value is None else text_problem(value)
        if name in _IN_PATHS:
            problem = problem or client.path_problem(str(value))
        if problem:
            yield CheckFailure(name, problem)


def _differs(old: object, new: object) -> bool:
    if is_unknown(old) or is_unknown(new):
        return False
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        before, after = cast("Mapping[str, object]", old), cast("Mapping[str, object]", new)
        # The engine keeps no nulls in a dictionary.
        return any(_differs(before.get(name), after.get(name)) for name in {*before, *after})
    if isinstance(old, list) and isinstance(new, list):
        parts = [cast("list[object]", old), cast("list[object]", new)]
        return len(parts[0]) != len(parts[1]) or any(map(_differs, *parts))
    # To Python, true is 1.
    return isinstance(old, bool) is not isinstance(new, bool) or old != new


def _holds_unknown(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_unknown, cast("Mapping[str, object]", value).values()))
    if isinstance(value, list):
        return any(map(_holds_unknown, cast("list[object]", value)))
    return is_unknown(value)


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value
