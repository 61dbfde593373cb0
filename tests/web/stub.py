"""A server of nothing but the interface: the pages and the JSON that annotators' browsers use, kept in memory.

A campaign is `<name>~<anything>`: every test takes one of its own. What the pages do is tried with it before the real
server is, and in states that the real one is hard to bring into.
"""

from __future__ import annotations

import asyncio
import io
import math
import struct
import threading
import time
import wave
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import uvicorn
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles

from dragoman.web.rendering import STATIC, show
from tests.web.material import CAMPAIGNS, languages


@dataclass
class Campaign:
    name: str
    history: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    keys: dict[str, dict[str, Any]] = field(default_factory=dict)
    posts: int = 0
    fault: int = 0  # the status that the next requests for answers get
    refuse: str = ""  # the message with which answers are refused
    title: str = ""

    @property
    def parts(self) -> tuple[str, dict[str, Any], list[dict[str, Any]]]:
        return CAMPAIGNS[self.name.partition("~")[0]]

    @property
    def items(self) -> list[str]:
        return [f"i{number}" for number in range(len(self.parts[2]))]

    @property
    def progress(self) -> dict[str, int]:
        return {"done": len(self.history), "total": len(self.items)}

    @property
    def code(self) -> str | None:
        return "C0DE-1234" if len(self.history) == len(self.items) else None

    def item(self, name: str) -> dict[str, Any]:
        past = self.history.get(name, [])
        place = self.items.index(name)
        return {
            "item": name,
            "task": "t1",
            "position": place + 1,
            "n_items": len(self.items),
            "shown": self.parts[2][place],
            "answer": past[-1]["answer"] if past else None,
            "revision": len(past),
            "history": past,
        }

    def answers(self) -> list[Any]:
        return [self.history[item][-1]["answer"] for item in sorted(self.history)]


class Stub:
    """The running stub: `address`, and what it knows of each campaign."""

    def __init__(self) -> None:
        self.campaigns: dict[str, Campaign] = {}
        self.app = self._app()
        self.server = uvicorn.Server(
            uvicorn.Config(self.app, host="127.0.0.1", port=0, log_level="error", lifespan="off")
        )
        self.thread = threading.Thread(target=lambda: asyncio.run(self.server.serve()), daemon=True)

    def start(self) -> None:
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        self.address = f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}"

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()

    def of(self, name: str) -> Campaign:
        if name.partition("~")[0] not in CAMPAIGNS:
            raise HTTPException(404, "There is no such campaign.")
        return self.campaigns.setdefault(name, Campaign(name))

    def _app(self) -> FastAPI:
        app = FastAPI()
        app.mount("/static", StaticFiles(directory=STATIC, packages=[("dragoman.report", "static")]))
        base = "/api/v1/campaigns/{name}"

        def somebody(request: Request) -> None:
            request.state.user = SimpleNamespace(name="ada", role="manager", lang=None, services=("score",))
            request.state.csrf = "secret"

        @app.get("/campaigns/{name}/work")
        def page(request: Request, name: str) -> Response:
            somebody(request)
            campaign = self.of(name)
            return show(
                request,
                "work.html",
                {"campaign": name, "title": campaign.title or "News, May", "screen": campaign.parts[0]},
            )

        @app.get("/patterns")
        def patterns(request: Request) -> Response:
            from dragoman.web.patterns import patterns

            somebody(request)
            return show(request, "patterns.html", patterns())

        @app.get("/")
        def home(request: Request) -> Response:
            somebody(request)
            rows = [
                {
                    "name": f"{name}~x",
                    "title": f"Campaign {name}",
                    "protocol": name,
                    **languages(name),
                    "done": i,
                    "total": 3,
                    "task": None,
                }
                for i, name in enumerate(list(CAMPAIGNS)[:4])
            ]
            return show(request, "home.html", {"rows": rows})

        @app.get("/login")
        def login(request: Request) -> Response:
            return show(request, "login.html", {"name": "ada", "next": "/", "message": "Name or password is wrong."})

        @app.get("/error")
        def error(request: Request) -> Response:
            somebody(request)
            return show(
                request, "error.html", {"status": 404, "kind": "unknown", "message": "There is no campaign 'x'."}
            )

        @app.get(base + "/work")
        def work(name: str) -> Any:
            campaign = self.of(name)
            screen, ask, _ = campaign.parts
            items = [
                {"item": item, "task": "t1", "position": place, "done": item in campaign.history}
                for place, item in enumerate(campaign.items, start=1)
            ]
            return {
                "campaign": name,
                "title": "News, May",
                "protocol": name,
                "screen": screen,
                "ask": ask,
                "instructions": "Read the source first.\nThen judge the translation.",
                "languages": languages(name.partition("~")[0]),
                "progress": campaign.progress,
                "items": items,
                "code": campaign.code,
            }

        @app.get(base + "/items/{item}")
        def item(name: str, item: str) -> Any:
            return self.of(name).item(item)

        @app.get(base + "/next")
        def following(name: str) -> Any:
            campaign = self.of(name)
            open_items = [item for item in campaign.items if item not in campaign.history]
            return (
                campaign.item(open_items[0])
                if open_items
                else {"item": None, "code": campaign.code, "return_url": "https://crowd.example/done"}
            )

        @app.get(base + "/media/{media}")
        def media(media: str) -> Response:
            return Response(beep(), media_type="audio/wav")

        @app.post(base + "/answers")
        async def answers(request: Request, name: str) -> Any:
            campaign = self.of(name)
            campaign.posts += 1
            if campaign.fault:
                return JSONResponse({"message": "Not now.", "kind": "fault"}, campaign.fault)
            if request.headers.get("x-csrf-token") != "secret":
                return JSONResponse({"message": "The token is wrong.", "kind": "csrf"}, 403)
            saved, refused = [], []
            for event in (await request.json())["events"]:
                if campaign.refuse:
                    refused.append({"key": event["key"], "item": event["item"], "message": campaign.refuse})
                    continue
                if event["key"] not in campaign.keys:
                    past = campaign.history.setdefault(event["item"], [])
                    past.append({**event, "revision": len(past) + 1, "received": event["ended"]})
                    campaign.keys[event["key"]] = {"key": event["key"], "item": event["item"], "revision": len(past)}
                saved.append(campaign.keys[event["key"]])
            return {"saved": saved, "refused": refused, "progress": campaign.progress}

        return app


def beep() -> bytes:
    """A fifth of a second of sound."""
    stream = io.BytesIO()
    with wave.open(stream, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(i / 3))) for i in range(1600)))
    return stream.getvalue()
