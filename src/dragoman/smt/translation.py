"""Translating lines of text, with what people may want to know about each translation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data.nbest import Candidate, NBest, NBestLists
from dragoman.files import StrPath
from dragoman.report import Column, Result, Table
from dragoman.smt.decoded import Decoded
from dragoman.smt.engine import Engine
from dragoman.smt.risk import minimum_risk
from dragoman.smt.search import SearchLimits

__all__ = [
    "Translation",
    "Translations",
    "n_best_lists",
    "save_graphs",
    "stream_by_risk",
    "stream_translations",
    "translate",
]

_BATCH = 64  # lines for each thread: enough to keep it busy, few enough to see output soon


@dataclass(frozen=True)
class Translation:
    """One translation of one line."""

    segment: int  # from 1
    rank: int  # from 1, the best
    source: str
    translation: str
    score: float  # weighted, natural logarithm
    alignment: str  # links of tokens, source-target from 0, as Pharaoh writes them
    source_tokens: str
    target_tokens: str
    features: tuple[float, ...] = ()
    confidence: tuple[float, ...] = ()  # of each target token, its posterior probability


@dataclass(frozen=True)
class Translations(Result):
    """Translations of lines, the best first where there are several of one."""

    kind: ClassVar[str] = "translations"

    items: tuple[Translation, ...]
    feature_names: tuple[str, ...]
    model: str

    def tables(self) -> list[Table]:
        """A row for each translation."""
        columns: list[str | Column] = [
            "segment", "rank", Column("source", is_text=True), Column("translation", is_text=True),
            Column("score", digits=4), "alignment",
        ]  # fmt: skip
        rows = [(t.segment, t.rank, t.source, t.translation, t.score, t.alignment) for t in self.items]
        return [Table.of("Translations", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """The model, and tokens and features of every translation."""
        told = [
            {
                "source_tokens": t.source_tokens,
                "target_tokens": t.target_tokens,
                "features": list(t.features),
                "confidence": list(t.confidence),
            }
            for t in self.items
        ]
        return {"model": self.model, "feature_names": list(self.feature_names), "details": told}


def translate(
    engine: Engine,
    lines: Sequence[str],
    *,
    n_best: int = 1,
    confidence: bool = False,
    model: str = "",
    limits: SearchLimits | None = None,
    n_threads: int = 1,
) -> Translations:
    """Translate lines, with scores, alignments and features, and how sure the engine is of each word if asked for."""
    found = stream_translations(
        engine, lines, n_best=n_best, features=True, confidence=confidence, limits=limits, n_threads=n_threads
    )
    return Translations(tuple(t for each in found for t in each), engine.feature_names, model)


def stream_translations(
    engine: Engine,
    lines: Iterable[str],
    *,
    n_best: int = 1,
    features: bool = False,
    confidence: bool = False,
    limits: SearchLimits | None = None,
    n_threads: int = 1,
) -> Iterator[list[Translation]]:
    """The translations of each line, in order, a few lines at a time, so that memory does not grow with the text."""
    start = 0
    for batch in _batches(lines, n_threads):
        tokens = engine.source.prepare(batch, n_threads=n_threads)
        decoded = engine.decode(
            tokens, n_best=n_best, features=features, confidence=confidence, limits=limits, n_threads=n_threads
        )
        texts = engine.target.restore(decoded.texts, n_threads=n_threads)
        for i, (line, token_line) in enumerate(zip(batch, tokens, strict=True)):
            yield [
                _translation(decoded, path, rank, segment=start + i + 1, line=line, tokens=token_line, text=texts[path])
                for rank, path in enumerate(decoded.paths(i), start=1)
            ]
        start += len(batch)


def _translation(
    decoded: Decoded, path: int, rank: int, *, segment: int, line: str, tokens: str, text: str
) -> Translation:
    return Translation(
        segment=segment,
        rank=rank,
        source=line,
        translation=text,
        score=float(decoded.scores[path]),
        alignment=" ".join(f"{s}-{t}" for s, t in sorted(decoded.links_of(path).tolist())),
        source_tokens=tokens,
        target_tokens=decoded.texts[path],
        features=tuple(decoded.features[path].tolist()) if len(decoded.features) else (),
        confidence=tuple(decoded.confidence_of(path).tolist()) if len(decoded.confidences) else (),
    )


def stream_by_risk(
    engine: Engine,
    lines: Iterable[str],
    *,
    n_best: int = 100,
    limits: SearchLimits | None = None,
    n_threads: int = 1,
) -> Iterator[str]:
    """Of the `n_best` translations of each line the one most like the others (minimum Bayes risk), in order."""
    for batch in _batches(lines, n_threads):
        tokens = engine.source.prepare(batch, n_threads=n_threads)
        decoded = engine.decode(tokens, n_best=n_best, limits=limits, n_threads=n_threads)
        yield from engine.target.restore(minimum_risk(decoded, n_threads=n_threads), n_threads=n_threads)


def save_graphs(
    engine: Engine, lines: Iterable[str], folder: StrPath, *, limits: SearchLimits | None = None, n_threads: int = 1
) -> int:
    """Write the search graph of each line into a folder, as `1.graph`, `2.graph`, …; returns how many there are."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    number = 0
    for batch in _batches(lines, n_threads):
        tokens = engine.source.prepare(batch, n_threads=n_threads)
        for graph in engine.graphs(tokens, limits=limits, n_threads=n_threads):
            number += 1
            graph.save(target / f"{number}.graph")
    return number


def _batches(lines: Iterable[str], n_threads: int) -> Iterator[list[str]]:
    waiting = iter(lines)
    while batch := list(islice(waiting, _BATCH * n_threads)):
        yield batch


def n_best_lists(
    found: Iterable[list[Translation]], names: Sequence[str], *, tokenised: bool = False, alignment: bool = False
) -> NBestLists:
    """Translations as n-best lists; features of one model stand under one name, as Moses writes them."""
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        groups.setdefault(name.partition(".")[0], []).append(place)

    def candidate(t: Translation) -> Candidate:
        return Candidate(
            text=t.target_tokens if tokenised else t.translation,
            features={name: tuple(t.features[place] for place in places) for name, places in groups.items()},
            score=t.score,
            alignment=t.alignment if alignment else None,
        )

    return NBestLists(NBest(each[0].segment - 1, tuple(map(candidate, each))) for each in found)
