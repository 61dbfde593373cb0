"""The interface as people read it: the operations of its OpenAPI description, with their fields and a line for curl."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Field", "Operation", "operations"]

_DEEPEST = 3  # parts within parts that an example shows
_EXAMPLES: dict[str, Any] = {"string": "…", "integer": 1, "number": 1.0, "boolean": False, "object": {}, "null": None}


@dataclass(frozen=True)
class Field:
    """A parameter, or a field of a body."""

    name: str
    kind: str
    required: bool
    default: str
    text: str


@dataclass(frozen=True)
class Operation:
    """One thing that programs can ask: where, with what, and by a token of which scope."""

    method: str
    path: str
    tag: str
    text: str
    scope: str | None
    parameters: tuple[Field, ...]
    body: tuple[Field, ...]
    answer: tuple[Field, ...]
    curl: str


def operations(described: Mapping[str, Any], scopes: Mapping[tuple[str, str], str | None]) -> list[Operation]:
    """All operations of a description, in its order; `scopes` are by method and path."""
    schemas = described.get("components", {}).get("schemas", {})
    read = []
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            scope = scopes.get((method.upper(), path))
            read.append(_operation(method.upper(), path, operation, scope, schemas))
    return read


def _operation(
    method: str, path: str, operation: Mapping[str, Any], scope: str | None, schemas: Mapping[str, Any]
) -> Operation:
    parameters = tuple(
        _field(each["name"], each.get("schema", {}), bool(each.get("required")), each.get("description"))
        for each in operation.get("parameters", ())
    )
    body = _json_of(operation.get("requestBody", {}))
    answers = operation.get("responses", {})
    good: Mapping[str, Any] = next((answers[code] for code in sorted(answers) if str(code).startswith("2")), {})
    return Operation(
        method,
        path,
        operation.get("tags", ["other"])[0],
        operation.get("description", operation.get("summary", "")),
        scope,
        parameters,
        tuple(_fields(body, schemas)),
        tuple(_fields(_json_of(good), schemas)),
        _curl(method, path, scope, _example(body, schemas, _DEEPEST) if body else None),
    )


def _json_of(content: Mapping[str, Any]) -> Mapping[str, Any]:
    schema: Mapping[str, Any] = content.get("content", {}).get("application/json", {}).get("schema", {})
    return schema


def _fields(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[Field]:
    whole = _whole(schema, schemas)
    for name, part in whole.get("properties", {}).items():
        yield _field(name, part, name in whole.get("required", ()), part.get("description"))


def _field(name: str, schema: Mapping[str, Any], required: bool, text: str | None) -> Field:
    default = json.dumps(schema["default"], ensure_ascii=False) if schema.get("default") is not None else ""
    return Field(name, _kind(schema), required, default, text or schema.get("description", ""))


def _whole(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema, or the one that it names."""
    named = schemas.get(schema.get("$ref", "").rpartition("/")[2])
    return schema if named is None else named


def _kind(schema: Mapping[str, Any]) -> str:
    """What a value is, in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema or "const" in schema:
        return ", ".join(map(str, schema.get("enum", [schema.get("const")])))
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return " or ".join(_kind(each) for each in schema[word] if each.get("type") != "null")
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    limits = [f"{sign} {schema[key]}" for key, sign in (("minimum", "≥"), ("maximum", "≤")) if key in schema]
    return " ".join([str(schema.get("type", "anything")), *limits])


def _example(schema: Mapping[str, Any], schemas: Mapping[str, Any], deep: int) -> Any:
    """A value of the schema: what is required, and no more."""
    whole = _whole(schema, schemas)
    if "default" in whole:
        return whole["default"]
    if "enum" in whole or "const" in whole:
        return whole.get("enum", [whole.get("const")])[0]
    for word in ("anyOf", "oneOf"):
        if word in whole:
            return _example(whole[word][0], schemas, deep)
    if whole.get("type") == "array":
        return [_example(whole.get("items", {}), schemas, deep - 1)] if deep else []
    if "properties" in whole and deep:
        return {name: _example(whole["properties"][name], schemas, deep - 1) for name in whole.get("required", ())}
    return _EXAMPLES.get(whole.get("type", "null"))


def _curl(method: str, path: str, scope: str | None, body: Any) -> str:
    words = ["curl"]
    if method not in ("GET", "POST") or (method == "POST" and body is None):
        words += ["-X", method]
    words += ["-H", "'Authorization: Bearer TOKEN'"] if scope else ["-b", "jar"]
    if not scope and method != "GET":
        words += ["-H", "'X-CSRF-Token: CSRF'"]
    if body is not None:
        words += ["-H", "'Content-Type: application/json'", "-d", f"'{json.dumps(body, ensure_ascii=False)}'"]
    return " ".join([*words, f"$SERVER{path}"])
