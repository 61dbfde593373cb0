"""Traces of our own engine."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.smt import Engine, stream_traces

LINES = ["Where is the station?", "", "I would like a zzyzx."]


def test_a_trace_tells_what_decoding_gives(engine: Engine) -> None:
    traces = list(stream_traces(engine, LINES, n_best=5, features=2))
    tokens = engine.source.prepare(LINES)
    decoded = engine.decode(tokens, n_best=5, features=True)
    graphs = engine.graphs(tokens, features=True)
    assert [trace.source for trace in traces] == LINES
    for number, trace in enumerate(traces):
        paths = decoded.paths(number)
        assert list(trace.texts) == [decoded.texts[path] for path in paths]
        assert list(trace.scores) == pytest.approx([float(decoded.scores[path]) for path in paths])
        assert len(trace.features) == min(2, len(paths))
        values = [value for values in trace.features[0].values() for value in values]
        assert values == pytest.approx(decoded.features[paths[0]].tolist())
        # Phrases cut the whole translation, and cover each source word once.
        covered = sorted(place for begin, end, _, _ in trace.phrases for place in range(begin, end))
        assert covered == list(range(len(tokens[number].split())))
        assert [begin for _, _, begin, _ in trace.phrases] == [0, *(end for _, _, _, end in trace.phrases)][:-1]
        graph, summary = graphs[number].core, trace.graph
        assert summary is not None
        real = graph.arc_phrases != 2**32 - 1
        assert summary.arcs == int(real.sum())
        assert summary.nodes - summary.dead == graph.n_nodes - 1  # but for the end
        assert summary.nodes >= summary.dead >= 0
        if not summary.arcs:
            continue
        assert summary.options is not None
        assert summary.option_words is not None
        assert summary.options <= summary.option_words
        for place, name in enumerate(engine.feature_names):
            column = graph.arc_features[real][:, place].astype(np.float64)
            spread = summary.spreads[name]
            assert spread.mean == pytest.approx(column.mean(), abs=1e-4)
            assert spread.deviation == pytest.approx(column.std(), abs=1e-4)
            assert (spread.least, spread.most) == pytest.approx((column.min(), column.max()), abs=1e-4)
        assert summary.spreads["score"].mean == pytest.approx(graph.arc_scores[real].mean(), abs=1e-4)
        assert summary.spreads["future"].most <= 0 or summary.spreads["future"].most >= summary.spreads["future"].least


def test_given_outputs_are_said_again(engine: Engine) -> None:
    best = [trace.best for trace in stream_traces(engine, LINES)]
    own, _, unknown = stream_traces(engine, LINES, outputs=best)
    assert own.forced is not None
    assert own.forced.output == best[0]
    assert own.forced.artificial == 0
    assert own.forced.score == pytest.approx(own.scores[0], abs=1e-3)
    assert unknown.forced is not None
    assert unknown.forced.artificial >= 1
    (foreign,) = stream_traces(engine, LINES[:1], outputs=["qwert zuiop"])
    assert foreign.forced is not None
    assert foreign.forced.artificial > 2
    with pytest.raises(DataError, match="lines=3, outputs=1"):
        next(stream_traces(engine, LINES, outputs=["a"]))


def test_threads_change_nothing(engine: Engine) -> None:
    once = list(stream_traces(engine, LINES * 3, n_best=3))
    for n_threads in (2, 7):
        assert list(stream_traces(engine, LINES * 3, n_best=3, n_threads=n_threads)) == once


def test_less_can_be_asked_for(engine: Engine) -> None:
    (trace,) = stream_traces(engine, LINES[:1], n_best=2, features=0, graph=False)
    assert trace.features == ()
    assert trace.graph is None
    with pytest.raises(DataError, match="0 translations or more, got features=-1"):
        next(stream_traces(engine, LINES, features=-1))
