"""The OpenAPI document of the interface."""

from operator import attrgetter
from typing import Any

import httpx
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from pulumi_dataprotection.emulator.answers.records import RECORDS
from pulumi_dataprotection.spec import BY_ID, OPERATIONS, Operation
from support import HANG, Emulator

SCALARS = {"string", "boolean", "date-time", "int32", "int64", "uint64"}


@pytest.fixture(scope="module")
def document(session_emulator: Emulator) -> dict[str, Any]:
    """The document as it is served."""
    served: dict[str, Any] = httpx.get(f"{session_emulator.url}/_emulator/openapi.json", timeout=HANG).json()
    return served


def described(document: dict[str, Any], operation: Operation) -> dict[str, Any]:
    entry: dict[str, Any] = document["paths"][operation.path][operation.method.lower()]
    return entry


def test_the_document_is_valid_openapi_3_1_of_the_rows_and_nothing_else(document: dict[str, Any]) -> None:
    assert [] == list(OpenAPIV31SpecValidator(document).iter_errors())
    expected = {(operation.method.lower(), operation.path) for operation in OPERATIONS}
    assert expected == {(method, path) for path, methods in document["paths"].items() for method in methods}


@pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))
def test_an_operation_is_described_as_its_row(document: dict[str, Any], operation: Operation) -> None:
    parameters: list[tuple[str, str, bool]] = [
        *((name, "path", True) for name in operation.path_parameters),
        *((query.name, "query", query.required) for query in operation.query),
    ]
    found = described(document, operation)
    assert operation.id == found["operationId"]
    assert parameters == [
        (parameter["name"], parameter["in"], parameter["required"]) for parameter in found["parameters"]
    ]
    assert operation.body == found.get("requestBody", {}).get("required", False)
    assert {*map(str, operation.refusals | {operation.status})} == found["responses"].keys()


@pytest.mark.parametrize(
    ("id", "name", "expected"),
    [
        ("get_org", "id", {"type": "string", "minLength": 1}),
        ("list_policies", "name", {"type": "string"}),
        ("protect_resource", "policy_id", {"type": "string", "minLength": 1}),
        ("list_policies", "limit", {"type": "integer", "format": "int32", "minimum": 1, "maximum": 2**31 - 1}),
        ("get_task_stats", "end_time", {"type": "string", "format": "date-time"}),
    ],
)
def test_a_parameter_has_its_type(document: dict[str, Any], id: str, name: str, expected: object) -> None:
    parameters = described(document, BY_ID[id])["parameters"]
    assert [expected] == [parameter["schema"] for parameter in parameters if parameter["name"] == name]


def test_the_key_is_the_whole_authorization_header(document: dict[str, Any]) -> None:
    ((name, scheme),) = document["components"]["securitySchemes"].items()
    expected: dict[str, list[str]] = {name: []}
    assert {"type": "apiKey", "in": "header", "name": "Authorization"} == scheme
    assert [expected] == document["security"]


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_has_all_of_its_fields_with_known_types(document: dict[str, Any], name: str) -> None:
    assert list(RECORDS[name]) == document["components"]["schemas"][name].get("required", [])
    assert {*SCALARS, *RECORDS} >= {type.strip("[]") for type in RECORDS[name].values()}
