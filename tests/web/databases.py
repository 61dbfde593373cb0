"""Databases to test on: SQLite files, and PostgreSQL from a cluster that is made for the tests and thrown away."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

__all__ = ["Cluster", "cluster", "programs"]


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, the newest, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    anywhere = shutil.which("initdb")
    return Path(anywhere).parent if anywhere else None


class Cluster:
    """A running PostgreSQL that only this machine's users can reach, by a socket in its folder."""

    def __init__(self, bin_folder: Path, folder: Path, *, fsync: bool = False) -> None:
        self.bin = bin_folder
        self.folder = folder
        self.fsync = "on" if fsync else "off"

    def run(self, program: str, *words: str) -> None:
        command = [str(self.bin / program), *words]
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.folder)
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        options = f"-k {self.folder} -h '' -c fsync={self.fsync} -c max_connections=100"
        self.run(
            "pg_ctl", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-o", options, "-w", "start"
        )

    def stop(self, mode: str = "fast") -> None:
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop")

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://postgres@/{database}?host={self.folder}"

    def make(self, template: str = "template1") -> str:
        """A fresh database; its name."""
        name = f"d{uuid.uuid4().hex[:12]}"
        self._do(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, name: str) -> None:
        """Take a database away while its files are not on the disk yet: hundreds of them cost minutes at the end."""
        self._do(f"DROP DATABASE {name} WITH (FORCE)")

    def _do(self, statement: str) -> None:
        engine = sa.create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
        with engine.connect() as connection:
            connection.exec_driver_sql(statement)


@contextmanager
def cluster(bin_folder: Path, *, fsync: bool = False) -> Iterator[Cluster]:
    """A cluster for a while. Tests need no disk; who measures one asks for `fsync`."""
    folder = Path(tempfile.mkdtemp(prefix="dragoman-pg-"))
    made = Cluster(bin_folder, folder, fsync=fsync)
    if os.geteuid() == 0:
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    try:
        made.run(
            "initdb", "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"
        )
        made.start()
        yield made
        made.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
