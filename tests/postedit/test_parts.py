"""The parts of a post-editor against their obvious definitions."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.align.phrases import phrase_spans
from dragoman.postedit.choice import best_set
from dragoman.postedit.gain import ORDER, Edit, Exchange, edited
from dragoman.postedit.tokens import GLUE, cut, guarded, joined, masked, sentence_start

WORDS = st.lists(st.sampled_from("abc"), max_size=7).map(tuple)


@given(st.text(alphabet=st.characters(exclude_characters=GLUE, exclude_categories=("Cs",))))
def test_tokens_give_the_line_again(line: str) -> None:
    assert joined(cut(line)) == " ".join(line.split())


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ('He said "yes", John.', ("He", "said", '"￭', "yes", '￭"', "￭,", "John", "￭.")),
        ("Anna's 3.50 €", ("Anna", "￭'s", "3.50", "€")),
        ("see https://a.b/c, {name} %s", ("see", "https://a.b/c,", "{name}", "%s")),
    ],
)
def test_tokens_know_where_no_space_was(line: str, tokens: tuple[str, ...]) -> None:
    assert cut(line) == tokens


def test_numbers_are_one_word_and_names_codes_and_numbers_are_guarded() -> None:
    tokens = cut("In 2006, Indiana had {n} of 34 states; I paid 3.50.")
    assert masked(tokens) == (
        "In",
        "0",
        "￭,",
        "Indiana",
        "had",
        "{n}",
        "of",
        "0",
        "states",
        "￭;",
        "I",
        "paid",
        "0",
        "￭.",
    )
    kept = Counter(["In", "2006", "Indiana", "{n}", "34", "3.50"])
    assert guarded(tokens, "en") == kept
    assert guarded(cut("Die USA und das Haus von 2006"), "de") == Counter(["USA", "2006"])
    assert sentence_start(cut('"The end'), frozenset({"The"})) == ('"￭', "the", "end")
    assert sentence_start(("Indiana",), frozenset({"The"})) == ("Indiana",)


def value(exchange: Exchange, line: tuple[str, ...], ref: tuple[str, ...]) -> float:
    """What the counts of a whole line are worth."""
    total = exchange.word * len(line)
    for n in range(1, ORDER + 1):
        a, b = (Counter(text[at : at + n] for at in range(len(text) - n + 1)) for text in (line, ref))
        total += exchange.match[n - 1] * (a & b).total()
    return total


@given(WORDS, WORDS, WORDS, st.integers(0, 7), st.integers(0, 7))
def test_an_edit_is_worth_the_difference_of_two_lines(
    line: tuple[str, ...], ref: tuple[str, ...], words: tuple[str, ...], a: int, b: int
) -> None:
    begin, end = sorted((min(a, len(line)), min(b, len(line))))
    exchange = Exchange((0.5, 0.4, 0.3, 0.2), -0.1)
    edit: Edit = (begin, end, words)
    difference = value(exchange, edited(line, [edit]), ref) - value(exchange, line, ref)
    assert exchange.gains(line, ref, [edit]) == [pytest.approx(difference)]


def test_leaving_out_a_word_that_does_not_match_is_worth_half_of_what_bleu_says() -> None:
    line, ref = ("the", "big", "cat", "sat", "down", "now"), ("the", "cat", "sat", "down", "now")
    exchange = Exchange.of([line], [ref])
    # Unigrams: 5 + 1 of 6 + 1 match, bigrams 3 + 1 of 5 + 1, trigrams 2 + 1 of 4 + 1, 4-grams 1 + 1 of 3 + 1.
    assert exchange.match == pytest.approx((1 / 24, 1 / 16, 1 / 12, 1 / 8))
    assert exchange.word == pytest.approx(-(1 / 7 + 1 / 6 + 1 / 5 + 1 / 4) / 8)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 3), st.integers(-3, 9)), max_size=7))
def test_the_best_set_is_that_of_all_sets(triples: list[tuple[int, int, int]]) -> None:
    edits: list[Edit] = [(begin, begin + size, ()) for begin, size, _ in triples]
    worth = [float(each) for _, _, each in triples]
    best = 0.0
    for size in range(len(edits) + 1):
        for some in combinations(range(len(edits)), size):
            spans = sorted(edits[n][:2] for n in some)
            if all(a[1] <= b[0] for a, b in pairwise(spans)):
                best = max(best, sum(worth[n] for n in some))
    chosen, total = best_set(edits, worth)
    assert total == pytest.approx(best)
    assert sum(worth[n] for n in chosen) == pytest.approx(best)
    spans = [edits[n][:2] for n in chosen]
    assert all(a[1] <= b[0] for a, b in pairwise(spans))


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=7), st.booleans())
def test_phrases_are_the_spans_that_no_link_leaves(links: set[tuple[int, int]], free_ends: bool) -> None:
    expected = set()
    for begin in range(5):
        for end in range(begin + 1, min(begin + 3, 5) + 1):
            targets = [t for s, t in links if begin <= s < end]
            if not targets:
                continue
            low, high = min(targets), max(targets) + 1
            is_closed = all(begin <= s < end for s, t in links if low <= t < high)
            has_ends = all(any(s == place for s, _ in links) for place in (begin, end - 1))
            if is_closed and (free_ends or has_ends):
                expected.add((begin, end, low, high))
    assert set(phrase_spans(links, 5, 3, free_ends=free_ends)) == expected
