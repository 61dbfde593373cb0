"""The last searches of a decoder: who asks for a translation of a sentence mostly asks to go on from one next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from dragoman.smt.hypergraph import SearchGraph

__all__ = ["RecentSearches"]

_MOST = 32  # graphs; one of a sentence of 40 words takes about 150 kB


class RecentSearches:
    """Graphs by what was searched for and the state of the models then; the oldest go first. For any thread."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._graphs: OrderedDict[Hashable, SearchGraph] = OrderedDict()
        self._lock = Lock()

    def graph(self, key: Hashable, search: Callable[[], SearchGraph]) -> SearchGraph:
        """The graph of a key; it is searched for if it is not one of the last."""
        with self._lock:
            if key in self._graphs:
                self._graphs.move_to_end(key)
                return self._graphs[key]
        graph = search()
        with self._lock:
            self._graphs[key] = graph
            while len(self._graphs) > self._most:
                self._graphs.popitem(last=False)
        return graph
