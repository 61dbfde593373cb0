"""The app: routes, guards and handlers put together over a store and settings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from dragoman import __version__
from dragoman.cat.pen import RECOGNISERS
from dragoman.store import Store
from dragoman.store.probe import Probe
from dragoman.web import patterns_page, service
from dragoman.web.accounts import people_api, people_pages, session_api, session_pages, tokens_pages
from dragoman.web.answering import add_handlers
from dragoman.web.bodies import ErrorBody
from dragoman.web.campaigns import managing_api, managing_pages, results_api, results_pages, work_api, work_pages
from dragoman.web.cat import exchange_api, log_api, pen_api, projects_api, review_api, segments_api, socket
from dragoman.web.cat import pages as cat_pages
from dragoman.web.cat.workbench import Workbench
from dragoman.web.counters import Measures
from dragoman.web.desk import Desk
from dragoman.web.desk import api as desk_api
from dragoman.web.desk import pages as desk_pages
from dragoman.web.dialects import casmacat, deepl, google, libretranslate
from dragoman.web.guard import policy_of
from dragoman.web.imports import Imports
from dragoman.web.lanes import Lane
from dragoman.web.middleware import Around, BodyLimits
from dragoman.web.models import pages as models_pages
from dragoman.web.models import quality_api, translation_api
from dragoman.web.models.engines import Engines
from dragoman.web.models.estimators import Estimators
from dragoman.web.objects import named_by
from dragoman.web.pulse import Pulse
from dragoman.web.rendering import STATIC
from dragoman.web.settings import Settings
from dragoman.web.tasks import pages as task_pages
from dragoman.web.tasks.shelf import Tasks

__all__ = ["ROUTERS", "ROUTES", "check_policies", "create_app", "routes_of"]

_ABOUT = """Everything that the pages can do. Programs that translate, score or estimate come with a token, as header
`Authorization: Bearer`. For all else sign in with `POST /api/v1/session`: the answer sets a cookie and carries `csrf`,
which goes into the header `X-CSRF-Token` of every request that changes something. Errors are objects with `status`,
`kind` and `message`."""


# Every router of the server. A router states its prefix itself, so that a route knows its whole path.
ROUTERS: list[APIRouter] = [
    session_api.ROUTER,
    work_api.ROUTER,
    managing_api.ROUTER,
    results_api.ROUTER,
    people_api.ROUTER,
    service.ROUTER,
    session_pages.ROUTER,
    work_pages.ROUTER,
    managing_pages.ROUTER,
    people_pages.ROUTER,
    tokens_pages.ROUTER,
    results_pages.ROUTER,
    patterns_page.ROUTER,
    desk_api.ROUTER,
    desk_api.PROGRAMS,
    desk_pages.ROUTER,
    translation_api.ROUTER,
    quality_api.ROUTER,
    models_pages.ROUTER,
    task_pages.ROUTER,
    projects_api.ROUTER,
    segments_api.ROUTER,
    review_api.ROUTER,
    log_api.ROUTER,
    pen_api.ROUTER,
    exchange_api.ROUTER,
    cat_pages.ROUTER,
    socket.ROUTER,
    libretranslate.ROUTER,
    deepl.ROUTER,
    google.ROUTER,
    casmacat.ROUTER,
]


def _together(routers: list[APIRouter]) -> list[BaseRoute]:
    errors: dict[int | str, dict[str, Any]] = {
        "4XX": {"model": ErrorBody, "description": "what is wrong with the request"},
        "5XX": {"model": ErrorBody, "description": "what is wrong with the server"},
    }
    together = APIRouter(responses=errors)
    for router in routers:
        together.include_router(router)
    return together.routes


# The same for all apps of a process: at its first request FastAPI analyses every route, which takes 50 ms.
ROUTES = _together(ROUTERS)


def create_app(store: Store, settings: Settings | None = None) -> FastAPI:
    """The server as an ASGI app over a database that has its present shape (`Store.migrate`)."""
    settings = settings or Settings()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        from anyio.to_thread import current_default_thread_limiter

        # As many threads as connections: a request that runs never waits for one.
        current_default_thread_limiter().total_tokens = settings.threads
        app.state.pulse.begin()
        yield
        app.state.measures.close()
        store.close()

    app = FastAPI(
        title="Dragoman",
        version=__version__,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=life,
    )
    app.state.store = store
    app.state.settings = settings
    app.state.pulse = Pulse(Probe(store))
    app.state.measures = Measures(settings.metrics_folder)
    app.state.address = _address
    app.state.imports = Imports(settings)
    app.state.lanes = {
        "desk": Lane("scoring jobs", settings.desk_jobs, most=4 * settings.desk_jobs, seconds=settings.desk_seconds),
        "engines": Lane("translations", settings.engine_calls, most=4 * settings.engine_calls, seconds=30.0),
        "imports": app.state.imports.lane,
    }
    app.state.desk = Desk(seconds=settings.desk_seconds, memory=settings.desk_memory, jobs=settings.desk_jobs)
    app.state.engines = Engines(settings.engines, seconds=settings.engine_seconds, tell=app.state.measures.engine)
    app.state.estimators = Estimators(settings.quality)
    app.state.tasks = Tasks(settings.tasks)
    app.state.recogniser = RECOGNISERS.make(settings.recogniser)
    app.state.cat = Workbench(
        store, app.state.engines, settings.learning, repairers=settings.repairers, threads=settings.threads
    )
    app.router.routes.extend(ROUTES)
    app.mount("/static", StaticFiles(directory=STATIC, packages=[("dragoman.report", "static")]), name="static")
    add_handlers(app)
    app.add_middleware(BodyLimits, max_body=settings.max_body, body_seconds=settings.body_seconds)
    app.add_middleware(Around, measures=app.state.measures)
    check_policies(app)
    app.state.scopes = _scopes(app)
    return app


def routes_of(app: FastAPI) -> Iterator[APIRoute | APIWebSocketRoute]:
    """All routes of the app, through the routers that FastAPI keeps inside each other."""
    waiting = list(app.routes)
    for route in waiting:
        inner = getattr(route, "original_router", None)
        if isinstance(route, APIRoute | APIWebSocketRoute):
            yield route
        elif inner is not None:
            waiting += inner.routes
        elif not isinstance(route, Mount):
            raise TypeError(f"{route!r} is no route that can state a policy.")


def check_policies(app: FastAPI) -> None:
    """Refuse to start with a route without a policy, or with one that does not look at what the address names."""
    for route in routes_of(app):
        policy = policy_of(route)
        if policy is None:
            raise TypeError(f"The route {route.path} states no policy; give it one of `dragoman.web.guard`.")
        unseen = sorted(named_by(route) - policy.names)
        if unseen:
            raise TypeError(
                f"The route {route.path} names a {unseen[0]}, and its policy {policy!r} does not look at it; give it "
                "one of `dragoman.web.objects`, or of those for campaigns."
            )


def _scopes(app: FastAPI) -> dict[tuple[str, str], str | None]:
    """By method and path, the scope of the tokens that open a route."""
    pairs = ((route, getattr(policy_of(route), "scope", None)) for route in routes_of(app))
    return {(method, route.path): scope for route, scope in pairs for method in getattr(route, "methods", ())}


def _address(request: Request) -> str:
    """The public address of the server, for links: as set, or as the request has it."""
    settings: Settings = request.app.state.settings
    return settings.address if settings.url else str(request.base_url).rstrip("/")
