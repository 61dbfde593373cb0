"""MEANT: matching of frames and fillers, its value on hand-sized frames, and its options."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from dragoman.data.frames import ROLES, Filler, Frame, frame_values, parse_frame_values
from dragoman.errors import DataError
from dragoman.metrics import make_metric, score
from dragoman.metrics.contexts import ContextVectors, dice, exact
from dragoman.metrics.meant import FramedSentence, FrameMatcher, best_pairs, linked_sum
from dragoman.rng import Stream
from tests.metrics.comparisons import compare

# CoNLL-2005 columns: word, predicate or -, brackets.
FRAMES = """\
they - (A0*)
sells sell (V*)
cars - (A1*)
today - (AM-TMP*)

they - (A0*)
sell sell (V*)
old - (A1*
cars - *)

nothing -
"""
REF, HYP, BARE = "they sells cars today", "they sell old cars", "nothing"


@pytest.fixture
def frames(tmp_path: Path) -> str:
    path = tmp_path / "frames.txt"
    path.write_text(FRAMES, encoding="utf-8")
    return f"frames+path={path}"


def framed(text: str, *frames: Frame) -> FramedSentence:
    return FramedSentence(tuple(text.split()), frames)


def test_a_frame_is_worth_what_its_action_and_fillers_of_equal_roles_share() -> None:
    ref = framed(REF, Frame(1, (Filler("agent", 0, 1), Filler("experiencer-patient", 2, 3), Filler("temporal", 3, 4))))
    hyp = framed(HYP, Frame(1, (Filler("agent", 0, 1), Filler("experiencer-patient", 2, 4))))
    value = dice("sells", "sell") + 1 + 2 / 3  # of "old cars" and "cars", one word of one and two is linked
    assert dice("sells", "sell") == pytest.approx(6 / 7)
    precision, recall = value / 3, value / 4
    expected = 2 * precision * recall / (precision + recall)
    assert FrameMatcher(dice).score(hyp, ref) == pytest.approx(expected)
    assert FrameMatcher(dice).score(ref, ref) == 1
    all_pairs = FrameMatcher(exact, "all")
    assert all_pairs.phrase(("old", "cars"), ("cars",)) == 0.5
    # Two of 27 pairs of words are equal: the published example has .0836, contexts added.
    long, short = ["sales", "of", "complete", "range", "of", "SK", "-", "II", "products"], ["2", "products", "sales"]
    assert all_pairs.phrase(long, short) == pytest.approx(2 / 27)


def test_a_filler_of_another_role_does_not_count() -> None:
    ref = framed("ceased in China", Frame(0, (Filler("locative", 1, 3),)))
    hyp = framed("ceased in China", Frame(0, (Filler("agent", 1, 3),)))
    assert FrameMatcher(exact).score(hyp, ref) == 0.5


def test_frames_weigh_the_words_that_they_cover_and_those_without_a_match_nothing() -> None:
    ref = framed("a b c x", Frame(0, (Filler("agent", 1, 3),)), Frame(3))
    hyp = framed("a q q x", Frame(0, (Filler("agent", 1, 3),)), Frame(3))
    assert FrameMatcher(exact).score(hyp, ref) == pytest.approx((0.5 * 3 + 1 * 1) / 4)
    alone = framed("a q q z", Frame(3))
    assert FrameMatcher(exact).score(alone, ref) == 0
    heavy = FrameMatcher(exact, weights=(0.0, 1.0, *[0.0] * (len(ROLES) - 1)))
    assert heavy.score(hyp, ref) == 0, "only agents count"


def test_frames_can_be_matched_by_their_fillers_as_well() -> None:
    ref = framed("saw cats saw dogs", Frame(0, (Filler("agent", 1, 2),)), Frame(2, (Filler("agent", 3, 4),)))
    hyp = framed("saw dogs saw cats", Frame(0, (Filler("agent", 1, 2),)), Frame(2, (Filler("agent", 3, 4),)))
    assert FrameMatcher(exact).score(hyp, ref) == 0.5
    for rule in ("mean", "surprise"):
        assert FrameMatcher(exact, align_by=rule).score(hyp, ref) == 1


def test_whole_sentences_are_compared_only_where_asked_and_neither_has_a_frame() -> None:
    bare, other = framed("good morning"), framed("good evening", Frame(0))
    assert FrameMatcher(exact).score(bare, bare) == 0
    assert FrameMatcher(exact, backoff=True).score(bare, bare) == 1
    assert FrameMatcher(exact, backoff=True).score(bare, other) == 0


def test_pairs_are_the_best_there_are() -> None:
    table = Stream(3, "pairs").uniform(20).reshape(4, 5)
    best = max(sum(table[i, j] for i, j in enumerate(chosen)) for chosen in permutations(range(5), 4))
    assert sum(table[i, j] for i, j in best_pairs(table)) == pytest.approx(best)
    assert best_pairs(np.zeros((2, 2))) == []
    assert linked_sum(np.array([[0.9, 0.8], [0.7, 0.0]])) == 0.9  # greedy: the best pair first


def test_minmax_mi_by_hand() -> None:
    # Neighbours within one word: a has x twice and y once, b has x once; x has a twice, b once; y has a.
    vectors = ContextVectors([["a", "x"], ["x", "a"], ["a", "y"], ["b", "x"]], window=1, measure="minmax-mi")
    chance = {"x": 3 / 8, "y": 1 / 8}
    a = {"x": np.log(2 / 3 / chance["x"]), "y": np.log(1 / 3 / chance["y"])}
    b = {"x": np.log(1 / chance["x"])}
    expected = min(a["x"], b["x"]) / (max(a["x"], b["x"]) + a["y"])
    assert vectors("a", "b") == vectors("B", "A") == pytest.approx(expected)
    assert vectors("a", "A") == vectors("new", "NEW") == 1
    assert vectors("a", "new") == vectors("new", "newer") == 0
    cosine = ContextVectors([["a", "x"], ["b", "x"], ["b", "y"]], window=1, measure="cosine")
    assert cosine("a", "b") == pytest.approx(1)  # over the one neighbour that both have
    assert cosine("a", "x") == 0


def test_what_contexts_cannot_be_counted_in_is_named() -> None:
    with pytest.raises(DataError, match="no two words side by side"):
        ContextVectors([["alone"]], window=3, measure="minmax-mi")
    with pytest.raises(DataError, match="by minmax-mi or cosine, not 'dice'"):
        ContextVectors([["a", "b"]], window=3, measure="dice")


def test_it_scores_and_compares_by_frames_of_a_file(frames: str, tmp_path: Path) -> None:
    metric = f"meant:tokeniser=none,frames={frames}"
    systems = {"mine": [HYP, REF, BARE], "other": [REF, HYP, BARE]}
    sheet = score(systems, [[REF, REF, REF]], metrics=[metric], level="segment")
    assert sheet.values[0, 0].round(2).tolist() == [round(100 * 2 * (6 / 7 + 5 / 3) / 7, 2), 100.0, 0.0]
    assert "frames:frames+path=" in sheet.signatures[0]
    assert compare(systems, [[REF, REF, REF]], metrics=[metric], trials=20).systems
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(f"{REF}\n{HYP}\n", encoding="utf-8")
    mi = make_metric(f"{metric},similarity=minmax-mi,corpus={corpus}")
    assert mi.corpus_value([REF], [[REF]]) == 100
    assert "|text:" in mi.signature()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("meant:similarity=minmax-mi", "similarity minmax-mi counts contexts in a text: corpus=FILE"),
        ("meant:corpus=text.txt", "similarity dice needs no corpus; leave it out"),
        ("meant:similarity=cosine,corpus=nowhere.txt", "no text nowhere.txt to count contexts in"),
        ("meant:weights=1+2", "MEANT has 12 weights from 0 on, not all 0; got 2"),
    ],
)
def test_options_that_do_not_fit_are_named(spec: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        make_metric(spec)


def test_a_layer_that_nobody_makes_is_named_with_its_makers() -> None:
    with pytest.raises(
        DataError, match=r"meant asks for the layer frames, which nobody makes: --layer frames=frames:… \(or parser"
    ):
        score({"a": [HYP]}, [[REF]], metrics=["meant"])


def test_frames_are_written_as_a_layer_and_read_back() -> None:
    frames = (Frame(0), Frame(3, (Filler("degree-extent", 0, 2), Filler("agent", 1, 2))))
    values = frame_values(frames, 5)
    assert values == ["V", "", "", "V,degree-extent:0-2,agent:1-2", ""]
    assert parse_frame_values(values) == frames
