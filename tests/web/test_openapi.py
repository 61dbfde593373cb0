"""The interface as it is described: requests made from the description never break the server."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from dragoman.store import Store
from dragoman.web import Settings, create_app
from tests.web.client import Client

N_EXAMPLES = 5
# Texts of 100,000 characters prove nothing that shorter ones do not, and making them takes half a gigabyte.
SHORT = {"maxLength": 1000, "maxProperties": 20, "maxItems": 50}


@pytest.fixture(scope="module")
def admin(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    path = tmp_path_factory.mktemp("openapi") / "house.db"
    shutil.copy(sqlite_template, path)
    store = Store(path)
    yield Client(create_app(store, Settings(requests_per_minute=10**6)), "the-admin")
    store.close()


def _operations() -> list[Any]:
    """All operations but the one that ends the session in use."""
    described = create_app(Store("unused.db")).openapi()
    requests = [
        operation.get("requestBody") for methods in described["paths"].values() for operation in methods.values()
    ]
    bodies = re.findall(r"#/components/schemas/(\w+)", json.dumps(requests))
    for name in set(bodies):
        described["components"]["schemas"][name] = _shortened(described["components"]["schemas"][name])
    schema = schemathesis.openapi.from_dict(described)
    operations = [result.ok() for result in schema.get_all_operations()]
    return [each for each in operations if (each.method.upper(), each.path) != ("DELETE", "/api/v1/session")]


def _shortened(part: Any) -> Any:
    """A description of a request that asks for nothing long."""
    if isinstance(part, list):
        return [_shortened(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {key: min(value, SHORT[key]) if key in SHORT else _shortened(value) for key, value in part.items()}


OPERATIONS = _operations()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["right", "wrong"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: f"{each.method.upper()} {each.path}")
def test_no_request_breaks_the_server(admin: Client, operation: Any, mode: GenerationMode) -> None:
    """Right or wrong, a request is answered with a described status and a body of the described shape."""

    @settings(
        max_examples=N_EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def ask(data: st.DataObject) -> None:
        case = data.draw(operation.as_strategy(generation_mode=mode))
        answer = _send(admin, case)
        assert answer.status_code < 500, answer.text
        case.validate_response(
            answer, checks=[status_code_conformance, content_type_conformance, response_schema_conformance]
        )

    has_input = operation.body or operation.path_parameters or operation.query
    if mode is GenerationMode.NEGATIVE and not has_input:
        pytest.skip("an operation without parameters has no wrong request")
    ask()


def _send(client: Client, case: Any) -> httpx.Response:
    more: dict[str, Any] = {}
    if type(case.body).__name__ != "NotSet":
        more["content"] = case.body if isinstance(case.body, bytes) else json.dumps(case.body).encode()
        more["headers"] = {"Content-Type": "application/json"}
    query = {key: value for key, value in (case.query or {}).items() if value is not None}
    return client.request(
        case.method.upper(), case.formatted_path, params=httpx.QueryParams(query) if query else None, **more
    )
