"""The interface as an OpenAPI document, made from the operations' rows and the records."""

from collections.abc import Mapping

from pulumi_dataprotection.emulator.answers.answer import JSON
from pulumi_dataprotection.emulator.answers.records import NOTHING, RECORDS, Fields
from pulumi_dataprotection.emulator.handlers import HANDLERS
from pulumi_dataprotection.spec import OPERATIONS, Operation, Query

_Object = dict[str, object]

_KEY = "APIKey"
_ERROR = "Error"

_TYPES: Mapping[str, _Object] = {
    "string": {"type": "string"},
    "boolean": {"type": "boolean"},
    "date-time": {"type": "string", "format": "date-time"},
    "int32": {"type": "integer", "format": "int32", "minimum": -(2**31), "maximum": 2**31 - 1},
    "int64": {"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$"},
    "uint64": {"type": "string", "format": "uint64", "pattern": "^[0-9]{1,20}$"},
}

# The statuses of section 7, and 409 for an operation whose row names it.
_REFUSALS: Mapping[int, str] = {
    400: "A required argument is missing, or a value is invalid",
    401: "The API key is invalid, expired or missing",
    403: "The application lacks permission to access the entity",
    404: "The requested entity does not exist",
    409: "The state of the requested entity does not allow the operation",
    429: "The application exceeded its API call limit",
}


def openapi_document() -> _Object:
    """Return the interface as OpenAPI 3.1; what it leaves open is as in the emulator's default dialect."""
    paths: dict[str, _Object] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Data-protection management service", "version": "1.0"},
        "servers": [{"url": "/"}],
        "security": [{_KEY: []}],
        "paths": paths,
        "components": {
            "securitySchemes": {_KEY: {"type": "apiKey", "in": "header", "name": "Authorization"}},
            "schemas": {
                **{name: _record(fields) for name, fields in RECORDS.items()},
                NOTHING: {"type": "object", "maxProperties": 0},
                _ERROR: _record({"status": "int32", "code": "string", "message": "string"}),
            },
            "responses": {str(status): _answer(meaning, _ERROR) for status, meaning in _REFUSALS.items()},
        },
    }


def _operation(operation: Operation) -> _Object:
    record = HANDLERS[operation.id].record if operation.id in HANDLERS else NOTHING
    described: _Object = {
        "operationId": operation.id,
        "summary": operation.does[0].upper() + operation.does[1:],
        "parameters": [
            *(_parameter(Query(name, required=True), "path") for name in operation.path_parameters),
            *(_parameter(query, "query") for query in operation.query),
        ],
        "responses": {
            str(operation.status): _answer("Done", record),
            **{str(status): {"$ref": f"#/components/responses/{status}"} for status in sorted(operation.refusals)},
        },
    }
    if operation.body:
        described["requestBody"] = {"required": True, "content": _content(NOTHING)}
    return described


def _parameter(query: Query, place: str) -> _Object:
    schema = dict(_TYPES[query.type])
    if query.name == "limit":
        schema["minimum"] = 1
    elif query.required and query.type == "string":
        schema["minLength"] = 1
    return {"name": query.name, "in": place, "required": query.required, "schema": schema}


def _answer(meaning: str, record: str) -> _Object:
    return {"description": meaning, "content": _content(record)}


def _content(record: str) -> _Object:
    return {JSON: {"schema": _schema(record)}}


def _record(fields: Fields) -> _Object:
    if not fields:
        return {"type": "object"}
    properties = {name: _schema(type) for name, type in fields.items()}
    return {"type": "object", "properties": properties, "required": list(fields)}


def _schema(type: str) -> _Object:
    if type.startswith("["):
        return {"type": "array", "items": _schema(type[1:-1])}
    return _TYPES.get(type) or {"$ref": f"#/components/schemas/{type}"}
