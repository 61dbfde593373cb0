"""What holds of every aligner, and inverted edit distance beside looking at everything."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import combine as core
from dragoman.combine.batch import Batch
from dragoman.combine.recipe import ALIGNMENTS, CombineRecipe
from tests.examples import examples

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "run", "running"]), max_size=7)
SEGMENTS = st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=4)


@pytest.mark.parametrize("align", ALIGNMENTS)
@examples(12)
@given(segments=SEGMENTS)
def test_a_network_holds_every_output(align: str, segments: list[tuple[list[str], ...]]) -> None:
    lines = {name: [" ".join(each[s]) for each in segments] for s, name in enumerate("xyz")}
    if not any(any(each) for each in segments):
        return
    batch = Batch(lines, CombineRecipe(align=align, lang="en", inputs_order=0))
    for number, outputs in enumerate(segments):
        for skeleton in range(3):
            links = batch.network(number, skeleton).links
            columns = [[link[s] for link in links if link[s] is not None] for s in range(3)]
            assert [Counter(column) for column in columns] == [Counter(words) for words in outputs]
            assert columns[skeleton] == list(outputs[skeleton])
            assert all(any(word is not None for word in link) for link in links)


def brute_force(hyp: tuple[int, ...], ref: tuple[int, ...], inversion: float) -> float:
    """The cheapest derivation of an inversion transduction grammar, by its definition."""

    @cache
    def cost(i: int, j: int, k: int, m: int) -> float:
        if i == j or k == m:
            return j - i + m - k
        best = float(hyp[i] != ref[k]) if j - i == m - k == 1 else float(j - i + m - k)
        for s in range(i, j + 1):
            for t in range(k, m + 1):
                parts = [(i, s, k, t), (s, j, t, m)], [(i, s, t, m), (s, j, k, t)]
                for straight, pair in zip((True, False), parts, strict=True):
                    if (i, j, k, m) not in pair:
                        best = min(best, sum(cost(*part) for part in pair) + (0 if straight else inversion))
        return best

    return cost(0, len(hyp), 0, len(ref))


IDS = st.lists(st.integers(0, 3), max_size=6)


@given(hyp=IDS, ref=IDS, inversion=st.sampled_from([0.0, 0.5, 1.0]))
def test_inverted_distance_is_that_of_looking_at_everything(hyp: list[int], ref: list[int], inversion: float) -> None:
    found, _ = core.inverted_distance(hyp, ref, inversion)
    assert found == pytest.approx(brute_force(tuple(hyp), tuple(ref), inversion), abs=1e-5)


def test_the_search_looks_at_fewer_spans_than_there_are() -> None:
    hyp, ref = [0, 1, 2, 3, 4, 5], [3, 4, 5, 0, 1, 2]
    cost, n_items = core.inverted_distance(hyp, ref, 1.0)
    assert cost == 1  # one inversion
    assert n_items < 21 * 21  # spans of words times spans of links


def test_a_block_is_shifted_to_where_it_is_alike() -> None:
    systems = {"a": ["today we met the old man"], "b": ["we met the old man today"]}
    for align in ("iter", "iterp", "itg"):
        links = Batch(systems, CombineRecipe(align=align, lang="en")).network(0, 0).links
        assert links == tuple((word, word) for word in ["today", "we", "met", "the", "old", "man"])


def test_forms_of_a_word_share_a_link() -> None:
    systems = {"a": ["they walk home"], "b": ["they walked , home"]}
    for align in ("iter", "iterp", "itg", "ihmm"):
        links = Batch(systems, CombineRecipe(align=align, lang="en")).network(0, 0).links
        assert ("walk", "walked") in links


def test_words_of_one_source_word_are_alike() -> None:
    srcs = ["haus", "haus", "buch", "haus buch"]
    systems = {"a": ["house", "home", "book", "house book"], "b": ["home", "house", "book", "book home"]}
    recipe = CombineRecipe(align="ihmm", lang="en", semantic=0.9)
    links = Batch(systems, recipe, srcs=srcs).network(3, 0).links
    assert links == (("house", "home"), ("book", "book"))


def test_giving_up_is_counted() -> None:
    systems = {"a": ["a b c d e f g h"], "b": ["h c b a e g f d"]}
    batch = Batch(systems, CombineRecipe(align="itg", most_items=1))
    assert batch.core.n_given_up == 2
