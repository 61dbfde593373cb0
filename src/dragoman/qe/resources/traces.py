"""Decoder traces as a resource: what an engine, the translating one or another, did with the sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256

from dragoman.data.formats.trace import trace_line
from dragoman.data.traces import Trace
from dragoman.errors import DataError

__all__ = ["TraceIndex"]


class TraceIndex:
    """Traces by their source. Of several of one source, the one of the output is taken: forced to it, or its best."""

    def __init__(self, traces: Iterable[Trace]) -> None:
        self._by_source: dict[str, list[Trace]] = {}
        for trace in traces:
            self._by_source.setdefault(_key(trace.source), []).append(trace)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of all traces, for those who keep what was made of them."""
        mark = sha256()
        for trace in (each for traces in self._by_source.values() for each in traces):
            mark.update(trace_line(trace).encode("utf-8", "surrogatepass") + b"\n")
        return mark.hexdigest()

    def __len__(self) -> int:
        """The number of traces."""
        return sum(map(len, self._by_source.values()))

    def of(self, sources: Sequence[str], outputs: Sequence[str]) -> list[Trace]:
        """The trace of each sentence."""
        chosen = []
        for number, (source, output) in enumerate(zip(sources, outputs, strict=True), start=1):
            traces = self._by_source.get(_key(source))
            if traces is None:
                raise DataError(
                    f"There is no trace of sentence {number}, {source[:60]!r}. Translate the same lines with --trace, "
                    "or name the engine."
                )
            own = _key(output)
            forced = (each for each in traces if each.forced is not None and _key(each.forced.output) == own)
            best = (each for each in traces if _key(each.best) == own)
            chosen.append(next(forced, None) or next(best, traces[0]))
        return chosen


def _key(text: str) -> str:
    return " ".join(text.split())
