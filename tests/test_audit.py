"""`make audit`: what it says of weaknesses, of none, and of a database that does not answer."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "audit.py"


@contextmanager
def database(answer: Callable[[list[Any]], Any], status: int = 200) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            queries = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(answer(queries)).encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def audit(address: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOL), "--database", address], capture_output=True, text=True, check=False
    )


def test_a_known_weakness_is_named() -> None:
    def answer(queries: list[Any]) -> Any:
        return {"results": [{"vulns": [{"id": "X-1"}]} if q["package"]["name"] == "numpy" else {} for q in queries]}

    with database(answer) as address:
        done = audit(address)
    assert done.returncode == 1
    assert "numpy " in done.stdout
    assert ": X-1\n" in done.stdout
    assert "1 with known weaknesses." in done.stdout


def test_none_is_told_apart_from_no_answer() -> None:
    with database(lambda queries: {"results": [{} for _ in queries]}) as address:
        done = audit(address)
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 with known weaknesses." in done.stdout
    away = audit(address)  # nobody listens there any more
    assert (away.returncode, away.stdout) == (2, "")
    assert away.stderr.startswith("COULD NOT LOOK: ")


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (lambda _: [], 200),
        (lambda _: {}, 200),
        (lambda queries: {"results": [{} for _ in queries[1:]]}, 200),
        (lambda queries: {"results": [{} for _ in queries]}, 404),
    ],
)
def test_an_answer_that_says_nothing_is_no_good_answer(answer: Callable[[list[Any]], Any], status: int) -> None:
    with database(answer, status) as address:
        done = audit(address)
    assert done.returncode == 2
    assert "COULD NOT LOOK" in done.stderr
