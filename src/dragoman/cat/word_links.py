"""Which words of a segment and of any translation of it belong together, by whatever its engine can tell."""

from __future__ import annotations

from dragoman.cat.projection import token_spans
from dragoman.cat.segments import plain
from dragoman.engines import Explains, Explanation, Role, WordAlignment, need
from dragoman.errors import DataError

__all__ = ["Spans", "aligned_spans", "spans_in", "word_alignment"]

# Of tokens: characters [begin, end); None where the text spells them otherwise.
Spans = list[tuple[int, int] | None]


def word_alignment(engine: Role, source: str, target: str) -> WordAlignment:
    """The words that belong together; inline codes are no words.

    By the steps in which the engine would say this target; where it cannot say all of it, by its model of words; where
    it has none, by those steps that it knows and by words that are the same.
    """
    explains = need(engine, Explains)
    said = " ".join(plain(source, " ").split()), " ".join(plain(target, " ").split())
    explanation = explains.explain(*said)
    if explanation is not None and not explanation.artificial:
        return _by_steps(explanation)
    by_words = explains.align(*said)
    if by_words is not None:
        return by_words
    if explanation is None:
        raise DataError("The engine has no way to this translation, so it cannot say which words belong together.")
    return _with_same_words(_by_steps(explanation))


def _by_steps(explanation: Explanation) -> WordAlignment:
    links = [(i, j) for part in explanation.parts for i in range(*part.source) for j in range(*part.target)]
    return WordAlignment(explanation.source_tokens, explanation.target_tokens, tuple(links))


def _with_same_words(known: WordAlignment) -> WordAlignment:
    """Names and numbers that the engine does not know are mostly kept: the first that is free is the partner."""
    sources, targets = {i for i, _ in known.links}, {j for _, j in known.links}
    more = []
    for j, word in enumerate(known.target_tokens):
        same = (i for i, other in enumerate(known.source_tokens) if i not in sources and other == word)
        if j not in targets and (i := next(same, None)) is not None:
            sources.add(i)
            more.append((i, j))
    return WordAlignment(known.source_tokens, known.target_tokens, tuple(sorted((*known.links, *more))))


def aligned_spans(engine: Role, source: str, target: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Characters of two texts that belong together by the engine's model of words; none if it has no such model."""
    said = " ".join(plain(source, " ").split()), " ".join(plain(target, " ").split())
    found = engine.align(*said) if isinstance(engine, Explains) and all(said) else None
    if found is None:
        return []
    sources, targets = spans_in(source, found.source_tokens), spans_in(target, found.target_tokens)
    pairs = [(sources[i], targets[j]) for i, j in found.links]
    return [(one, other) for one, other in pairs if one is not None and other is not None]


def spans_in(text: str, tokens: tuple[str, ...]) -> Spans:
    """Where tokens stand in a text, codes and all."""
    spans = token_spans(plain(text, " "), " ".join(tokens))
    return [None] * len(tokens) if spans is None else list(spans)
