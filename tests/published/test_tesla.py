"""TESLA (Liu, Dahlmeier & Ng, WMT 2010; Dahlmeier, Liu & Ng, WMT 2011): the papers' matchings, TESLA-M by hand."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman import _core
from dragoman.metrics.meteor import runs
from dragoman.metrics.tesla import TeslaM, f_measures
from dragoman.text import Vocabulary

REFERENCE = "the/DT dog/NN chase/VBD a/DT black/JJ cat/NN"
SYNONYMS = [{"dog", "hound"}, {"chase", "pursue"}, {"cat", "feline"}]


def matched(left: list[float], right: list[float], similarities: dict[tuple[int, int], float]) -> float:
    """The optimum of weights that are hundredths and similarities that are tenths."""
    worth = np.zeros((len(left), len(right)), dtype=np.int64)
    for cell, value in similarities.items():
        worth[cell] = round(10 * value)
    supply, demand = (np.array([round(100 * each) for each in side], dtype=np.int64) for side in (left, right))
    return _core.metrics.most_transport(supply, demand, worth) / 1000


def f(matched_weight: float, ours: float, theirs: float) -> float:
    precision, recall = matched_weight / ours, matched_weight / theirs
    return precision * recall / (0.8 * precision + 0.2 * recall)


def test_the_matching_of_figure_2_of_wmt10() -> None:
    reference, system = [1.0, 0.8, 0.2, 0.1], [1.0, 0.8, 0.1]
    optimum = matched(reference, system, {(0, 0): 0.5, (1, 1): 0.5, (2, 1): 1.0, (3, 2): 1.0})
    assert optimum == pytest.approx(1.1)
    assert f(optimum, sum(system), sum(reference)) == pytest.approx(0.533981, abs=1e-6)


@pytest.mark.parametrize("edges", [{(0, 0): 0.1, (0, 1): 0.4}, {(1, 1): 0.1, (2, 0): 0.4}])
def test_the_matching_of_figure_1_of_wmt11(edges: dict[tuple[int, int], float]) -> None:
    # "Good morning , sir ." and "Hello , Querrien ."; where the edges of .1 and .4 are does not matter.
    reference, system = [1.0, 0.1, 0.1, 0.1], [0.01, 0.1, 0.1]
    optimum = matched(reference, system, edges | {(1, 0): 0.5, (2, 1): 0.8, (3, 2): 0.8})
    assert optimum == pytest.approx(0.165)
    assert f(optimum, sum(system), sum(reference)) == pytest.approx(0.152495, abs=1e-6)


def features(hyp: str) -> list[float]:
    """The six F of a sentence of words with their tags, by the definitions of section 3 of the paper of 2010."""
    kinds = list(dict.fromkeys(f"{hyp} {REFERENCE}".split()))
    words, tags = zip(*(kind.split("/") for kind in kinds), strict=True)
    lexicon = {
        "lemmas": Vocabulary().ids(list(words)),
        "tags": Vocabulary().ids(list(tags)),
        "function_words": np.array([tag in {"DT", "IN"} for tag in tags], dtype=np.uint8),
        **runs("synset", [[s for s, each in enumerate(SYNONYMS) if word in each] for word in words], "synsets"),
    }
    texts = []
    for text in (hyp, REFERENCE):
        ids = np.array([kinds.index(kind) for kind in text.split()], dtype=np.int32)
        texts += [ids, np.array([0, len(ids)], dtype=np.int64)]
    return f_measures(_core.metrics.tesla(*texts, **lexicon))[0].tolist()


@pytest.mark.parametrize(
    ("hyp", "by_meaning", "by_tags", "score"),
    [
        ("a/DT hound/NN pursue/VBD the/DT cat/NN", [0.8, 0.547619, 0.438596], [0.8, 0.571429, 0.526316], 0.613993),
        ("a/DT cat/NN chase/VBD the/DT black/JJ dog/NN", [1, 0.739130, 0.708333], [1, 1, 1], 0.907911),
        (
            "the/DT hound/NN see/VBD a/DT cat/NN in/IN the/DT garden/NN",
            [0.636792, 0.431839, 0.431779],
            [0.754717, 0.560224, 0.518135],
            0.555581,
        ),
        (REFERENCE, [1, 1, 1], [1, 1, 1], 1.0),
    ],
)
def test_tesla_m_of_annotated_sentences(hyp: str, by_meaning: list[float], by_tags: list[float], score: float) -> None:
    found = features(hyp)
    assert found[0::2] == pytest.approx(by_meaning, abs=1e-6)
    assert found[1::2] == pytest.approx(by_tags, abs=1e-6)
    assert TeslaM().combined(np.array(found)) == pytest.approx(score, abs=1e-6)
