"""Things computed from content, kept by the content's digest: asked for again, they need not be computed again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["ContentCache"]

T = TypeVar("T")


class ContentCache(Generic[T]):
    """The things used last, as many as fit into `capacity` bytes. Safe to share between threads."""

    def __init__(self, capacity: int, size: Callable[[T], int]) -> None:
        self.capacity = capacity
        self._size = size
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._held = 0
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What stands under `key`, made if it is not there. A thing larger than the whole cache is made, not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()  # without the lock: two threads may make the same thing, and one of them is kept
        with self._lock:
            size = self._size(made)
            if key not in self._kept and size <= self.capacity:
                self._kept[key] = made
                self._held += size
                while self._held > self.capacity:
                    self._held -= self._size(self._kept.popitem(last=False)[1])
        return made

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._held = 0

    @property
    def n_bytes(self) -> int:
        """How much is held."""
        return self._held

    def __len__(self) -> int:
        return len(self._kept)
