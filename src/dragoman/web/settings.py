"""The settings of a server: one frozen object, handed to worker processes through the environment."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from ipaddress import ip_address, ip_network

from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.store.people.accounts import ROLES, User
from dragoman.store.people.services import BY_ROLE, SERVICES, services_of

__all__ = ["DEFAULT_DB", "ENVIRONMENT", "Settings"]

DEFAULT_DB = "dragoman.db"
ENVIRONMENT = "DRAGOMAN_SERVER"  # carries the settings of `dragoman serve` to its workers, as JSON
_HOST = re.compile(r"(?:\[([\w:.%]+)\]|([\w.-]+))(?::\d{1,5})?", re.ASCII)  # [IPv6] or a name, perhaps a port


@dataclass(frozen=True)
class Settings(Recipe):
    """What can be set; the texts of the fields stand in the guide."""

    db: str = option(DEFAULT_DB, text="database: a SQLite file or a SQLAlchemy URL")
    host: str = option("127.0.0.1", text="address to listen at; 0.0.0.0 for all")
    port: int = option(8000, low=0, high=65535, text="port to listen at; 0 takes a free one")
    workers: int = option(1, low=1, text="worker processes")
    url: str = option("", text="public address, for links in invitations; by default host and port")
    hosts: tuple[str, ...] = option(
        (), text="names of this server; by default localhost, the host it listens at, and any IP address"
    )
    proxies: str = option("", text="addresses of reverse proxies whose X-Forwarded headers count")
    session_hours: int = option(72, low=1, text="a session ends after so many hours without a request")
    max_body: int = option(16 << 20, low=1024, text="largest body of a request, in bytes")
    body_seconds: float = option(30.0, low=0.05, text="longest time to send a body")
    login_tries: int = option(
        10, low=1, text="failed logins per account in a quarter of an hour; five times that per address"
    )
    requests_per_minute: int = option(600, low=1, text="changes a person or address may make in a minute")
    threads: int = option(16, low=1, text="requests a worker serves at a time, and its connections")
    desk_seconds: float = option(60.0, low=0.05, text="longest time of one job on the scoring pages")
    desk_memory: int = option(4 << 30, low=1 << 28, text="most memory of one such job, in bytes")
    desk_jobs: int = option(2, low=1, text="such jobs that a worker does at a time")
    import_seconds: float = option(60.0, low=0.05, text="longest time to read an uploaded document, memory or package")
    import_memory: int = option(2 << 30, low=1 << 28, text="most memory to read one, in bytes")
    import_segments: int = option(100_000, low=1, text="most segments, or units of a memory, of one upload")
    import_characters: int = option(20_000_000, low=1, text="most characters of text of one upload")
    import_jobs: int = option(2, low=1, text="uploads that a worker reads at a time")
    engine_calls: int = option(8, low=1, text="requests for engines that a worker serves at a time")
    engine_seconds: float = option(20.0, low=0.05, text="longest time that a service or program of others may answer")
    engines: tuple[str, ...] = option((), text="engines that translate, as NAME=FOLDER; the first is the default")
    quality: tuple[str, ...] = option((), text="models that estimate quality, as NAME=FOLDER; the first is the default")
    repairers: tuple[str, ...] = option(
        (), text="folders of repairers, whose fixes the editor shows; of several for the same languages, the last"
    )
    tasks: tuple[str, ...] = option((), text="folders of shared tasks that teams submit to")
    learning: str = option(
        "", text="folder in which engines keep what they learn, a copy for each project; empty: they learn nothing"
    )
    recogniser: str = option("points", text="who reads pen strokes: a handwriting recogniser, as NAME:OPTIONS")
    public_metrics: bool = option(False, text="whether everybody may see /metrics, not only admins")
    local: bool = option(
        False, text="serve this machine alone, without login: whoever can reach it from here is its admin"
    )
    own_campaigns: bool = option(
        False, text="whether managers act only on campaigns, projects and memories that they made or were given"
    )
    services: tuple[str, ...] = option(
        (), text="what a role may ask of translate, score and quality, as ROLE=translate,score; ROLE= for nothing"
    )
    service_limits: tuple[str, ...] = option(
        (), text="requests for these services that an account of a role may make in a minute, as ROLE=NUMBER"
    )
    log_level: str = option(
        "info",
        choices=("debug", "info", "warning", "error"),
        text="how much is logged, as JSON lines on standard error",
    )
    metrics_folder: str = option("", text="where workers leave their counters for each other")

    def __post_init__(self) -> None:
        for name in ("engines", "quality", "repairers", "tasks", "hosts", "services", "service_limits"):
            object.__setattr__(self, name, tuple(getattr(self, name)))  # JSON has lists
        self.check()
        self.services_by_role, self.limits_by_role  # noqa: B018 - what is wrong with them is said at once
        if self.local:
            self._check_local()
        self._check_proxies()

    def _check_proxies(self) -> None:
        """The server knows who speaks to it by address alone: a name would be trusted by nobody, and say so nowhere."""
        for each in filter(None, map(str.strip, self.proxies.split(","))):
            try:
                if each != "*":
                    ip_network(each)
            except ValueError:
                raise DataError(
                    f"Invalid value for --proxies: {each[:60]!r} is neither an address (127.0.0.1) nor a network "
                    "(172.16.0.0/12, with the bits behind its length 0). Names of hosts are not looked up."
                ) from None

    def _check_local(self) -> None:
        """Without login nobody but this machine may reach the server, under no name but its own."""
        if not _is_loopback(self.host):
            raise DataError(
                f"--local serves this machine alone, so it cannot listen at {self.host!r}; leave out --host, or serve "
                "others without --local."
            )
        for name, value in (("--url", self.url), ("--proxies", self.proxies), ("--name", " ".join(self.hosts))):
            if value:
                raise DataError(f"--local serves this machine alone; leave out {name} {value}.")

    @property
    def connections(self) -> int:
        """The connections to the database that a worker may need: as many as threads that work with it."""
        return self.threads + self.engine_calls + self.import_jobs

    @property
    def address(self) -> str:
        """Where people find the server."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.url or f"http://{host}:{self.port}").rstrip("/")

    @cached_property
    def services_by_role(self) -> dict[str, tuple[str, ...]]:
        """What a role may ask of the server's models."""
        given = {role: tuple(filter(None, value.split(","))) for role, value in self._by_role("services")}
        unknown = sorted({each for value in given.values() for each in value} - set(SERVICES))
        if unknown:
            raise DataError(f"There is no service {unknown[0]!r}. Known: {', '.join(SERVICES)}.")
        return {**BY_ROLE, **given}

    @cached_property
    def limits_by_role(self) -> dict[str, int]:
        """Requests for services that an account of a role may make in a minute."""
        given = dict(self._by_role("service_limits"))
        for role, value in given.items():
            if not value.isdecimal() or not 0 < int(value[:10]) <= 10**6:
                raise DataError(f"The limit {role}={value} is no number of requests from 1 to 1,000,000.")
        return {role: int(given.get(role, self.requests_per_minute)) for role in ROLES}

    def _by_role(self, name: str) -> list[tuple[str, str]]:
        pairs = [text.partition("=") for text in getattr(self, name)]
        for role, sign, value in pairs:
            if role not in ROLES or not sign:
                raise DataError(f"{role}{sign}{value} does not begin with ROLE=, a role of {', '.join(ROLES)}.")
        return [(role, value) for role, _, value in pairs]

    def bounded(self, user: User) -> User:
        """Somebody with what this server's settings say of the role: its bounds, and the services it may ask."""
        limited = self.own_campaigns and user.role == "manager"
        return replace(user, limited=limited, services=services_of(user, self.services_by_role))

    def is_called(self, host: str) -> bool:
        """Whether a request's `Host` names this server: links are made of it where no `url` is set.

        Somebody else can let a name of theirs point here, and a browser at that name would be at their site; nobody
        can do so with an address. With `url` links do not depend on it, and a proxy may send what it likes.
        """
        if self.url:
            return True
        parts = _HOST.fullmatch(host)
        if parts is None:
            return False
        name = (parts[1] or parts[2]).lower()
        if self.local:
            return _is_loopback(name)
        if name in ("localhost", self.host.lower(), *map(str.lower, self.hosts)):
            return True
        try:
            return bool(ip_address(name))
        except ValueError:
            return False

    def is_secure(self, scheme: str) -> bool:
        """Whether people reach the server by TLS, ending here or at a proxy: then cookies travel no other way."""
        return scheme == "https" or self.url.startswith("https://")

    def to_environment(self) -> dict[str, str]:
        """The variables from which `from_environment` makes the same settings."""
        return {ENVIRONMENT: json.dumps(asdict(self))}

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """The settings that `dragoman serve` passed on; the defaults without it."""
        values = json.loads((os.environ if environment is None else environment).get(ENVIRONMENT, "{}"))
        names = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in names})


def _is_loopback(host: str) -> bool:
    """Whether a name or an address is this machine's to itself."""
    try:
        return host.lower() == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
