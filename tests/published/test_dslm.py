"""Deep-syntax language models (Graham & van Genabith, SSST-4 2010): its worked examples, and what must hold of sums."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.lm import HeadsKneserNey, HeadsModel, KneserNey
from dragoman.lm.heads import HeadPath, depth_first_heads, head_paths, path_ngrams
from dragoman.samples import phrasebook
from dragoman.text.conllu import Sentence, Word

BILL = ["today", "congress", "pass", "obama", "health", "care", "bill"]
BILL_HEADS = [3, 3, 0, 7, 6, 7, 3]


def grams(text: str) -> Counter[tuple[str, ...]]:
    return Counter(tuple(gram.split()) for gram in text.split(" | "))


def tree(words: list[str], heads: list[int]) -> Sentence:
    return Sentence(tuple(Word(i, word, head=head) for i, (word, head) in enumerate(zip(words, heads, strict=True), 1)))


def test_the_bill_has_eleven_trigrams() -> None:
    assert path_ngrams(head_paths(BILL, BILL_HEADS), 3) == grams(
        "<s> pass | <s> pass today | pass today </s> | <s> pass congress | pass congress </s> | <s> pass bill | "
        "pass bill obama | bill obama </s> | pass bill care | bill care health | care health </s>"
    )


def test_loops_and_shared_arguments_of_hillary_go() -> None:
    words = ["hillary", "like", "be", "president", "at", "the", "U.N."]
    arcs = [(0, 2), (2, 1), (2, 3), (3, 1), (3, 4), (4, 1), (3, 5), (5, 7), (7, 6)]
    heads = depth_first_heads(len(words), arcs)
    assert heads == [2, 0, 2, 3, 3, 7, 5]
    assert [path.words for path in head_paths(words, heads)] == [
        ("like", "hillary"),
        ("like", "be", "president"),
        ("like", "be", "at", "U.N.", "the"),
    ]


def test_a_forward_arc_to_what_a_longer_path_reached_first_goes() -> None:
    assert depth_first_heads(3, [(0, 1), (1, 2), (2, 3), (1, 3)]) == [0, 1, 2]
    with pytest.raises(DataError, match="No arc leads from the root to node 2"):
        depth_first_heads(2, [(0, 1)])


def test_what_paths_share_is_counted_once() -> None:
    words = ["nobody", "agree", "with", "point", "two", "and", "three"]
    paths = head_paths(words, [2, 0, 2, 3, 6, 4, 6])
    assert paths == [
        HeadPath(("agree", "nobody"), 0),
        HeadPath(("agree", "with", "point", "and", "two"), 1),
        HeadPath(("agree", "with", "point", "and", "three"), 4),
    ]
    assert path_ngrams(paths, 6) == grams(
        "<s> agree | <s> agree nobody | <s> agree nobody </s> | <s> agree with | <s> agree with point | "
        "<s> agree with point and | <s> agree with point and two | agree with point and two </s> | "
        "<s> agree with point and three | agree with point and three </s>"
    )


@pytest.fixture(scope="module")
def model() -> HeadsModel:
    trees = [
        tree(BILL, BILL_HEADS),
        tree(["convention", "pass", "bill"], [2, 0, 2]),
        tree(["nobody", "agree", "with", "point", "two", "and", "three"], [2, 0, 2, 3, 6, 4, 6]),
        tree(["congress", "agree"], [2, 0]),
    ]
    return HeadsKneserNey(order=3).train(trees)


def test_a_tree_without_branches_is_counted_like_a_line() -> None:
    lines = [line.lower() for line in phrasebook()["en"][:400]]
    chains = [tree(line.split(), list(range(len(line.split())))) for line in lines]
    ours, plain = HeadsKneserNey(order=3).train(chains), KneserNey(order=3).train(lines)
    np.testing.assert_allclose(ours.score(chains), plain.score(lines), atol=1e-4)


def test_probabilities_below_every_history_sum_to_one(model: HeadsModel) -> None:
    lm = model.model
    words = [word for word in lm.words() if word not in ("<s>", "</s>", "<unk>")]
    for past in ("", "pass", "pass bill", "agree with", "bill care", "health bill"):
        below = [f"{past} {word}".strip() for word in [*words, "zzz"]]
        scores = [lm.score([line], eos=False)[0] for line in [*below]]
        before = lm.score([past], eos=False)[0] if past else 0.0
        end = lm.score_tokens([past]).log_p[-1]
        assert sum(10 ** (score - before) for score in scores) + 10**end == pytest.approx(1, abs=1e-5)


def test_another_argument_changes_the_factors_of_its_node_alone(model: HeadsModel) -> None:
    words = [*BILL]
    words[1] = "convention"
    ours, theirs = (path_ngrams(head_paths(each, BILL_HEADS), 3) for each in (BILL, words))
    assert set(ours - theirs) == {("<s>", "pass", "congress"), ("pass", "congress", "</s>")}
    assert set(theirs - ours) == {("<s>", "pass", "convention"), ("pass", "convention", "</s>")}
    lm = model.model
    first, second = (lm.score_tokens([f"pass {each}"]).log_p[1:].sum() for each in ("congress", "convention"))
    scores = model.score([tree(BILL, BILL_HEADS), tree(words, BILL_HEADS)])
    assert scores[1] - scores[0] == pytest.approx(second - first, abs=1e-5)


def test_punctuation_is_left_out_and_what_hangs_on_it_rises() -> None:
    words = (Word(1, "Go", head=0, deprel="root"), Word(2, "!", head=1, deprel="punct"), Word(3, "now", head=2))
    assert HeadsKneserNey().paths(Sentence(words)) == [HeadPath(("go", "now"))]


def test_what_was_saved_scores_the_same(model: HeadsModel, tmp_path: Path) -> None:
    again = HeadsModel.load(model.save(tmp_path / "heads"))
    trees = [tree(BILL, BILL_HEADS), None]
    np.testing.assert_array_equal(again.score(trees), model.score(trees))
    assert again.recipe == model.recipe


def test_wrong_trees_are_named() -> None:
    with pytest.raises(DataError, match="There are no trees"):
        HeadsKneserNey().train([])
    with pytest.raises(DataError, match="A sentence has no tree: 'a b'"):
        HeadsKneserNey().train([Sentence((Word(1, "a"), Word(2, "b")))])
