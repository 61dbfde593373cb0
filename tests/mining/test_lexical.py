"""Translation-based retrieval against its definition, and mates among other lines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.align import Lexicon
from dragoman.align.ibm import Ibm1
from dragoman.corpus.learnt import LanguageModels, Model1
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError, ModelError
from dragoman.mining import LexicalMiner, LexicalMining
from dragoman.mining.base import Numbers
from dragoman.mining.lexical import TranslatedIndex, without_frequent
from dragoman.text.vocabulary import Vocabulary


def lexicon(table: dict[tuple[str, str], float]) -> Lexicon:
    """p(query word | word) as an aligner gives it, from {(word, query word): p}."""
    words, queries = Vocabulary(unk="<unk>"), Vocabulary(unk="<unk>")
    rows = sorted((int(words.ids([d])[0]), int(queries.ids([q])[0]), p) for (d, q), p in table.items())
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    return Lexicon(
        np.array(columns[0], np.int32),
        np.array(columns[1], np.int32),
        np.array(columns[2], np.float32),
        words.freeze(),
        queries.freeze(),
    )


def log_p(
    query: str, line: str, queries: list[str], table: dict[tuple[str, str], float], lam: float, beta: float
) -> float | None:
    """The paper's formula word by word; nothing if no word of the line gives one of the query."""
    text = " ".join(queries).split()
    words = line.split()
    total, met = 0.0, False
    for q in query.split():
        translated = sum(table.get((d, q), 0.0) for d in words) / len(words) if words else 0.0
        literal = words.count(q) / len(words) if words else 0.0
        mixture = beta * translated + (1 - beta) * literal
        met = met or mixture > 0
        total += math.log(lam * mixture + (1 - lam) * text.count(q) / len(text))
    return total if met else None


def test_the_papers_formula_on_a_line_of_two_words() -> None:
    # P(q1|C) = .01 and P(q2|C) = .02 of a hundred words; λ = β = .9: .2035 · .047 = .0095645.
    queries = ["q1 q2", " ".join(["q2", *["other"] * 97])]
    index = TranslatedIndex(["d1 q2"], queries, lexicon({("d1", "q1"): 0.5}))
    places, gains = index.search(1)
    assert places[0, 0] == 0
    assert math.exp(index.log_p(0, gains[0, 0])) == pytest.approx(0.0095645, abs=1e-7)


WORDS = st.sampled_from(["a", "b", "c", "d", "e"])
LINES = st.lists(st.lists(WORDS, max_size=5).map(" ".join), min_size=1, max_size=6)
TABLES = st.dictionaries(st.tuples(WORDS, WORDS), st.floats(0.125, 1.0, width=32), max_size=8)


@given(
    LINES, LINES.filter(lambda lines: any(lines)), TABLES, st.sampled_from([0.3, 0.9]), st.sampled_from([0.0, 0.5, 1])
)
def test_every_line_is_scored_as_defined(
    lines: list[str], queries: list[str], table: dict[tuple[str, str], float], lam: float, beta: float
) -> None:
    index = TranslatedIndex(lines, queries, lexicon(table), LexicalMining(lambda_=lam, beta=beta, least=0), n_threads=2)
    places, gains = index.search(len(lines), n_threads=2)
    for number, query in enumerate(queries):
        expected = {
            at: value
            for at, line in enumerate(lines)
            if (value := log_p(query, line, queries, table, lam, beta)) is not None
        }
        hits = {
            int(at): index.log_p(number, gain)
            for at, gain in zip(places[number], gains[number], strict=True)
            if at >= 0
        }
        assert hits == pytest.approx(expected, abs=1e-4)
        assert list(hits) == sorted(hits, key=lambda at: (-gains[number][list(places[number]).index(at)], at))


def test_more_threads_find_the_same() -> None:
    lines = [f"w{n % 7} w{n % 5} w{n % 3}" for n in range(50)]
    table = {(f"w{n}", f"v{n % 4}"): 0.5 for n in range(7)}
    queries = [f"v{n % 4} w{n % 3}" for n in range(30)]
    one, four = (TranslatedIndex(lines, queries, lexicon(table), n_threads=n).search(5, n_threads=n) for n in (1, 4))
    assert np.array_equal(one[0], four[0])
    assert np.array_equal(one[1], four[1])


GERMAN = ["ein rotes haus", "ein blaues haus", "ein rotes auto", "ein blaues auto", "das kleine haus", "das große auto"]
ENGLISH = ["a red house", "a blue house", "a red car", "a blue car", "the small house", "the big car"]


@pytest.fixture(scope="module")
def model1() -> LexicalMiner:
    return LexicalMiner(Model1().train(Bitext.from_lines(GERMAN * 3, ENGLISH * 3)))


