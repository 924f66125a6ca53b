"""Refusals: each has its own error, which says what was refused in the service's words, and never the key."""

import traceback
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pulumi_dataprotection.client import Call, Client, calls
from pulumi_dataprotection.client.errors import (
    ForbiddenError,
    InvalidArgumentError,
    NotFoundError,
    StatusError,
    UnauthenticatedError,
)
from support.contract.examples import NOTHING, examples, with_path
from support.contract.service import SMALL, Content, EmulatedService, Service

STATUSES: Mapping[type[StatusError], int] = {
    InvalidArgumentError: 400,
    UnauthenticatedError: 401,
    ForbiddenError: 403,
    NotFoundError: 404,
}
WRONG_KEY = "a-key-that-nobody-has-17d2"


def refused(client: Client, call: Call[Any]) -> StatusError:
    """Send a call that is refused, and check what every refusal has to say."""
    with pytest.raises(StatusError) as raised:
        client.send(call)
    error = raised.value
    assert (call.operation, call.request, STATUSES.get(type(error))) == (error.operation, error.request, error.status)
    assert f"{error.status} " in str(error)
    assert call.request in str(error)
    assert error.message.rstrip(".") in str(error)
    assert client.settings.api_key not in "".join(traceback.format_exception(error)) + repr(error)
    return error


def missing(call: Call[Any]) -> dict[str, Call[Any]]:
    """Return the same call about what is not there, for each id in its path."""
    return {f"{call.operation.id} {name}": with_path(call, **{name: NOTHING}) for name in call.path}


def check(
    service: Service, wanted: Mapping[str, Call[Any]], errors: str, word: str | None = None, **settings: object
) -> None:
    """Send calls that are refused with certain errors, by their names, whose messages hold a word of the service's."""
    client = service.client(page_size=SMALL, **settings)
    found = {name: refused(client, call) for name, call in wanted.items()}
    assert [] == [name for name, error in found.items() if type(error).__name__ not in errors.split()]
    # A service without error bodies has no words.
    if word and service.variants.get("error_body", "empty") != "empty":
        assert [] == [name for name, error in found.items() if word not in error.message]


def test_a_missing_object_is_not_found(service: Service) -> None:
    wanted = {
        name: call
        for example in examples(service.scene).values()
        if not example.operation.writes
        for name, call in missing(example).items()
    }
    check(service, wanted, "NotFoundError", NOTHING)


def test_a_missing_object_cannot_be_changed(changeable: Service) -> None:
    scene = changeable.scene
    resource = {"tenant_id": scene.tenant_id, "resource_id": NOTHING}
    wanted = {
        "archive": calls.delete_archive(scene.tenant_id, NOTHING, reason="left"),
        "job": calls.trigger_job(scene.tenant_id, NOTHING),
        "protect": calls.protect_resource(**resource, policy_id=scene.policy_id),
        "unprotect": calls.unprotect_resource(**resource, policy_id=scene.policy_id),
        "tenant": calls.trigger_job(NOTHING, scene.job_id),
    }
    check(changeable, wanted, "NotFoundError", NOTHING)


def test_a_missing_object_cannot_be_referred_to(forgetful: Service) -> None:
    scene = forgetful.scene
    wanted = {
        "parent": calls.create_org(parent_org_id=NOTHING, external_id="crm-4711", name="Fourth Coffee"),
        "policy": calls.protect_resource(scene.tenant_id, scene.free_id, policy_id=NOTHING),
    }
    check(forgetful, wanted, "NotFoundError InvalidArgumentError", NOTHING)


def test_an_object_of_somebody_else_is_forbidden(emulated: EmulatedService, content: Content) -> None:
    elsewhere = {"orgs": "org-elsewhere", "tenants": "tenant-elsewhere"}
    assert [] == [id for table, id in elsewhere.items() if id not in {row["id"] for row in content[table]}]
    wanted: dict[str, Call[Any]] = {"create_org": calls.create_org(parent_org_id="org-elsewhere")}
    for name, call in examples(emulated.scene).items():
        if call.path:
            wanted[name] = with_path(call, **{next(iter(call.path)): elsewhere[call.operation.path.split("/")[3]]})
    check(emulated, wanted, "ForbiddenError", "elsewhere")


def test_a_key_that_may_not_write_is_forbidden_to(emulated: EmulatedService) -> None:
    wanted = {name: call for name, call in examples(emulated.scene).items() if call.operation.writes}
    check(emulated, wanted, "ForbiddenError", "Read-only", api_key=emulated.emulator.read_only_key)


def test_a_wrong_key_is_unauthenticated(service: Service) -> None:
    wanted = examples(service.scene)
    if service.name == "real":
        # Enough to know, and too few to be taken for an attack.
        wanted = {name: wanted[name] for name in ("list_installations", "get_tenant")}
    check(service, wanted, "UnauthenticatedError", "key", api_key=WRONG_KEY)


def test_an_invalid_period_is_an_invalid_argument(service: Service) -> None:
    scene, now, day = service.scene, datetime.now(UTC), timedelta(days=1)
    wanted = {
        "41 days": calls.get_subscription_history(scene.owner_id, start=now - 42 * day, end=now - day),
        "an hour": calls.get_subscription_history(scene.owner_id, start=now - day, end=now - 23 * day / 24),
        "not over": calls.get_subscription_history(scene.owner_id, start=now - 2 * day, end=now + day),
        "32 days": calls.get_task_stats(scene.tenant_id, start_time=now - 33 * day, end_time=now - day),
        "long ago": calls.get_task_stats(scene.tenant_id, start_time=now - 40 * day, end_time=now - 38 * day),
    }
    check(service, wanted, "InvalidArgumentError")


def test_a_value_that_the_service_does_not_take_is_an_invalid_argument(forgetful: Service) -> None:
    scene, now = forgetful.scene, datetime.now(UTC)
    external_id = f"ext${scene.external_id}"
    wanted = {
        "reason": calls.delete_archive(scene.tenant_id, scene.archive_id, reason="é" * 64 + "!"),
        "protect": calls.protect_resource(scene.tenant_id, external_id, policy_id=scene.policy_id),
        "unprotect": calls.unprotect_resource(scene.tenant_id, external_id, policy_id=scene.policy_id),
        "period": calls.list_audit_events(scene.tenant_id, start_time=now, end_time=now - timedelta(days=1)),
    }
    check(forgetful, wanted, "InvalidArgumentError")
