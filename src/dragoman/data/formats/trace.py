"""Decoder traces: a line of JSON a sentence, from our engine or, by import, from any."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.formats.base import Format
from dragoman.data.traces import Forced, GraphSummary, Spread, Trace, Traces
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.notation import parse_json

__all__ = ["TraceFormat", "trace_line"]

_FIELDS = {"source", "tokens", "nbest", "phrases", "links", "graph", "forced"}
_COUNTS = ("nodes", "dead", "arcs", "options", "option_words")


@dataclass(frozen=True)
class TraceFormat(Format):
    """A JSON object a sentence: what an engine thought of, and how it searched.

    `source` is the line that was translated, `tokens` how the engine reads it. `nbest` lists translations, best first,
    each with `text` (tokens), `score` and perhaps `features` (numbers by name). `phrases` cut the best one: source
    begin and end, target begin and end, ends not counted; `links` are its word alignment. `graph` has `nodes`, `dead`
    ones, `arcs`, `options`, their `option_words`, and `spreads`: mean, variance, least and most of each score over the
    arcs. `forced` is a given output said again by the engine: its `score`, and how many words no phrase helped with.
    """

    name: ClassVar[str] = "trace"
    holds: ClassVar[type] = Traces
    suffixes: ClassVar[tuple[str, ...]] = (".trace",)

    def read(self, path: StrPath) -> Traces:
        """The traces; the file is opened when they are iterated."""
        return Traces(_TraceFile(os.fspath(path)))

    def write(self, value: Traces, path: StrPath) -> None:
        """Write one sentence a line."""
        write_lines(path, map(trace_line, value))


@dataclass(frozen=True)
class _TraceFile:
    path: str

    def __iter__(self) -> Iterator[Trace]:
        for number, line in enumerate(iter_lines(self.path), start=1):
            try:
                yield _parse(line)
            except DataError as error:
                raise FormatError(str(error), path=self.path, line=number) from None


def trace_line(trace: Trace) -> str:
    """A trace as a line of JSON."""
    entries: list[dict[str, Any]] = []
    for place, (text, score) in enumerate(zip(trace.texts, trace.scores, strict=True)):
        entry: dict[str, Any] = {"text": text, "score": score}
        if place < len(trace.features):
            entry["features"] = {name: list(values) for name, values in trace.features[place].items()}
        entries.append(entry)
    fields: dict[str, Any] = {"source": trace.source}
    if trace.tokens:
        fields["tokens"] = trace.tokens
    fields["nbest"] = entries
    if trace.phrases:
        fields["phrases"] = [list(each) for each in trace.phrases]
    if trace.links:
        fields["links"] = " ".join(f"{s}-{t}" for s, t in trace.links)
    if trace.graph is not None:
        graph = trace.graph
        counts = {name: value for name in _COUNTS if (value := getattr(graph, name)) is not None}
        spreads = {name: [each.mean, each.variance, each.least, each.most] for name, each in graph.spreads.items()}
        fields["graph"] = {**counts, "spreads": spreads}
    if trace.forced is not None:
        fields["forced"] = vars(trace.forced)
    try:
        return json.dumps(fields, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise DataError(f"The trace of {trace.source[:60]!r} has a number that is not finite.") from None


def _parse(line: str) -> Trace:
    values = parse_json(line, finite=True)
    if not isinstance(values, dict):
        raise DataError("expected an object with the trace of a sentence.")
    unknown = sorted(set(values) - _FIELDS)
    if unknown or not isinstance(values.get("source"), str):
        raise DataError(
            f"a trace has no field {unknown[0]!r}; known: {', '.join(sorted(_FIELDS))}."
            if unknown
            else "a trace needs its source, a string."
        )
    entries = values.get("nbest", [])
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise DataError("nbest is a list of objects with text and score.")
    with_features = [_scores(each["features"]) for each in entries if "features" in each]
    if any("features" not in each for each in entries[: len(with_features)]):
        raise DataError("features of translations stand with the first ones; one is left out between.")
    tokens = values.get("tokens", "")
    if not isinstance(tokens, str):
        raise DataError("tokens is a string.")
    return Trace(
        values["source"],
        tuple(_text(each.get("text")) for each in entries),
        tuple(_number(each.get("score"), "the score of a translation") for each in entries),
        tuple(with_features),
        tuple(_phrase(each) for each in _list(values.get("phrases", []), "phrases")),
        _links(values.get("links", "")),
        tokens,
        _graph(values["graph"]) if values.get("graph") is not None else None,
        _forced(values["forced"]) if values.get("forced") is not None else None,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise DataError(f"the text of a translation is {value!r}; expected a string.")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise DataError(f"{what} is {value!r}; expected a list.")
    return value


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise DataError(f"{what} is {value!r}; expected a number.")
    return float(value)


def _scores(value: Any) -> dict[str, tuple[float, ...]]:
    if not isinstance(value, dict):
        raise DataError(f"features is {value!r}; expected lists of numbers by name.")
    return {
        name: tuple(_number(each, f"feature {name!r}") for each in _list(values, f"feature {name!r}"))
        for name, values in value.items()
    }


def _phrase(value: Any) -> tuple[int, int, int, int]:
    whole = isinstance(value, list) and len(value) == 4
    if not whole or not all(isinstance(each, int) and not isinstance(each, bool) for each in value):
        raise DataError(f"a phrase is {value!r}; expected source begin, source end, target begin, target end.")
    return value[0], value[1], value[2], value[3]


def _links(value: Any) -> tuple[tuple[int, int], ...]:
    from dragoman.data.formats.pharaoh import parse_alignment

    if not isinstance(value, str):
        raise DataError(f"links is {value!r}; expected a string such as '0-0 1-2'.")
    return parse_alignment(value).sure


def _forced(value: Any) -> Forced:
    if not isinstance(value, Mapping) or set(value) != {"output", "score", "artificial"}:
        raise DataError("forced has output, score and artificial.")
    count = value["artificial"]
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise DataError(f"artificial words are {count!r}; expected a whole number.")
    return Forced(_text(value["output"]), _number(value["score"], "the forced score"), count)


def _graph(value: Any) -> GraphSummary:
    if not isinstance(value, Mapping):
        raise DataError(f"graph is {value!r}; expected counts by name.")
    counts: dict[str, Any] = {}
    for name in _COUNTS:
        count = value.get(name)
        if count is None and name in ("options", "option_words"):
            continue
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise DataError(f"{name} of the graph is {count!r}; expected a whole number.")
        counts[name] = count
    spreads = {}
    for name, numbers in dict(value.get("spreads", {})).items():
        each = [_number(number, f"the spread of {name!r}") for number in _list(numbers, f"the spread of {name!r}")]
        if len(each) != 4:
            raise DataError(f"the spread of {name!r} has {len(each)} numbers; expected mean, variance, least, most.")
        spreads[name] = Spread(*each)
    return GraphSummary(**counts, spreads=spreads)
