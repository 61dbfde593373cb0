"""A translation service that says every text again in capitals, in three dialects, and misbehaves as told."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

__all__ = ["FakeService", "chat_answer", "chat_reply"]


def chat_reply(text: str | None, finish: str = "stop", tokens: tuple[int, int] = (100, 10)) -> bytes:
    """What a chat endpoint sends when its model says a text."""
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}).encode()


def chat_answer(body: Any) -> bytes:
    """A model that says the segments at the end of a question again in capitals."""
    _, _, segments = body["messages"][-1]["content"].rpartition("\n\n")
    loud = {number: line.upper() for number, line in json.loads(segments).items()}
    return chat_reply(json.dumps(loud, ensure_ascii=False))


class FakeService:
    """A context; `faults` are taken one by one, each (status, body, headers) instead of an answer."""

    def __init__(self) -> None:
        self.faults: list[tuple[int, bytes, dict[str, str]]] = []
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                owner.requests.append((self.path, dict(self.headers), body))
                status, content, headers = owner.faults.pop(0) if owner.faults else (200, owner.answer(body), {})
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, body: Any) -> bytes:
        path = self.requests[-1][0]
        if path.endswith("/chat/completions"):
            return chat_answer(body)
        loud = [text.upper() for text in body.get("q", body.get("text"))]
        shapes: dict[str, Any] = {
            "/translate": {"translatedText": loud},
            "/v2/translate": {"translations": [{"text": text} for text in loud]},
            "/language/translate/v2": {"data": {"translations": [{"translatedText": text} for text in loud]}},
        }
        return json.dumps(shapes[path]).encode()

    def __enter__(self) -> FakeService:
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
