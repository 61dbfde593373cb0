"""The server as a process: database brought up to date, workers started, everything stopped in order."""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.cat.project_engines import engine_remark
from dragoman.errors import DataError
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.database import Store
from dragoman.store.people.accounts import has_admin
from dragoman.store.people.invites import first_link, withdraw_first_links
from dragoman.store.people.local import make_local
from dragoman.store.translating.engines import ServedEngine, ServedEngines, record_engines
from dragoman.store.translating.projects import projects_with_engines
from dragoman.web import logs
from dragoman.web.app import create_app
from dragoman.web.heads import LimitedProtocol
from dragoman.web.models.engines import Engines
from dragoman.web.models.estimators import Estimators
from dragoman.web.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI
    from sqlalchemy import Connection

__all__ = ["Opening", "app_of_environment", "open_house", "serve"]

_GRACE = 10  # seconds that running requests have to end when the server stops
_SILENCE = 60  # seconds after which a worker that says nothing is replaced: on a busy machine it starts that slowly
_FIRST_HOURS = 24


@dataclass(frozen=True)
class Opening:
    """What whoever starts the server is told."""

    address: str
    database: str
    before: str | None  # the database's shape before; None if it was made now
    after: str
    first_admin: str | None  # a link that makes the first admin, where there is none
    open_to_others: bool = False  # other users of this machine may read the database's file
    learn_nothing: tuple[tuple[str, str], ...] = ()  # engines that cannot learn though they are asked to, and why
    engine_remarks: tuple[str, ...] = ()  # projects whose engine does not fit, is not served, or is an old copy


def _checked_engines(settings: Settings) -> tuple[tuple[tuple[str, str], ...], ServedEngines]:
    """Load every engine once; those that cannot learn, with the reason, where engines shall, and what is served."""
    engines = Engines(settings.engines)
    examined = engines.examined()
    unable = ((name, why) for name, (_, why) in examined.items() if why) if settings.learning else ()
    folders = {name: Path(folder).resolve() for name, folder in engines.folders.items()}
    served = {
        name: ServedEngine(*pair, str(folders[name]) if folders[name].is_dir() else "")
        for name, (pair, _) in examined.items()
    }
    learning = str(Path(settings.learning).resolve()) if settings.learning else ""
    return tuple(unable), ServedEngines(served, learning)


def open_house(settings: Settings, served: ServedEngines | None = None) -> Opening:
    """Bring the database up to date; make a link for the first admin if there is none yet."""
    store = Store(settings.db, threads=2)
    with closing(store):
        before, after = store.migrate()
        with store.write() as connection:
            link = None
            remarks = _recorded(connection, served) if served is not None else ()
            if not settings.local and not has_admin(connection):
                link = first_link(
                    connection, secret=store.secret, address=settings.address, hours=_FIRST_HOURS, actor=COMMAND_LINE
                )
            else:
                withdraw_first_links(connection, actor=COMMAND_LINE)
            if settings.local:
                make_local(connection)
        is_open = store.is_open_to_others
        return Opening(settings.address, store.name, before, after, link, is_open, engine_remarks=remarks)


def _recorded(connection: Connection, served: ServedEngines) -> tuple[str, ...]:
    """Record what is served for commands; what is wrong with the engines of projects."""
    record_engines(connection, served)
    return tuple(told for each in projects_with_engines(connection) if (told := engine_remark(each, served)))


def app_of_environment() -> FastAPI:
    """The app of a worker process, by the settings that `serve` put into the environment."""
    settings = Settings.from_environment()
    logs.configure(settings.log_level)
    return create_app(Store(settings.db, threads=settings.connections), settings)


def serve(settings: Settings, *, announce: Callable[[Opening], None] | None = None) -> None:
    """Serve until stopped (Ctrl-C, SIGTERM): running requests end first, then the workers."""
    import uvicorn

    with _held_port(settings) as port, tempfile.TemporaryDirectory(prefix="dragoman-") as folder:
        settings = replace(settings, port=port, metrics_folder=folder)
        learn_nothing, served = _checked_engines(settings)
        Estimators(settings.quality).check()
        opening = replace(open_house(settings, served), learn_nothing=learn_nothing)
        if announce is not None:
            announce(opening)
        os.environ.update(settings.to_environment())
        # Uvicorn raises the signal that stopped it once more when all is done; then it has nothing to stop any more.
        signal.signal(signal.SIGTERM, lambda *_: None)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # a closed terminal ends it as orderly
            signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
        uvicorn.run(
            "dragoman.web.serving:app_of_environment",
            factory=True,
            host=settings.host,
            port=settings.port,
            workers=settings.workers,
            log_config=logs.uvicorn_config(settings.log_level),
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_GRACE,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=settings.proxies or None,
            timeout_keep_alive=30,
            ws="auto",
            ws_max_size=1 << 20,
            http=LimitedProtocol,
            timeout_worker_healthcheck=_SILENCE,
        )


@contextmanager
def _held_port(settings: Settings) -> Iterator[int]:
    """The port to serve at, any free one for 0; kept from others until the server has it.

    Linux lets two sockets have a port as long as one of them listens at most: ours is there from the check to the end,
    so nobody can come between while the database is brought up to date. Elsewhere the port is checked and let go.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with closing(socket.socket(family)) as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            held.bind((settings.host, settings.port))
        except OSError as error:
            message = f"Port {settings.port} of {settings.host} is taken; name another with --port."
            raise DataError(message) from error
        port = int(held.getsockname()[1])
        if sys.platform != "linux":
            held.close()
        yield port
