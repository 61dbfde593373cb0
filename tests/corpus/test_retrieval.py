"""Retrieval: the index against the definitions, its bounds, and bad input."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import corpus as core
from dragoman.corpus.retrieval import LineIndex, Retrieval
from dragoman.errors import DataError

WEIGHTINGS = ("bm25", "classic", "cosine")
WORDS = st.lists(st.sampled_from("abcdefgh"), max_size=6).map(" ".join)


def naive_score(weighting: str, query: str, line: str, lines: list[str]) -> float:
    """The formulas of `retrieval.hpp`, word for word."""
    n = len(lines)
    df = Counter(word for each in lines for word in set(each.split()))
    tf, qf = Counter(line.split()), Counter(query.split())
    known = [word for word in qf if df[word]]
    if weighting == "bm25":
        mean = sum(len(each.split()) for each in lines) / n
        norm = 1.2 * (1 - 0.75 + 0.75 * len(line.split()) / mean) if mean else 0
        idf = {word: math.log(1 + (n - df[word] + 0.5) / (df[word] + 0.5)) for word in known}
        return sum(qf[word] * idf[word] * tf[word] / (tf[word] + norm) for word in known if tf[word])
    if weighting == "classic":
        idf = {word: 1 + math.log(n / (df[word] + 1)) for word in known}
        query_norm = 1 / math.sqrt(sum(value**2 for value in idf.values())) if known else 0
        coord = sum(1 for word in qf if tf[word]) / max(len(qf), 1)
        weigh = {w: qf[w] * math.sqrt(tf[w]) * idf[w] ** 2 / math.sqrt(len(line.split())) for w in known if tf[w]}
        return coord * query_norm * sum(weigh.values())
    idf = {word: math.log(1 + n / df[word]) for word in df}
    left = {word: qf[word] * idf[word] for word in known}
    right = {word: (1 + math.log(tf[word])) * idf[word] for word in tf}
    length = math.hypot(*left.values()) * math.hypot(*right.values())
    return sum(left[word] * right[word] for word in known if word in right) / length if length else 0


@given(st.lists(WORDS, min_size=1, max_size=12), st.lists(WORDS, max_size=4), st.integers(1, 6))
def test_the_best_are_those_of_the_definition(lines: list[str], queries: list[str], k: int) -> None:
    for weighting in WEIGHTINGS:
        index = LineIndex.of(lines, Retrieval(weighting=weighting))
        hits = index.best(queries, k)
        for query, places, scores in zip(queries, hits.places, hits.scores, strict=True):
            naive = [naive_score(weighting, query, line, lines) for line in lines]
            best = sorted((score for score in naive if score > 0), reverse=True)[:k]
            assert scores[places >= 0] == pytest.approx(best, rel=1e-4)
            assert [naive[place] for place in places if place >= 0] == pytest.approx(best, rel=1e-4)


@given(st.integers(0, 10_000))
def test_giving_up_candidates_loses_none(seed: int) -> None:
    draw = np.random.default_rng(seed)  # words as common as in text, so that lists of common ones are cut short
    weights = 1 / np.arange(1, 41)
    lines = [
        " ".join(draw.choice([f"w{i}" for i in range(40)], size=draw.integers(1, 9), p=weights / weights.sum()))
        for _ in range(120)
    ]
    for weighting in WEIGHTINGS:
        index = LineIndex.of(lines, Retrieval(weighting=weighting))
        for query in lines[:5]:
            whole = index.mean_scores([query])  # looks at every line
            expected = sorted(range(len(lines)), key=lambda place: (-np.float32(whole[place]), place))[:3]
            for k in (1, 3):
                assert index.best([query], k).places[0].tolist() == expected[:k]


def test_a_classic_score_by_hand() -> None:
    lines = ["a dog runs", "a cat sleeps", "the dog sleeps", "birds sing", "a dog and a dog"]
    # "dog" stands in 3 of 5 lines: idf = 1 + ln(5/4). One term of one query: coord 1, norm 1/idf.
    idf = 1 + math.log(5 / 4)
    hits = LineIndex.of(lines, Retrieval(weighting="classic")).best(["dog"], 5)
    assert hits.places[0].tolist() == [4, 0, 2, -1, -1]
    assert hits.scores[0].tolist() == pytest.approx(
        [math.sqrt(2) * idf / math.sqrt(5), idf / math.sqrt(3), idf / math.sqrt(3), 0, 0]
    )
    index = LineIndex.of(lines, Retrieval(weighting="classic"))
    both = (index.mean_scores(["dog"]) + index.mean_scores(["a cat"])) / 2
    np.testing.assert_allclose(index.mean_scores(["dog", "a cat"]), both)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_threads_change_nothing(weighting: str) -> None:
    lines = [f"{'a' if i % 2 else 'the'} word{i % 7} and word{i % 11}" for i in range(60)]
    index = LineIndex.of(lines, Retrieval(weighting=weighting))
    one, mean = index.best(lines, 4), index.mean_scores(lines)
    for n_threads in (2, 7):
        again = LineIndex.of(lines, Retrieval(weighting=weighting), n_threads=n_threads)
        hits = again.best(lines, 4, n_threads=n_threads)
        assert np.array_equal(hits.places, one.places)
        assert np.array_equal(hits.scores, one.scores)
        assert np.array_equal(again.mean_scores(lines, n_threads=n_threads), mean)


def test_batches_are_one_index() -> None:
    lines = ["a dog runs", "a cat sleeps", "the dog sleeps"]
    parts = Retrieval().index([lines[:1], [], lines[1:]])
    assert len(parts) == 3
    for (_, whole), (_, part) in pairwise([(i, i.best(["dog sleeps"], 3)) for i in (LineIndex.of(lines), parts)]):
        assert np.array_equal(whole.scores, part.scores)


def test_words_of_a_query_can_be_weighted() -> None:
    index = LineIndex.of(["dog", "cat"], Retrieval(tokeniser="none"))
    assert index.best(["dog cat"], 1, weights=np.array([1, 3], dtype=np.float32)).places.tolist() == [[1]]
    assert index.best(["dog cat"], 2, weights=np.array([1, 0], dtype=np.float32)).places.tolist() == [[0, -1]]
    with pytest.raises(DataError, match="one weight for each token"):
        index.best(["dog cat"], 1, weights=np.array([1], dtype=np.float32))
    with pytest.raises(DataError, match="finite number of at least 0"):
        index.best(["dog cat"], 1, weights=np.array([1, -1], dtype=np.float32))


def test_the_union_of_the_best() -> None:
    index = LineIndex.of(["dog", "cat", "cow"])
    assert index.best(["a cow", "a dog", "nothing"], 2).union().tolist() == [0, 2]


def test_bad_input_is_named() -> None:
    with pytest.raises(DataError, match="no lines to index"):
        LineIndex.of([])
    with pytest.raises(DataError, match="no queries"):
        LineIndex.of(["dog"]).mean_scores([])
    with pytest.raises(DataError, match="At least one document is asked for, got 0"):
        LineIndex.of(["dog"]).best(["dog"], 0)
    ids, offsets = np.array([0, 5], dtype=np.int32), np.array([0, 2], dtype=np.int64)
    with pytest.raises(DataError, match="document 0 has the term 5 of 3"):
        core.InvertedIndex(ids, offsets, n_terms=3)
    with pytest.raises(DataError, match="must ascend from 0 to the number of tokens"):
        core.InvertedIndex(ids, np.array([0, 1], dtype=np.int64), n_terms=9)
