"""Translating lines of text with any engine, with what people may want to know about each translation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar

import numpy as np

from dragoman.data.nbest import Candidate as ListedCandidate
from dragoman.data.nbest import NBest, NBestLists
from dragoman.engines.base import check_details
from dragoman.engines.endpoint import ServiceError
from dragoman.engines.results import Candidate, Link, Request, Translation
from dragoman.engines.risk import least_risk
from dragoman.engines.roles import PLAIN, Translates
from dragoman.report import Column, Result, Table

__all__ = ["Translations", "batches", "n_best_lists", "pharaoh", "stream_by_risk", "stream_translations", "translate"]

Stream = Callable[..., Iterator[Translation]]
_BATCH = 64  # lines for each thread: enough to keep it busy, few enough to see output soon


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
            "segment",
            "rank",
            Column("source", is_text=True),
            Column("translation", is_text=True),
            Column("score", digits=4),
            "alignment",
        ]
        rows = [
            (segment, rank, each.source, one.text, one.score, None if one.alignment is None else pharaoh(one.alignment))
            for segment, each in enumerate(self.items, start=1)
            for rank, one in enumerate(each.candidates, start=1)
        ]
        return [Table.of("Translations", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """The model, and tokens and features of every translation."""
        details = [
            {
                "source_tokens": one.source_tokens,
                "target_tokens": one.target_tokens,
                "features": list(one.features or ()),
                "confidence": list(one.word_confidence or ()),
                "guessed": list(one.guessed),
            }
            for each in self.items
            for one in each.candidates
        ]
        return {"model": self.model, "feature_names": list(self.feature_names), "details": details}


def pharaoh(alignment: Sequence[Link]) -> str:
    """Links as Pharaoh writes them: source-target from 0, separated by spaces."""
    return " ".join([f"{s}-{t}" for s, t in alignment])


def translate(
    engine: Translates,
    lines: Sequence[str],
    *,
    n_best: int = 1,
    confidence: bool = False,
    model: str = "",
    n_threads: int = 1,
    stream: Stream | None = None,
) -> Translations:
    """Translate lines, with all that the engine tells of them; how sure it is of each word only if asked for.

    `stream` translates as `stream_translations` does, which is taken without it.
    """
    request = Request(
        n_best, alignment="alignment" in engine.details, confidence=confidence, features="features" in engine.details
    )
    translations = (stream or stream_translations)(engine, lines, request, n_threads=n_threads)
    return Translations(tuple(translations), engine.feature_names, model)


def stream_translations(
    engine: Translates, lines: Iterable[str], request: Request = PLAIN, *, n_threads: int = 1
) -> Iterator[Translation]:
    """The translations of each line, in order, a few lines at a time, so that memory does not grow with the text."""
    check_details(engine, request)
    return chain.from_iterable(_by_batch(engine, lines, request, n_threads))


def _by_batch(
    engine: Translates, lines: Iterable[str], request: Request, n_threads: int
) -> Iterator[Sequence[Translation]]:
    """Translations, some lines at a time; an error tells the places of its segments among all lines."""
    n_done = 0
    for batch in batches(lines, n_threads):
        try:
            yield engine.translations(batch, request, n_threads=n_threads)
        except ServiceError as error:
            raise error.at(range(n_done, n_done + len(batch))) from None
        n_done += len(batch)


def stream_by_risk(engine: Translates, lines: Iterable[str], *, n_best: int = 100, n_threads: int = 1) -> Iterator[str]:
    """Of the `n_best` translations of each line the one most like the others (minimum Bayes risk), in order."""
    request = Request(n_best)
    check_details(engine, request)
    for translations in _by_batch(engine, lines, request, n_threads):
        listed = [one for each in translations for one in each.candidates]
        offsets = np.cumsum([0, *(len(each.candidates) for each in translations)], dtype=np.int64)
        tokens = [one.text if one.target_tokens is None else one.target_tokens for one in listed]
        scores = np.array([0.0 if one.score is None else one.score for one in listed], dtype=np.float64)
        chosen = least_risk(tokens, scores, offsets, n_threads=n_threads)
        yield from ("" if place is None else listed[place].text for place in chosen)


def batches(lines: Iterable[str], n_threads: int) -> Iterator[list[str]]:
    """Lines, as many at a time as keep the threads busy."""
    waiting = iter(lines)
    while batch := list(islice(waiting, _BATCH * n_threads)):
        yield batch


def n_best_lists(
    translations: Iterable[Translation], names: Sequence[str], *, tokenised: bool = False, alignment: bool = False
) -> NBestLists:
    """Translations as n-best lists; features of one model stand under one name, as Moses writes them."""
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        groups.setdefault(name.partition(".")[0], []).append(place)

    def listed(one: Candidate) -> ListedCandidate:
        values = one.features or ()
        return ListedCandidate(
            text=one.target_tokens if tokenised and one.target_tokens is not None else one.text,
            features={name: tuple(values[place] for place in places) for name, places in groups.items()},
            score=one.score,
            alignment=pharaoh(one.alignment or ()) if alignment else None,
        )

    numbered = ((number, each) for number, each in enumerate(translations) if each.candidates)
    return NBestLists(NBest(number, tuple(map(listed, each.candidates))) for number, each in numbered)