def test_lines_that_find_each_other_are_pairs(model1: LexicalMiner) -> None:
    pairs = model1.candidates(
        ["Das rote Haus", "Ein blaues Auto", "nichts davon"], ["a blue car", "nothing", "red house"]
    )
    assert list(zip(pairs.sources.tolist(), pairs.targets.tolist(), strict=True)) == [(0, 2), (1, 0)]


@pytest.mark.parametrize("direction", ["source", "target"])
def test_one_side_alone_may_look_up(model1: LexicalMiner, direction: str) -> None:
    miner = LexicalMiner(model1.aligner, LexicalMining(direction=direction))
    pairs = miner.candidates(["ein rotes haus", "ein rotes haus"], ["a red house", "a red car"])
    expected = {"source": [(0, 0), (1, 0)], "target": [(0, 0)]}[direction]  # of two targets for one source the better
    assert list(zip(pairs.sources.tolist(), pairs.targets.tolist(), strict=True)) == expected


@pytest.mark.parametrize("direction", ["source", "target", "both"])
def test_several_hits_are_all_pairs_that_are_among_the_best(model1: LexicalMiner, direction: str) -> None:
    srcs = ["ein rotes haus", "ein haus", "das auto", "das rote auto"]
    tgts = ["a red house", "the car", "a house", "the red car", "a car"]
    one_way = {
        way: {
            (s, t): gain
            for query, (places, gains) in enumerate(zip(*_searched(model1, srcs, tgts, way, 2), strict=True))
            for place, gain in zip(places.tolist(), gains.tolist(), strict=True)
            if place >= 0
            for s, t in [(query, place) if way == "source" else (place, query)]
        }
        for way in ("source", "target")
    }
    mutual = one_way["source"].keys() & one_way["target"].keys()
    one_way["both"] = {pair: (one_way["source"][pair] + one_way["target"][pair]) / 2 for pair in mutual}
    expected = one_way[direction]
    pairs = LexicalMiner(model1.aligner, LexicalMining(direction=direction, hits=2)).candidates(srcs, tgts)
    columns = zip(pairs.sources.tolist(), pairs.targets.tolist(), pairs.scores.tolist(), strict=True)
    assert {(s, t): score for s, t, score in columns} == pytest.approx(expected)
    assert len(pairs) > len(set(pairs.sources.tolist()))
    assert pairs.sources.tolist() == sorted(pairs.sources.tolist())


def _searched(miner: LexicalMiner, srcs: list[str], tgts: list[str], way: str, k: int) -> Any:
    queries, lines = (srcs, tgts) if way == "source" else (tgts, srcs)
    lexicon = miner.aligner.lexicon("backward" if way == "source" else "forward")
    return TranslatedIndex(lines, queries, lexicon, LexicalMining()).search(k)


def test_frequent_words_are_not_looked_at(model1: LexicalMiner) -> None:
    assert without_frequent(["a b a", "c", "a b"], 1) == ["b", "c", "b"]
    assert without_frequent(["a b a", ""], 0) == ["a b a", ""]
    # Without "ein", "a" and the like nothing is left of the second source, and it finds nothing.
    miner = LexicalMiner(model1.aligner, LexicalMining(stop_words=1))
    pairs = miner.candidates(["ein haus", "ein"], ["a house", "a", "a"])
    assert list(zip(pairs.sources.tolist(), pairs.targets.tolist(), strict=True)) == [(0, 0)]
    assert "stop_words:1" in miner.signature()


def test_numbers_keep_lines_of_other_days_apart(model1: LexicalMiner) -> None:
    numbers = Numbers([1], [9, 2], width=1)
    pairs = model1.candidates(["ein rotes haus"], ["a red house", "a red car"], numbers=numbers)
    assert list(zip(pairs.sources.tolist(), pairs.targets.tolist(), strict=True)) == [(0, 1)]


def test_words_are_linked_by_the_lexicon(model1: LexicalMiner) -> None:
    sources, targets, links = model1.links(["Ein rotes Auto", "xyz"], ["a red car", "unknown"], points=3)
    assert (sources, targets, links) == (["ein rotes auto"], ["a red car"], ["0-0 1-1 2-2"])


def test_a_scorer_without_a_lexicon_is_refused() -> None:
    scorer = LanguageModels().train(Bitext.from_lines(GERMAN, ENGLISH))
    with pytest.raises(ModelError, match=r"'language-models' has no lexicon of both languages.*--scorer model1"):
        LexicalMiner(scorer)


def test_numbers_are_one_a_line() -> None:
    with pytest.raises(DataError, match="numbers of targets"):
        Numbers([1], [1, 2]).check(["a"], ["b"])
    with pytest.raises(DataError, match="width of -1"):
        Numbers([1], [1], width=-1).check(["a"], ["b"])


def test_an_aligner_takes_tokenised_text() -> None:
    miner = LexicalMiner(Ibm1().train(GERMAN, ENGLISH))
    assert miner.cut(["Ein Haus."]) == ["Ein Haus."]
    assert "lexicon:ibm1|lambda:0.9" in miner.signature()
