"""What an engine does with sentences, for those who judge its output, or another engine's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from dragoman.data.parallel import check_parallel
from dragoman.data.traces import Forced, GraphSummary, Spread, Trace
from dragoman.errors import DataError
from dragoman.smt.constraints import Constraints
from dragoman.smt.decoded import Decoded
from dragoman.smt.decoder import Decoder
from dragoman.smt.search import SearchLimits

__all__ = ["stream_traces"]

_BATCH = 64  # lines for each thread
_OWN = ("score", "future")  # behind the engine's features: weighted score, estimate of what is still to come


def stream_traces(
    decoder: Decoder,
    lines: Iterable[str],
    *,
    outputs: Sequence[str] | None = None,
    n_best: int = 100,
    features: int = 1,
    graph: bool = True,
    limits: SearchLimits | None = None,
    n_threads: int = 1,
) -> Iterator[Trace]:
    """The trace of each line, in order, a few lines at a time.

    `features`: of so many of the best translations, the scores by name. `graph`: the search in a few numbers, which
    takes about as long again as the search. `outputs`: translations of the lines, by whomever, that the engine is to
    say again with its own phrases (forced decoding).
    """
    if features < 0:
        raise DataError(f"Scores by name are of 0 translations or more, got features={features}.")
    if outputs is not None:
        lines = list(lines)
        check_parallel({"lines": lines, "outputs": outputs})
    start = 0
    waiting = iter(lines)
    while batch := list(islice(waiting, _BATCH * n_threads)):
        tokens = decoder.source.prepare(batch, n_threads=n_threads)
        decoded = decoder.decode(
            tokens, n_best=n_best, features=features > 0, summary=graph, limits=limits, n_threads=n_threads
        )
        forced: Sequence[Forced | None] = [None] * len(batch)
        if outputs is not None:
            forced = _forced(decoder, tokens, outputs[start : start + len(batch)], limits, n_threads)
        start += len(batch)
        for number, (line, token_line, output) in enumerate(zip(batch, tokens, forced, strict=True)):
            yield replace(_trace(decoded, number, line, token_line, features), forced=output)


def _forced(
    decoder: Decoder, tokens: Sequence[str], outputs: Sequence[str], limits: SearchLimits | None, n_threads: int
) -> list[Forced | None]:
    """Outputs said again; none where the engine's limits leave no way."""
    targets = decoder.target.cased(outputs, n_threads=n_threads)
    asked = [Constraints(target=target, artificial=True) for target in targets]
    decoded = decoder.decode(tokens, features=True, limits=limits, constraints=asked, n_threads=n_threads)
    place, weight = decoded.feature_names.index("unknown"), decoder.weights["unknown"]
    forced: list[Forced | None] = []
    for number, output in enumerate(outputs):
        paths = decoded.paths(number)
        if not paths:
            forced.append(None)
            continue
        count = -float(decoded.features[paths[0], place])
        forced.append(Forced(output, float(decoded.scores[paths[0]]) + weight * count, round(count)))
    return forced


def _trace(decoded: Decoded, number: int, line: str, tokens: str, features: int) -> Trace:
    paths = decoded.paths(number)
    phrases, links = [], []
    if paths:
        at = 0
        for begin, end, n_words in decoded.phrases_of(paths[0]).tolist():
            phrases.append((begin, end, at, at + n_words))
            at += n_words
        links = sorted((source, target) for source, target in decoded.links_of(paths[0]).tolist())
    return Trace(
        line,
        tuple(decoded.texts[path] for path in paths),
        tuple(decoded.scores[paths.start : paths.stop].tolist()),
        tuple(_named(decoded.feature_names, decoded.features[path].tolist()) for path in paths[:features]),
        tuple(phrases),
        tuple(links),
        tokens,
        _summary(decoded, number) if decoded.summaries else None,
    )


def _named(names: Sequence[str], values: Sequence[float]) -> dict[str, tuple[float, ...]]:
    """Features of one model under one name, as Moses writes them."""
    groups: dict[str, list[float]] = {}
    for name, value in zip(names, values, strict=True):
        groups.setdefault(name.partition(".")[0], []).append(value)
    return {name: tuple(own) for name, own in groups.items()}


def _summary(decoded: Decoded, number: int) -> GraphSummary:
    search = decoded.summaries[number]
    names = (*decoded.feature_names, *_OWN)
    spreads = {
        name: Spread(each.mean, each.variance, each.least, each.most)
        for name, each in zip(names, search.spreads, strict=True)
    }
    return GraphSummary(search.n_nodes, search.n_dead, search.n_arcs, search.n_options, search.option_words, spreads)
