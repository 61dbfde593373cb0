"""Raw lines through the decoder and back: translations as any engine gives them, and the graphs of their searches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import numpy as np

from dragoman.engines.results import GUESS, Candidate, Request, Translation
from dragoman.engines.translation import batches
from dragoman.files import StrPath
from dragoman.smt.constraints import Constraints, Term
from dragoman.smt.decoded import Decoded
from dragoman.smt.decoder import Decoder
from dragoman.smt.preparation import TextSide

__all__ = ["doubted", "doubtful", "save_graphs", "translations_of"]


def translations_of(
    decoder: Decoder, lines: Sequence[str], request: Request, *, n_threads: int = 1
) -> list[Translation]:
    """The translations of each line, with what is asked for alone: the rest costs time."""
    tokens, guesses = decoder.source.prepared(lines, n_threads=n_threads)
    plain = not (request.features or request.glossary or decoder.reads_lattices)
    if len(lines) == 1 and request.confidence and plain:
        return [_from_graph(decoder, lines[0], tokens[0], guesses[0], request)]
    decoded = decoder.decode(
        tokens,
        n_best=request.n_best,
        features=request.features,
        confidence=request.confidence,
        constraints=_constraints(decoder, tokens, request) if request.glossary else None,
        n_threads=n_threads,
    )
    texts = decoder.target.restore(decoded.texts, n_threads=n_threads)
    scores = decoded.scores.tolist()
    return [
        Translation(
            line,
            tuple(
                _candidate(
                    decoded,
                    path,
                    request,
                    decoder.source,
                    guesses[sentence],
                    text=texts[path],
                    score=scores[path],
                    source=tokens[sentence],
                )
                for path in decoded.paths(sentence)
            ),
        )
        for sentence, line in enumerate(lines)
    ]


def _from_graph(decoder: Decoder, line: str, token_line: str, guesses: frozenset[int], request: Request) -> Translation:
    """The translations of one line by the graph that confidence needs anyway: who completes them needs it next."""
    graph = decoder.graph(token_line)
    paths = graph.n_best(request.n_best) if len(graph) else []
    texts = decoder.target.restore([path.text for path in paths])
    candidates = []
    for path, text in zip(paths, texts, strict=True):
        sure = tuple(float(np.float32(each)) for each in graph.confidence(path))  # as precise as those of many lines
        found = tuple(graph.links(path))
        guessed = doubtful(decoder.source, guesses, found, token_line, path.text)
        sure = doubted(sure, guessed)
        links = found if request.alignment else None
        mean = sum(sure) / len(sure) if sure else None
        candidates.append(Candidate(text, path.score, token_line, path.text, links, sure, mean, guessed=guessed))
    return Translation(line, tuple(candidates))


def _constraints(decoder: Decoder, token_lines: Sequence[str], request: Request) -> list[Constraints]:
    """The terms of a glossary where they stand in each line, whatever their case, longer ones first."""
    sources = decoder.source.prepare([source for source, _ in request.glossary])
    targets = decoder.target.prepare([target for _, target in request.glossary])
    terms = [(source.casefold().split(), target) for source, target in zip(sources, targets, strict=True)]
    terms.sort(key=lambda term: -len(term[0]))
    lines = []
    for token_line in token_lines:
        tokens = token_line.casefold().split()
        taken: set[int] = set()
        given = []
        for source, target in terms:
            for begin in range(len(tokens) - len(source) + 1):
                places = range(begin, begin + len(source))
                if source and tokens[begin : begin + len(source)] == source and taken.isdisjoint(places):
                    given.append(Term(begin, begin + len(source), target, exclusive=request.hard_glossary))
                    taken.update(places)
        lines.append(Constraints(terms=tuple(given)))
    return lines


def doubtful(
    side: TextSide, guesses: Collection[int], links: Iterable[tuple[int, int]], source: str, target: str
) -> tuple[int, ...]:
    """The target words that are linked with guesses of the source, or that are copied though they are no names."""
    if side.related is None:
        return ()
    own, other = source.split(), target.split()
    return tuple(
        sorted({t for s, t in links if s in guesses or (own[s] == other[t] and side.related.is_foreign(own[s]))})
    )


def doubted(confidence: Sequence[float], guessed: Collection[int]) -> tuple[float, ...]:
    """The confidences of target words, of which the doubtful ones count a part."""
    return tuple(GUESS * each if place in guessed else each for place, each in enumerate(confidence))


def _candidate(
    decoded: Decoded,
    path: int,
    request: Request,
    side: TextSide,
    guesses: frozenset[int],
    *,
    text: str,
    score: float,
    source: str,
) -> Candidate:
    guessed = doubtful(side, guesses, decoded.links_of(path).tolist(), source, decoded.texts[path])
    confidence = doubted(decoded.confidence_of(path).tolist(), guessed) if request.confidence else None
    return Candidate(
        text,
        score,
        source,
        decoded.texts[path],
        tuple((s, t) for s, t in sorted(decoded.links_of(path).tolist())) if request.alignment else None,
        confidence,
        sum(confidence) / len(confidence) if confidence else None,  # the mean of its words' (Ueffing & Ney 2007)
        tuple(decoded.features[path].tolist()) if request.features else None,
        guessed,
    )


def save_graphs(decoder: Decoder, lines: Iterable[str], folder: StrPath, *, n_threads: int = 1) -> int:
    """Write the search graph of each line into a folder, as `1.graph`, `2.graph`, …; returns how many there are."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    number = 0
    for batch in batches(lines, n_threads):
        tokens = decoder.source.prepare(batch, n_threads=n_threads)
        for graph in decoder.graphs(tokens, n_threads=n_threads):
            number += 1
            graph.save(target / f"{number}.graph")
    return number
