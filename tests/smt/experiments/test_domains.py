"""How far texts are from a test set, what each gives, and which words it helps."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.samples import phrasebook
from dragoman.smt import EngineRecipe
from dragoman.smt.experiments import compare_domains, domain_distances, jensen_shannon
from dragoman.smt.experiments.precision import bin_of, bins_of, sentence_credit


def part(begin: int, end: int) -> Bitext:
    book = phrasebook()
    return Bitext.from_lines(book["de"][begin:end], book["en"][begin:end], source_lang="de", target_lang="en")


def test_divergence_by_hand() -> None:
    assert jensen_shannon({"a": 1, "b": 1}, {"a": 2, "b": 2}) == 0
    assert jensen_shannon({"a": 3}, {"b": 5}) == 1
    # p = (1, 0), q = (1/2, 1/2): middle (3/4, 1/4); (log2(4/3) + 1/2 log2(2/3) + 1/2 log2 2) / 2
    assert jensen_shannon({"a": 4}, {"a": 1, "b": 1}) == pytest.approx((0.4150375 - 0.2924813 + 0.5) / 2)
    with pytest.raises(DataError, match="no words"):
        jensen_shannon({}, {"a": 1})


def test_a_text_is_nearest_to_itself(small: EngineRecipe) -> None:
    near, far = part(400, 460), part(0, 60)
    book = phrasebook()
    test = TestSet(srcs=book["de"][400:460], refs={"ref": book["en"][400:460]})
    distances = {(each.text, each.side): each for each in domain_distances({"near": near, "far": far}, test, small)}
    assert set(distances) == {(text, side) for text in ("near", "far", "all") for side in ("source", "target")}
    for side in ("source", "target"):
        own, other, both = (distances[text, side] for text in ("near", "far", "all"))
        assert own.unseen_tokens == own.unseen_types == own.divergence == both.unseen_types == 0
        assert other.unseen_types > other.unseen_tokens > 0
        assert other.divergence > both.divergence > 0
        assert own.perplexity < both.perplexity < other.perplexity
        assert both.n_words == own.n_words + other.n_words


def test_credit_is_shared() -> None:
    # "the" stands twice in the output and once in the reference: half a credit each; two links share by their mean.
    tokens, output = ["der", "Hund", "und", "die", "Katze"], ["the", "dog", "or", "the", "cat"]
    links = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (4, 4)]
    assert sentence_credit(tokens, output, links, [["the", "dog", "and", "cat"]]) == [0.5, 1, 0, 0.5, 0.75]
    assert sentence_credit(["x"], ["y"], [], [["y"]]) == [0]
    two = [["a", "b"], ["a", "a"]]
    assert sentence_credit(["x", "x"], ["a", "a"], [(0, 0), (1, 1)], two) == [1, 1]  # the larger count of the two


def test_words_are_binned_by_powers_of_two() -> None:
    assert [bin_of(n) for n in (0, 1, 2, 3, 4, 7, 8)] == [(0, 0), (1, 1), (2, 3), (2, 3), (4, 7), (4, 7), (8, 15)]
    credit = {"new": (0.0, 2), "rare": (1.0, 1), "scarce": (1.0, 2), "often": (8.0, 10)}
    rows = bins_of(credit, Counter({"rare": 2, "scarce": 3, "often": 9}))
    assert [(each.low, each.n_types, each.n_tokens) for each in rows] == [(0, 1, 2), (2, 2, 3), (8, 1, 10)]
    assert [each.precision for each in rows] == pytest.approx([0, 75, 80])


def test_what_each_text_gives(small: EngineRecipe, test_text: TestSet, tmp_path: Path) -> None:
    found = compare_domains({"first": part(0, 60), "other": part(60, 400)}, test_text, small, work=tmp_path)
    engines = {each.texts: each for each in found.engines}
    assert list(engines) == ["first", "other", "all", "without first", "without other"]
    assert engines["without other"].bleu == engines["first"].bleu
    assert engines["all"].n_pairs == 400
    assert engines["all"].bleu > engines["first"].bleu
    assert engines["without other"].delta == pytest.approx(engines["first"].bleu - engines["all"].bleu)
    assert engines["all"].delta is None
    gains = {a.low: b.precision - a.precision for a, b in zip(found.first, found.whole, strict=True)}
    assert gains[0] == max(gains.values())  # words that the first text does not have gain most
    assert "other gives +" in found.answer()
    assert [table.title for table in found.tables()] == [
        "Distance of the test set",
        "Engines",
        "Precision by frequency",
    ]


def test_too_few_texts_are_refused(small: EngineRecipe, test_text: TestSet, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="two texts or more, got 1"):
        compare_domains({"one": part(0, 10)}, test_text, small, work=tmp_path)
    with pytest.raises(DataError, match="No text may be called 'all'"):
        compare_domains({"all": part(0, 10), "two": part(10, 20)}, test_text, small, work=tmp_path)
