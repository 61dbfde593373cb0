"""Dask clusters of real processes: a scheduler and its workers, on ports of the system's choice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass
class Cluster:
    """A scheduler, whose address is known, and its workers."""

    folder: Path
    address: str = ""
    scheduler: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self) -> None:
        about = self.folder / "scheduler.json"
        self.scheduler = self._run("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                                   "--scheduler-file", str(about))  # fmt: skip
        deadline = time.monotonic() + 60
        while not self.address:
            if about.is_file() and about.stat().st_size:
                self.address = json.loads(about.read_text())["address"]
            assert time.monotonic() < deadline, (self.folder / "log").read_text()
            time.sleep(0.05)

    def add_worker(self, *options: str, nanny: bool = False) -> subprocess.Popen[bytes]:
        keeper = "--nanny" if nanny else "--no-nanny"
        place = ("--no-dashboard", "--local-directory", str(self.folder))
        limits = ("--nthreads", "1", "--memory-limit", "0", "--death-timeout", "60")
        worker = self._run("dask_worker", self.address, keeper, *place, *limits, *options)
        self.workers.append(worker)
        return worker

    def _run(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    def stop(self) -> None:
        for process in (*self.workers, *([self.scheduler] if self.scheduler else [])):
            process.terminate()
        for process in (*self.workers, *([self.scheduler] if self.scheduler else [])):
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def running_cluster(folder: Path, n_workers: int = 2, *options: str, nanny: bool = False) -> Iterator[Cluster]:
    folder.mkdir(parents=True, exist_ok=True)
    cluster = Cluster(folder)
    try:
        cluster.start()
        for _ in range(n_workers):
            cluster.add_worker(*options, nanny=nanny)
        yield cluster
    finally:
        cluster.stop()
