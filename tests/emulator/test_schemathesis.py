"""Unusual requests, made by Schemathesis from the OpenAPI document."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any

import httpx
import pytest
import requests
import schemathesis
import schemathesis.checks
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from pulumi_dataprotection.spec import OPERATIONS, Operation
from support import HANG, NIGHTLY, Emulator
from support.emulator.variants import FREE
from support.wire import existing_ids

pytestmark = pytest.mark.thorough

# Schemathesis does not say all of its types.
Schema = Any
Case = Any
CHECKS: Any = schemathesis.checks

NOW = datetime.now(UTC)
START, END = (NOW - timedelta(days=20)).isoformat(), (NOW - timedelta(days=2)).isoformat()

# Other ids of the demo estate by the usual id, and existing values by the query's parameter.
OTHERS = {
    "org-contoso": ["org-alpine"],
    "archive-contoso-01": ["archive-contoso-02"],
    "res-contoso-user-01": ["res-contoso-user-04", FREE, "ext$usr-1001"],
}
IN_QUERIES: Mapping[str, Sequence[str | int]] = {
    "parent_org_id": ("org-alpine",),
    "external_id": ("crm-1001", "crm-1003"),
    "name": ("Gold",),
    "resource_id": ("res-contoso-user-01",),
    "policy_id": ("policy-contoso-silver", "policy-contoso-gold"),
    "limit": (1, 2, 1000),
    "start": (START,),
    "start_time": (START,),
    "end": (END,),
    "end_time": (END,),
}

each_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))


@pytest.fixture(scope="module")
def api(session_emulator: Emulator) -> Schema:
    """The interface as it is served, where no record may have more fields than it shows."""
    document: dict[str, Any] = httpx.get(f"{session_emulator.url}/_emulator/openapi.json", timeout=HANG).json()
    for record in document["components"]["schemas"].values():
        if "properties" in record:
            record["additionalProperties"] = False
    schema: Schema = schemathesis.openapi.from_dict(document)
    schema.config.generation.update(with_security_parameters=False)
    return schema


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    """One connection for all requests."""
    with requests.Session() as session:
        session.trust_env = False
        yield session


def existing(operation: Operation) -> st.SearchStrategy[tuple[dict[str, Any], dict[str, Any]]]:
    """Choose what exists for all or some of an operation's parameters: those of its path, and those of its query."""
    in_path = {name: st.sampled_from([id, *OTHERS.get(id, [])]) for name, id in existing_ids(operation).items()}
    names = [query.name for query in operation.query if query.name in IN_QUERIES]
    in_query = {name: st.sampled_from(IN_QUERIES[name]) for name in names}
    every = st.tuples(st.fixed_dictionaries(in_path), st.fixed_dictionaries(in_query))
    some = st.tuples(st.fixed_dictionaries({}, optional=in_path), st.fixed_dictionaries({}, optional=in_query))
    return every | some


def for_each_case(api: Schema, operation: Operation, examples: int, run: Callable[[Case], None]) -> None:
    """Run requests of an operation without chance: edge cases, then a variety of valid and of invalid ones."""
    described = api.find_operation_by_id(operation.id)
    modes = list(GenerationMode)
    for case in api.iter_coverage_cases(described, generation_modes=modes, generation_config=api.config.generation):
        run(case)

    bounded = settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )

    @bounded
    @given(case=described.as_strategy(GenerationMode.POSITIVE), exists=existing(operation))
    def run_valid(case: Case, exists: tuple[dict[str, Any], dict[str, Any]]) -> None:
        case.path_parameters.update(exists[0])
        case.query.update(exists[1])
        run(case)

    @bounded
    @given(case=described.as_strategy(GenerationMode.NEGATIVE))
    def run_invalid(case: Case) -> None:
        run(case)

    run_valid()
    if operation.query or operation.body:
        run_invalid()


@each_operation
def test_each_answer_is_one_that_the_document_describes(
    emulator: Emulator, api: Schema, session: requests.Session, operation: Operation
) -> None:
    statuses: set[int] = set()

    def run(case: Case) -> None:
        response = case.call_and_validate(
            emulator.url,
            session,
            {"Authorization": emulator.api_key},
            # Rules between parameters, such as the length of a period, are not in the document.
            excluded_checks=[CHECKS.positive_data_acceptance],
        )
        statuses.add(response.status_code)

    for_each_case(api, operation, 100 if NIGHTLY else 12, run)
    expected = {operation.status, 400} if operation.query else {operation.status}
    assert expected <= statuses


@pytest.mark.parametrize("preset", ["late", "foreign"])
@each_operation
def test_no_dialect_fails_at_any_request(
    emulator: Emulator, api: Schema, session: requests.Session, operation: Operation, preset: str
) -> None:
    emulator.set_dialect(preset)

    def run(case: Case) -> None:
        case.call_and_validate(
            emulator.url, session, {"Authorization": emulator.api_key}, checks=[CHECKS.not_a_server_error]
        )

    for_each_case(api, operation, 25 if NIGHTLY else 4, run)
