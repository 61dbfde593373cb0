"""People who save without pause, each until the server confirms it, as the browser does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from types import TracebackType

from fastapi import FastAPI

from tests.web.client import Client
from tests.web.house import CAMPAIGN

__all__ = ["Savers"]

BASE = f"/api/v1/campaigns/{CAMPAIGN}"
PATIENCE = 120  # seconds until something that must happen counts as not happening


class Savers:
    """`hands` threads for each name; what was confirmed, how often they were sent away, and what nobody expects."""

    def __init__(self, app: FastAPI, names: Iterable[str], *, hands: int = 1) -> None:
        self.confirmed: list[list[str]] = []
        self.away: list[int] = []
        self.strange: list[str] = []
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._work, args=(number, app, name), daemon=True)
            for number, name in enumerate(name for name in names for _ in range(hands))
        ]
        for _ in self._threads:
            self.confirmed.append([])
            self.away.append(0)

    def _work(self, number: int, app: FastAPI, name: str) -> None:
        client = Client(app, name)
        item = client.get(f"{BASE}/work").json()["items"][0]["item"]
        n = 0
        while not self._over.is_set():
            n += 1
            event = {"key": f"{number}-{n}", "item": item, "answer": {"score": n % 100}}
            while True:
                answer = client.post(f"{BASE}/answers", json={"events": [event]})
                if answer.status_code == 200:
                    self.confirmed[number] += [each["key"] for each in answer.json()["saved"]]
                    break
                self.away[number] += 1
                if answer.status_code != 503:
                    self.strange.append(answer.text)
                    return
                time.sleep(0.05)

    @property
    def keys(self) -> list[str]:
        """All that was confirmed, sorted; a key stands as often as it was."""
        return sorted(key for own in self.confirmed for key in own)

    def until_saved(self) -> None:
        """Wait until everybody has saved three times more."""
        self._until(lambda: [len(own) for own in self.confirmed])

    def until_refused(self) -> None:
        """Wait until everybody was sent away three times more."""
        self._until(lambda: list(self.away))

    def _until(self, counts: Callable[[], list[int]]) -> None:
        begun, wanted = time.monotonic(), [count + 3 for count in counts()]
        while not self.strange and any(count < want for count, want in zip(counts(), wanted, strict=True)):
            assert time.monotonic() - begun < PATIENCE
            time.sleep(0.01)

    def __enter__(self) -> Savers:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()
