"""A real server in processes of its own, for what an app in the test's process cannot show."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import httpx

__all__ = ["Running"]


class Running:
    """`dragoman serve` as a process group, to be asked, stopped or killed."""

    def __init__(self, db: str, *words: str, log: Path) -> None:
        self.log = log
        command = [
            str(Path(sys.executable).with_name("dragoman")),
            "serve",
            "--json",
            "--port",
            "0",
            "--db",
            db,
            *words,
        ]
        self._errors = log.open("ab")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True, cwd=log.parent
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, log.read_text()
        self.opening = json.loads(line)["rows"][0]
        self.address: str = self.opening["address"]
        for _ in range(600):
            try:
                if httpx.get(f"{self.address}/health", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError(log.read_text())

    def kill(self) -> None:
        """As a power cut would: all processes at once, no word said."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._close()

    def stop(self) -> int:
        self.process.terminate()
        code = self.process.wait(timeout=60)
        self._close()
        return code

    def _close(self) -> None:
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._errors.close()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.kill()
