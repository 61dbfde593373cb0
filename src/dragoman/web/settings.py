"""The settings of a server: one frozen object, handed to worker processes through the environment."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from ipaddress import ip_address

from dragoman.errors import DataError

__all__ = ["DEFAULT_DB", "ENVIRONMENT", "Settings"]

DEFAULT_DB = "dragoman.db"
ENVIRONMENT = "DRAGOMAN_SERVER"  # carries the settings of `dragoman serve` to its workers, as JSON
_HOST = re.compile(r"(?:\[([\w:.%]+)\]|([\w.-]+))(?::\d{1,5})?", re.ASCII)  # [IPv6] or a name, perhaps a port


@dataclass(frozen=True)
class Settings:
    """What can be set; the texts of the fields stand in the guide."""

    db: str = field(default=DEFAULT_DB, metadata={"text": "database: a SQLite file or a SQLAlchemy URL"})
    host: str = field(default="127.0.0.1", metadata={"text": "address to listen at"})
    port: int = field(default=8000, metadata={"text": "port to listen at; 0 takes a free one"})
    workers: int = field(default=1, metadata={"text": "worker processes"})
    url: str = field(
        default="", metadata={"text": "public address, for links in invitations; by default host and port"}
    )
    hosts: tuple[str, ...] = field(
        default=(),
        metadata={"text": "names of this server; by default localhost, the host it listens at, and any IP address"},
    )
    proxies: str = field(default="", metadata={"text": "addresses of reverse proxies whose X-Forwarded headers count"})
    session_hours: int = field(default=72, metadata={"text": "a session ends after so many hours without a request"})
    max_body: int = field(default=16 << 20, metadata={"text": "largest body of a request, in bytes"})
    body_seconds: float = field(default=30.0, metadata={"text": "longest time to send a body"})
    login_tries: int = field(
        default=10, metadata={"text": "failed logins per account in a quarter of an hour; five times that per address"}
    )
    requests_per_minute: int = field(default=600, metadata={"text": "changes a person or address may make in a minute"})
    threads: int = field(default=16, metadata={"text": "requests a worker serves at a time, and its connections"})
    desk_seconds: float = field(default=60.0, metadata={"text": "longest time of one job on the scoring pages"})
    desk_memory: int = field(default=4 << 30, metadata={"text": "most memory of one such job, in bytes"})
    desk_jobs: int = field(default=2, metadata={"text": "such jobs that a worker does at a time"})
    engines: tuple[str, ...] = field(
        default=(), metadata={"text": "engines that translate, as NAME=FOLDER; the first is the default"}
    )
    quality: tuple[str, ...] = field(
        default=(), metadata={"text": "models that estimate quality, as NAME=FOLDER; the first is the default"}
    )
    public_metrics: bool = field(
        default=False, metadata={"text": "whether everybody may see /metrics, not only admins"}
    )
    own_campaigns: bool = field(
        default=False, metadata={"text": "whether managers act only on campaigns that they made or were given"}
    )
    log_level: str = field(default="info", metadata={"text": "debug, info, warning or error"})
    metrics_folder: str = field(default="", metadata={"text": "where workers leave their counters for each other"})

    def __post_init__(self) -> None:
        for name, low in (
            ("workers", 1), ("session_hours", 1), ("max_body", 1024), ("body_seconds", 0.05), ("login_tries", 1),
            ("requests_per_minute", 1), ("threads", 1), ("port", 0), ("desk_seconds", 0.05), ("desk_memory", 1 << 28),
            ("desk_jobs", 1),
        ):  # fmt: skip
            if getattr(self, name) < low:
                raise DataError(f"The setting {name} is {getattr(self, name)}; expected {low} or more.")
        for name in ("engines", "quality", "hosts"):
            object.__setattr__(self, name, tuple(getattr(self, name)))  # JSON has lists
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise DataError(f"The setting log_level is {self.log_level!r}; expected debug, info, warning or error.")

    @property
    def address(self) -> str:
        """Where people find the server."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.url or f"http://{host}:{self.port}").rstrip("/")

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
        known = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in known})
