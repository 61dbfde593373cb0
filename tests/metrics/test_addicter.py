"""Errors by alignment: the places of words, what moved, the classes, and TerrorCat with them."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.metrics import MetricTraining, as_test_set, make_metric
from dragoman.metrics.addicter import ADDICTER_CLASSES, align_words, fill_gaps, label_errors, shifts
from dragoman.metrics.classer import CLASSES, WordReader
from dragoman.metrics.terrorcat import TAGS, TerrorCat


def classes(hyp: str, ref: str, src: str = "") -> tuple[list[str], list[str]]:
    """The classes of a hypothesis's errors and of a reference's; a base form is a word's first four letters."""
    reader = WordReader(lowercase=True)
    ours, theirs, foreign = (reader.read([line]) for line in (hyp, ref, src))
    ids = np.unique(np.concatenate([ours.full, theirs.full]))
    marks = {
        number for number, word in zip(ids.tolist(), reader.words(ids), strict=True) if not any(map(str.isalnum, word))
    }
    tags = [np.zeros(len(side.full), dtype=np.int64) for side in (ours, theirs)]
    labels = label_errors(ours, theirs, *tags, marks, set(foreign.full.tolist()))
    named = [[ADDICTER_CLASSES[label - 1] for label in side.tolist() if label] for side in labels]
    return named[0], named[1]


def test_words_are_aligned_with_the_nearest_of_their_base_form() -> None:
    assert align_words([1, 2, 3], [1, 2, 3]) == [0, 1, 2]
    assert align_words([7, 5, 7], [7, 5, 7]) == [0, 1, 2], "a word that is there twice"
    assert align_words([7, 5], [4, 7, 5, 7]) == [1, 2]
    assert align_words([9, 1], [1]) == [-1, 0]
    assert align_words([1, 1, 1], [1, 1]).count(-1) == 1, "no place is taken twice"
    assert align_words([], [1]) == []


def test_words_alone_between_the_same_neighbours_are_a_pair() -> None:
    assert fill_gaps([0, -1, 2], 3) == [0, 1, 2]
    assert fill_gaps([0, -1, -1, 2], 3) == [0, 1, -1, 2]
    assert fill_gaps([-1, 0], 1) == [-1, 0]
    assert fill_gaps([-1], 1) == [0]


def test_what_moved_and_how_far() -> None:
    assert shifts([0, 1, 2]) == [0, 0, 0]
    assert sorted(shifts([1, 0, 2])) == [0, 0, 1]
    assert shifts([3, 0, 1, 2]) == [3, 0, 0, 0]
    assert shifts([]) == []


@pytest.mark.parametrize(
    ("hyp", "ref", "src", "ours", "theirs"),
    [
        ("We are the champignons!", "We are the winners!", "", ["disambiguation"], []),
        ("the cats slept", "the cats slept", "", [], []),
        ("the sleeping cat", "the sleeper cat", "", ["inflection"], []),
        ("the cat", "the old cat .", "", [], ["missing", "punctuation"]),
        ("the schöne cat slept", "the cat slept", "die schöne Katze", ["untranslated"], []),
        ("the big cat slept", "the cat slept", "die Katze", ["extra"], []),
        ("b a c d", "a b c d", "", ["order, near"], []),
        ("dddd a b c", "a b c dddd", "", ["order, far"], []),
    ],
)
def test_the_classes(hyp: str, ref: str, src: str, ours: list[str], theirs: list[str]) -> None:
    assert classes(hyp, ref, src) == (ours, theirs)


def test_terrorcat_takes_either_or_both() -> None:
    hyps, refs, srcs = ["the schöne cats", "a b c d"], ["the cat", "d a b c"], ["die schöne Katze", "x"]
    found = {}
    for errors in ("hjerson", "addicter", "both"):
        metric = TerrorCat(errors=errors)
        assert metric.n_features == len(metric.classes)
        found[errors] = metric.reasons(hyps, refs, refs)
    assert {row[0] for row in found["both"].rows} == {
        f"{name[0]}, {errors}" for errors in ("hjerson", "addicter") for name in found[errors].rows
    }
    with_source = TerrorCat(errors="addicter").stats(hyps, [refs], srcs)
    assert with_source.tolist() == TerrorCat(errors="addicter").stats(hyps, [refs]).tolist(), "weights are alike"
    tagged = TerrorCat(errors="both", pos="hanta+lang=en")
    assert tagged.n_features == (len(CLASSES) + len(ADDICTER_CLASSES)) * len(TAGS)


def test_long_lines_are_named() -> None:
    with pytest.raises(DataError, match=r"Segment 2: too long for Addicter's alignment: 1200 words\. Cut it"):
        TerrorCat(errors="addicter").segments(["a", "b " * 1200], [["a", "b"]])


def test_it_learns_which_errors_count() -> None:
    refs = [f"the {noun} walked to the {place} ." for noun in ("man", "dog", "child") for place in ("house", "park")]
    hyps = [*refs, *(line.replace("walked", "walks") for line in refs), *(line[4:] for line in refs)]
    test_set = as_test_set({"mine": hyps}, [refs * 3])
    judgements = [5.0] * 6 + [4.0] * 6 + [1.0] * 6
    trained = MetricTraining(c=1e4).train(make_metric("terrorcat:errors=addicter"), test_set, judgements)
    assert trained.after > 0.9
