"""Counters of requests in Prometheus' text form, summed over all workers.

Each worker leaves its counters in a file of the shared folder, at most once a second; whichever worker is asked adds
the files up. Facts about campaigns come from the database, which all workers share anyway.

Not by prometheus-client: it shares counters between workers by an environment variable that is read when it is first
imported, for the whole process, so that two apps of one process could not count apart; and a request's 6 µs are few.
"""

from __future__ import annotations

import json
import os
import threading
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from dragoman import __version__

__all__ = ["Measures"]

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


class Measures:
    """The counters of this process."""

    def __init__(self, folder: str = "") -> None:
        self._folder = Path(folder) if folder else None
        self._counts: Counter[str] = Counter()
        self._mutex = threading.Lock()
        self._written = 0.0

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request by route (not by address: those are endless)."""
        label = f'method="{method}",route="{route}"'
        with self._mutex:
            self._counts[f'dragoman_requests_total{{{label},status="{status}"}}'] += 1
            for bound in (*_BOUNDS[bisect_left(_BOUNDS, seconds) :], "+Inf"):
                self._counts[f'dragoman_request_seconds_bucket{{{label},le="{bound}"}}'] += 1
            self._counts[f"dragoman_request_seconds_count{{{label}}}"] += 1
            self._counts[f"dragoman_request_seconds_sum{{{label}}}"] += seconds  # type: ignore[assignment]
        self._share()

    def engine(self, name: str, what: str) -> None:
        """Count a failure of an engine of others, or a request that was refused because of such."""
        with self._mutex:
            self._counts[f'dragoman_engine_{what}_total{{engine="{name}"}}'] += 1

    def resting(self, engines: Mapping[str, bool]) -> None:
        """Note which engines of others this worker leaves alone just now; the sum is over workers."""
        with self._mutex:
            for name, is_resting in engines.items():
                self._counts[f'dragoman_engine_resting{{engine="{name}"}}'] = int(is_resting)

    def count(self, name: str, n: int = 1) -> None:
        """Count something that happened n times."""
        if n:
            with self._mutex:
                self._counts[f"dragoman_{name}_total"] += n

    def _share(self, *, now: bool = False) -> None:
        if self._folder is None or (not now and time.monotonic() - self._written < 1):
            return
        with self._mutex:
            self._written = time.monotonic()
            final = self._folder / f"{os.getpid()}.json"
            temporary = final.with_suffix(f".{threading.get_ident()}")
            temporary.write_text(json.dumps(self._counts), encoding="utf-8")
            temporary.replace(final)

    def close(self) -> None:
        """Leave the last counts."""
        self._share(now=True)

    def text(self, facts: Mapping[str, int]) -> str:
        """Everything in Prometheus' text form, with facts of the database."""
        self._share(now=True)
        total: Counter[str] = Counter()
        if self._folder is None:
            total.update(self._counts)
        else:
            for path in self._folder.glob("*.json"):
                total.update(json.loads(path.read_text(encoding="utf-8")))
        lines = [
            "# TYPE dragoman_info gauge",
            f'dragoman_info{{version="{__version__}"}} 1',
            "# TYPE dragoman_requests_total counter",
            "# TYPE dragoman_request_seconds histogram",
            "# TYPE dragoman_engine_failures_total counter",
            "# TYPE dragoman_engine_refusals_total counter",
            "# TYPE dragoman_engine_resting gauge",
            "# TYPE dragoman_answers_saved_total counter",
            "# TYPE dragoman_answers_refused_total counter",
        ]
        lines += [f"{name} {value:g}" for name, value in sorted(total.items())]
        for name, value in facts.items():
            lines += [f"# TYPE dragoman_{name} gauge", f"dragoman_{name} {value}"]
        return "\n".join(lines) + "\n"
