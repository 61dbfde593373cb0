"""METEOR 1.5 (Denkowski & Lavie, WMT 2014): its own tuning example and worked example.

Its English table of paraphrases is not at hand and neither is its list of function words. The list shows in the counts
of the tuning example and is found from them; without the table, segments that METEOR matches by paraphrase differ.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dragoman.data.formats.sgm import SgmFormat
from dragoman.files import read_lines
from dragoman.metrics.meteor import Meteor, is_whole

pytestmark = pytest.mark.realdata

PARAPHRASES = slice(16, 20)
EXACT = slice(4, 8)
_OFTEN = 25  # sentences that tell whether METEOR has a word for a function word


def numbers(path: Path) -> NDArray[np.float64]:
    return np.array([list(map(float, line.removeprefix("EVAL |||").split())) for line in read_lines(path)])


def pairs(tune: Path) -> tuple[list[str], list[str]]:
    _, refs, hyps = zip(*(line.split(" ||| ") for line in read_lines(tune / "example.score.in.gz")), strict=True)
    return list(hyps), list(refs)


def function_words(sentences: list[str], counts: NDArray[np.float64]) -> set[str]:
    """The words that explain how many function words sentences have, each taken or left as fits better."""
    bags = [Counter(sentence.split()) for sentence in sentences]
    places = defaultdict(list)
    for number, bag in enumerate(bags):
        for word in bag:
            places[word].append(number)
    words: set[str] = set()
    excess = -counts
    while True:
        before = set(words)
        for word, where in places.items():
            change = np.array([bags[i][word] for i in where]) * (-1 if word in words else 1)
            if len(where) >= _OFTEN and np.abs(excess[where] + change).sum() < np.abs(excess[where]).sum():
                excess[where] += change
                words ^= {word}
        if words == before:
            return words


@pytest.fixture(scope="module")
def metric_options(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    tune = data_folder / "meteor" / "tune"
    counts = numbers(tune / "example.score.out.gz")
    hyps, refs = pairs(tune)
    words = function_words([*hyps, *refs], np.concatenate([counts[:, 2], counts[:, 3]]))
    listed = tmp_path_factory.mktemp("meteor") / "english.words"
    listed.write_text("\n".join(sorted(words)), encoding="utf-8")
    return {
        "synonyms": f"wordnet+place={data_folder / 'meteor'}",
        "function_words": f"function-words+file={listed}",
    }


def test_scores_of_the_tuning_examples_counts(data_folder: Path) -> None:
    tune = data_folder / "meteor" / "tune"
    rows, expected = numbers(tune / "example.eval.in.gz"), numbers(tune / "example.eval.out.gz")[:, 0]
    scores, matched, chunks = Meteor(task="tune").values(rows) / 100, rows[:, 4:20].sum(axis=1), rows[:, -1]
    even = (matched % 2 == 0) | ((matched == rows[:, :2].sum(axis=1)) & (chunks == 1))  # or nothing is halved
    assert (len(even), even.sum()) == (2489, 1632)
    np.testing.assert_allclose(scores[even], expected[even], rtol=0, atol=1e-12)
    # The release that wrote the example halved odd numbers of matched words to whole ones; 1.5 does not.
    whole, half = (1 - 0.5 * chunks[~even] / each for each in (matched[~even] // 2, matched[~even] / 2))
    np.testing.assert_allclose(scores[~even] / half * whole, expected[~even], rtol=0, atol=1e-12)


def test_counts_of_the_tuning_example(data_folder: Path, metric_options: dict[str, str]) -> None:
    tune = data_folder / "meteor" / "tune"
    hyps, refs = pairs(tune)
    expected = numbers(tune / "example.score.out.gz")
    expected[is_whole(expected), -1] = 0  # METEOR 1.5 adds them up without their chunk
    rows = Meteor(task="tune", norm="none", **metric_options).stats(hyps, [refs])
    assert (rows[:, :2] == expected[:, :2]).all()
    assert (rows[:, 2:4] == expected[:, 2:4]).mean() > 0.99
    without = expected[:, PARAPHRASES].sum(axis=1) == 0
    assert without.sum() == 583
    assert (rows[without, EXACT] == expected[without, EXACT]).mean() > 0.995
    # Where METEOR had a paraphrase to choose and left it, a stem or synonym was no longer the only choice.
    assert (rows[without] == expected[without]).all(axis=1).sum() >= 495


def test_scores_of_the_worked_example(data_folder: Path, metric_options: dict[str, str]) -> None:
    folder = data_folder / "meteor"
    test_set = SgmFormat().read_files([folder / "ref.sgm.gz", folder / "test.sgm.gz"])
    expected = {
        (doc, segment): float(score)
        for _, _, doc, segment, score in (line.split("\t") for line in read_lines(folder / "meteor-seg.scr.gz"))
    }
    (hyps,), (refs,) = test_set.systems.values(), test_set.refs.values()
    assert test_set.docs is not None
    numbers_in: Counter[str] = Counter()
    keys = []
    for doc in test_set.docs:
        numbers_in[doc] += 1
        keys.append((doc, str(numbers_in[doc])))
    scores = np.array([expected[key] for key in keys])
    assert len(scores) == len(expected) == 2525
    metric = Meteor(**metric_options)
    found = metric.segments(hyps, [refs]) / 100
    assert (np.abs(found - scores) < 1e-4).mean() > 0.2  # those without a paraphrase; see docs/reproduction.md
    assert np.corrcoef(found, scores)[0, 1] > 0.93
    # The system's score is 0.2991 with paraphrases.
    assert metric.corpus_value(hyps, [refs]) / 100 == pytest.approx(0.2796, abs=5e-4)
