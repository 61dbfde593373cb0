"""Joining scores, cutting a ranking, curves, and tuning sets that must stand apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.corpus.select import Cut, SelectionScore, Texts, check_apart, measure_curve, perplexity_of, select
from dragoman.corpus.select.cutting import with_lengths
from dragoman.corpus.select.moore_lewis import MooreLewis
from dragoman.corpus.select.scoring import join_scores
from dragoman.errors import DataError
from tests.corpus.select.test_scores import COLOURS, NUMBERS


def test_scores_are_joined_by_ranks_or_sums() -> None:
    first, second = np.array([1.0, 5.0, 3.0]), np.array([30.0, 20.0, -np.inf])
    assert join_scores([first], [2.0], "ranks") is first
    # Ranks from 0 to 1, of all three: 0, 1, ½ and 1, ½, 0.
    assert join_scores([first, second], [1, 3], "ranks").tolist() == [3 / 4, (1 + 1.5) / 4, -np.inf]
    assert join_scores([first, second], [2, 0.5], "sums").tolist() == [17.0, 20.0, -np.inf]
    ties = join_scores([np.array([1.0, 1.0, 0.0]), np.array([0.0, 0.0, 0.0])], [1, 0], "ranks")
    assert ties.tolist() == [0.75, 0.75, 0.0]


def test_a_ranking_is_cut_by_number_share_or_score() -> None:
    scores = np.array([0.1, -np.inf, 0.3, 0.3, -1.0])
    assert Cut().apply(scores).tolist() == [2, 3, 0, 4]
    assert Cut(most=2).apply(scores).tolist() == [2, 3]
    assert Cut(share=0.2).apply(scores).tolist() == [2]
    assert Cut(least=0.1).apply(scores).tolist() == [2, 3]
    assert Cut(most=1, least=-2).apply(scores).tolist() == [2]
    with pytest.raises(DataError, match="most=0"):
        Cut(most=0)
    with pytest.raises(DataError, match=r"A share is above 0 and at most 1, got 1\.5"):
        Cut(share=1.5)


def test_lengths_can_be_those_of_another_text() -> None:
    pool = Texts.from_lines(["a"] * 50 + ["a b c d e f g h"] * 50)
    like = Texts.from_lines(["x"] * 3 + ["x y z x y z x y"] * 7)
    scores = np.linspace(1, 0, 100)  # the short ones are best
    places = with_lengths(scores, pool, like, 20)
    assert (places < 50).sum() == 6
    assert sorted(places.tolist()) == [*range(6), *range(50, 64)]
    assert (np.diff(scores[places]) <= 0).all()


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=30),
    st.lists(st.integers(1, 9), min_size=1, max_size=30),
    st.integers(1, 40),
)
def test_as_many_are_taken_as_there_are(pool: list[int], like: list[int], size: int) -> None:
    texts = [Texts.from_lines(["w " * n for n in lengths]) for lengths in (pool, like)]
    places = with_lengths(np.arange(float(len(pool))), *texts, size)
    assert len(set(places.tolist())) == min(size, len(pool))


def test_a_curve_says_where_it_turns() -> None:
    like, hidden, dev = NUMBERS[::3], NUMBERS[1::3], NUMBERS[2::3]
    pool = Texts.from_lines([*COLOURS, *hidden])
    measure = perplexity_of(Texts.from_lines(dev), pool, MooreLewis(), order=2)
    result = select(pool, ["moore-lewis:least=1"], like=Texts.from_lines(like), measure=measure)
    assert result.curve is not None
    assert result.curve.turns_inside
    assert len(result.places) == result.curve.turn.size == 9
    assert len(set(result.kept.lines(0)) & set(hidden)) >= 8
    assert "is best" in result.answer()
    assert [figure.kind for figure in result.figures()] == ["bar", "line"]
    assert result.to_dict()["meta"]["turn"] == 9


def test_a_curve_may_rise_to_the_end() -> None:
    pool = Texts.from_lines(NUMBERS)
    curve = measure_curve(pool, np.zeros(len(NUMBERS)), lambda texts: texts.count(), name="BLEU", higher_is_better=True)
    assert curve.turn.size == len(NUMBERS)
    assert "does not turn; everything helps" in curve.answer()
    first = measure_curve(pool, np.zeros(len(NUMBERS)), lambda texts: texts.count())
    assert "the smallest size that was tried" in first.answer()
    with pytest.raises(DataError, match="nothing to measure"):
        measure_curve(pool, np.full(len(NUMBERS), -np.inf), lambda _: 0.0)
    with pytest.raises(DataError, match="held-out text is empty"):
        perplexity_of(Texts.from_lines([]), pool, MooreLewis())


def test_a_tuning_set_stands_apart_from_the_training_text() -> None:
    training = Texts.from_lines(["Ein Haus!", "zwei"], ["A house.", "two"])
    apart = Texts.from_lines(["ein haus"], ["one house"])
    assert check_apart(apart, training).places == ()
    same = Texts.from_lines(["drei", "ein haus"], ["three", "A house"])
    with pytest.raises(DataError, match=r"1 of the 2 pairs to tune on stand .* \(number 2\)\. Weights .*--force"):
        check_apart(same, training)
    assert check_apart(same, training, force=True).places == (1,)
    assert check_apart(Texts.from_lines(["Zwei"]), training, force=True).places == (0,)


def test_a_selection_shows_what_it_took_and_what_not() -> None:
    pool = Texts.from_lines([*COLOURS, *NUMBERS[1::2], ""])
    like = Texts.from_lines(NUMBERS[::2])
    result = select(pool, ["moore-lewis:least=1", "perplexity"], like=like, cut=Cut(share=0.25))
    rows = result.tables()[0].records()
    assert [row["score"] for row in rows] == ["moore-lewis:least=1", "perplexity", "all, by ranks"]
    assert all(row["taken"] > row["rest"] for row in rows)
    assert [name for name, *_ in result.examples] == ["best", "best", "last taken", "last taken", "worst", "worst"]
    assert "1 are not to be taken at all" in result.answer()
    assert result.meta()["selected"] == len(result.places) == 10


def test_scores_and_weights_go_together() -> None:
    lines = Texts.from_lines(NUMBERS)
    with pytest.raises(DataError, match="1 scores have as many finite weights; got 2"):
        select(lines, ["perplexity"], like=lines, weights=[1, 2])
    with pytest.raises(DataError, match="at least one score"):
        select(lines, [], like=lines)
    with pytest.raises(DataError, match="Lengths are matched to those of the text to be like"):
        select(lines, [_Constant()], match_lengths=True)


class _Constant(SelectionScore):
    name = "constant"

    def start(self, like: object, pool: object, *, seed: int, n_threads: int):  # type: ignore[no-untyped-def]
        return lambda batch: np.zeros(len(batch))
