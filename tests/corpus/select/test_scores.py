"""Selection scores: what each is by its definition, and what it refuses."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from dragoman.corpus.select import SELECTION_SCORES, Texts, score_pool
from dragoman.corpus.select.moore_lewis import MooreLewis
from dragoman.errors import DataError
from dragoman.lm import KneserNey
from dragoman.samples import phrasebook
from dragoman.stats.arrays import Floats

NUMBERS = [" ".join(words) for words in product(("one", "two", "six"), ("or", "and", "less"), ("ten", "four", "nine"))]
COLOURS = [
    " ".join(words) for words in product(("red", "blue", "grey"), ("or", "and", "pale"), ("hat", "coat", "shoe"))
]


def scores(spec: str, pool: Texts, like: Texts | None, seed: int = 1) -> Floats:
    return score_pool(pool, [SELECTION_SCORES.make(spec)], like=like, seed=seed).joint


def test_what_is_like_the_text_comes_before_the_rest() -> None:
    like, hidden = NUMBERS[::2], NUMBERS[1::2]
    pool = Texts.from_lines([*COLOURS, *hidden])
    ranking = np.argsort(-scores("moore-lewis:least=1", pool, Texts.from_lines(like)))
    assert set(ranking[: len(hidden)].tolist()) == set(range(len(COLOURS), len(COLOURS) + len(hidden)))


def test_no_line_is_scored_by_a_model_that_has_seen_it() -> None:
    pool = Texts.from_lines(COLOURS + NUMBERS)
    score = MooreLewis(least=1, sample=0.5, damping=0)
    places, models = score._built_models(Texts.from_lines(NUMBERS), pool, [(0, 0)], 1, 1)
    ((inside, first, second),) = models
    lines = COLOURS + NUMBERS
    own = scores(score.signature(), pool, Texts.from_lines(NUMBERS))
    for place, line in enumerate(lines):
        outside = second if place in places else first
        expected = (inside.score([line]) - outside.score([line])) / 4
        assert own[place] == pytest.approx(float(expected[0]))


def test_both_sides_are_added() -> None:
    like, pool = Texts.from_lines(NUMBERS, COLOURS), Texts.from_lines(COLOURS, NUMBERS)
    both = scores("moore-lewis:least=1", pool, like)
    each = [scores(f"moore-lewis:least=1,side={side}", pool, like) for side in ("source", "target")]
    np.testing.assert_allclose(both, each[0] + each[1])


def test_given_models_must_know_the_same_words(tmp_path: Path) -> None:
    words = " ".join(NUMBERS + COLOURS).split()
    for name, lines in (("in", NUMBERS), ("out", COLOURS)):
        KneserNey(order=2).train(lines, vocabulary=words).save(tmp_path / name)
        KneserNey(order=2).train(lines).save(tmp_path / f"own-{name}")
    pool = Texts.from_lines([NUMBERS[0], COLOURS[0]])
    first, second = scores(f"moore-lewis:inside={tmp_path}/in,outside={tmp_path}/out", pool, None)
    assert first > 0 > second
    with pytest.raises(DataError, match=r"own-in \(\d+ words\) and .*own-out \(\d+\) differ, for example in 'blue'"):
        scores(f"moore-lewis:inside={tmp_path}/own-in,outside={tmp_path}/own-out", pool, None)
    with pytest.raises(DataError, match="models of both texts, or of none"):
        scores(f"moore-lewis:inside={tmp_path}/in", pool, None)
    with pytest.raises(DataError, match="2 sides are looked at, and 1 models given"):
        scores(f"perplexity:inside={tmp_path}/in", Texts.from_lines(NUMBERS, COLOURS), None)


def test_plain_perplexity_is_the_models() -> None:
    like = Texts.from_lines(NUMBERS)
    model = KneserNey(order=3).train(NUMBERS, vocabulary=sorted({word for line in NUMBERS for word in line.split()}))
    own = scores("perplexity", Texts.from_lines(COLOURS[:3]), like)
    np.testing.assert_allclose(own, model.score(COLOURS[:3]) / 4)


def test_likeness_to_a_test_set_by_its_definition() -> None:
    test, pool = NUMBERS[:9], [*NUMBERS[9:12], "one", *COLOURS[:2]]
    model, unigrams = (KneserNey(order=order).train(test) for order in (3, 1))
    words = np.array([len(line.split()) for line in pool])
    plain = model.score(pool, eos=False) / words
    like = Texts.from_lines(test)
    np.testing.assert_allclose(scores("test-like:similarity=plain", Texts.from_lines(pool), like), plain)
    normalised = plain - unigrams.score(pool, eos=False) / words
    np.testing.assert_allclose(scores("test-like", Texts.from_lines(pool), like), normalised)


def test_the_normalised_likeness_takes_longer_lines() -> None:
    book = phrasebook()["en"]
    pool, like = Texts.from_lines(book[100:]), Texts.from_lines(book[:100])
    lengths = np.array([len(line.split()) for line in book[100:]])
    top = {
        similarity: lengths[np.argsort(-scores(f"test-like:similarity={similarity}", pool, like))[: len(lengths) // 2]]
        for similarity in ("plain", "normalised")
    }
    assert top["normalised"].mean() > top["plain"].mean()


def test_infrequent_ngrams_are_recovered_until_met_often_enough(tmp_path: Path) -> None:
    pool = Texts.from_lines(["a b", "a b", "a c", "x y", "a b"])
    own = scores("infrequent:order=2,times=2", pool, Texts.from_lines(["a b"]))
    # a, b and "a b" are wanted twice each: 6, then 3 left; "a" and "b" are met by then, and nothing is left.
    assert own.tolist() == [6.0, 3.0, -np.inf, -np.inf, -np.inf]
    (tmp_path / "have").write_text("a b\nb\n")
    with_text = scores(f"infrequent:order=2,times=2,have={tmp_path}/have", pool, Texts.from_lines(["a b"]))
    assert with_text.tolist() == [2.0, -np.inf, -np.inf, -np.inf, -np.inf]


def test_retrieval_takes_the_best_of_each_sentence() -> None:
    pool = Texts.from_lines(["a red hat", "a dog", "two cats", "a red dog"])
    own = scores("retrieve:per_query=1", pool, Texts.from_lines(["my red hat", "a dog"]))
    assert own.tolist() == [1.0, 1.0, -np.inf, -np.inf]
    wider = scores("retrieve:per_query=2", pool, Texts.from_lines(["my red hat"]))
    assert wider[0] == 1.0
    assert 0 < wider[3] < 1
    mean = scores("retrieve:by=mean", pool, Texts.from_lines(["my red hat", "a dog"]))
    assert mean[2] == 0


def test_retrieval_by_base_forms_finds_other_forms_and_gives_the_lines_as_they_are() -> None:
    pool = Texts.from_lines(["the houses were painted", "a dog", "painting"])
    like = Texts.from_lines(["paint my house"])
    assert scores("retrieve", pool, like).tolist() == [-np.inf] * 3
    stems = scores("retrieve:lemmas=snowball+lang=en", pool, like)
    assert (stems[0], stems[1]) == (1.0, -np.inf)
    assert 0 < stems[2] < 1
    with pytest.raises(DataError, match="The annotator function-words gives function_word, not lemma or stem"):
        scores("retrieve:lemmas=function-words", pool, like)


@pytest.mark.parametrize(("spec", "bar"), [("noise", -2.5), ("noise-svm", 0.0)])
def test_wrong_pairs_lie_below_the_bar(spec: str, bar: float) -> None:
    book = phrasebook()
    de, en = book["de"], book["en"]
    n = 100
    good = Texts.from_lines(de[n:], en[n:])
    targets = [*en[: n // 2], *en[n // 2 + 7 : n], *en[n // 2 : n // 2 + 7]]  # the second half belongs to others
    taken = scores(spec, Texts.from_lines(de[:n], targets), good) > bar
    assert taken[: n // 2].mean() > 0.6
    assert taken[n // 2 :].mean() < 0.1


def test_pairs_are_asked_for_where_they_are_needed() -> None:
    pairs, lines = Texts.from_lines(NUMBERS, COLOURS), Texts.from_lines(NUMBERS)
    for name in ("model1", "noise", "noise-svm"):
        with pytest.raises(DataError, match=f"The score {name} looks at pairs"):
            scores(name, pairs, lines)
    with pytest.raises(DataError, match=r"are two sides, .* is one; name the side"):
        scores("moore-lewis", lines, pairs)
    with pytest.raises(DataError, match=r"9 pairs have words on both sides; .* from 20 or more"):
        scores("noise", pairs, Texts.from_lines(NUMBERS[:9], COLOURS[:9]))
    with pytest.raises(DataError, match="no word is there 50 times"):
        scores("moore-lewis:least=50", lines, lines)


def test_sides_of_other_lengths_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("eins\nzwei\n")
    (tmp_path / "a.en").write_text("one\n")
    pool = Texts.from_files([tmp_path / "a.de", tmp_path / "a.en"])
    with pytest.raises(DataError, match=r"a.de has 2 lines, .*a.en has 1"):
        scores("moore-lewis", pool, pool)
