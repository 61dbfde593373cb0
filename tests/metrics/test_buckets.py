from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import UnknownName
from dragoman.files import read_lines
from dragoman.metrics import as_test_set, collect
from dragoman.metrics.buckets import by_frequency, by_length, by_tag, by_tagger
from dragoman.metrics.cut_texts import CutTexts
from dragoman.metrics.ngram_contrast import contrast_ngrams
from dragoman.samples import sample_path
from dragoman.text import ANNOTATORS

from ..contract import naive

Lines = list[list[str]]


def cut(systems: dict[str, Lines], *refs: Lines, n_threads: int = 1) -> CutTexts:
    def joined(lines: Lines) -> list[str]:
        return [" ".join(words) for words in lines]

    outputs = {name: joined(lines) for name, lines in systems.items()}
    return CutTexts.of(as_test_set(outputs, [joined(lines) for lines in refs]), "none", n_threads=n_threads)


words = st.lists(st.sampled_from(["a", "b", "c", "d", "é", "火", "ß"]), max_size=9)
segments = st.integers(0, 6).flatmap(
    lambda n: st.tuples(*(st.lists(words, min_size=n, max_size=n) for _ in range(4))).map(lambda four: (n, *four))
)


def test_length_buckets_hold_every_segment_once() -> None:
    names = ("cobalt", "atlas")
    systems = {name: read_lines(sample_path(f"testset/systems/{name}.en")) for name in names}
    (statistics,) = collect(as_test_set(systems, [read_lines(sample_path("testset/reference-A.en"))]), ["bleu"])
    found = by_length(statistics, [0, 9, 10, 59, 60, 500, *([20] * 74)])
    counts = {"0–9": 2, "10–19": 1, "20–29": 74, "50–59": 1, "60+": 2}
    assert dict(zip(found.groups, found.counts, strict=True)) == counts


def test_words_by_frequency() -> None:
    refs = [["the", "cat", "the"], ["the", "dog"]]
    texts = cut({"s": [["the", "the", "the"], ["dog"]]}, refs)
    found = by_frequency(texts)
    values = dict(zip(found.groups, found.values[0].tolist(), strict=True))
    # the (3 times): 2 of 3 given and 2 of 3 wanted; cat and dog (once): 1 of 1 given, 1 of 2 wanted.
    assert values == {"1": pytest.approx(100 * 2 / 3), "3": pytest.approx(100 * 2 / 3)}
    trained = by_frequency(texts, {"the": 5000})
    assert trained.groups == ("0", "1000+")
    assert "training data" in trained.note


@given(segments, st.sampled_from([1, 2, 7]))
def test_words_by_frequency_are_those_of_the_definition(made: tuple[int, *tuple[Lines, ...]], n_threads: int) -> None:
    _, refs, _, one, two = made
    frequencies = {"a": 0, "b": 1, "c": 7, "d": 100, "é": 5000}
    bounds = {0: "0", 1: "1", 7: "5–9", 100: "100–999", 5000: "1000+"}
    found = by_frequency(cut({"one": one, "two": two}, refs, n_threads=n_threads), frequencies)
    for output, values in zip((one, two), found.values, strict=True):
        expected = naive.f_by_bucket(output, refs, lambda word: bounds[frequencies.get(word, 0)])
        assert dict(zip(found.groups, values.tolist(), strict=True)) == pytest.approx(expected)


def test_words_by_tag() -> None:
    tagged = [[("the", "DET"), ("can", "NOUN"), ("can", "VERB")], None]
    found = by_tag(cut({"s": [["can", "the"], ["other"]]}, [["x"], ["y"]]), tagged)
    assert dict(zip(found.groups, found.values[0].tolist(), strict=True)) == {"DET": 100.0, "NOUN": 100.0, "VERB": 0.0}


@given(segments)
def test_found_words_are_those_of_the_definition(made: tuple[int, *tuple[Lines, ...]]) -> None:
    _, refs, _, one, _ = made
    texts = cut({"one": one}, refs)
    expected = [there for words, ref in zip(one, refs, strict=True) for there in naive.found_words(words, ref)]
    assert texts.matched(texts.systems["one"], texts.first).tolist() == expected


def test_ngrams_won_and_lost() -> None:
    refs = [["a", "b", "c"], ["a", "b"]]
    left, right = [["x"], ["a", "x"]], [["a", "b"], ["a", "b"]]
    (found,) = contrast_ngrams(cut({"left": left, "right": right}, refs))
    wins = {each.text: (each.left, each.right, each.score) for each in found.wins}
    assert wins == {"a b": (0, 2, 0.75), "b": (0, 2, 0.75), "a": (1, 2, 0.6)}
    assert list(wins) == ["a b", "b", "a"]
    assert found.losses == ()
    (turned,) = contrast_ngrams(cut({"left": left, "right": right}, refs), "right")
    assert {each.text for each in turned.losses} == set(wins)
    with pytest.raises(UnknownName, match="No system is called 'nobody'"):
        contrast_ngrams(cut({"left": left, "right": right}, refs), "nobody")


@given(segments, st.integers(1, 5), st.integers(1, 6), st.sampled_from([1, 2, 7]))
def test_ngrams_are_those_of_the_definition(
    made: tuple[int, *tuple[Lines, ...]], order: int, most: int, n_threads: int
) -> None:
    n, first, second, one, two = made
    # A ragged second reference: every other segment has one.
    refs = [[" ".join(line) for line in first], [" ".join(second[i]) if i % 2 else None for i in range(n)]]
    outputs = {name: [" ".join(line) for line in lines] for name, lines in {"one": one, "two": two}.items()}
    texts = CutTexts.of(as_test_set(outputs, refs), "none", n_threads=n_threads)
    groups = [[first[i], second[i]] if i % 2 else [first[i]] for i in range(n)]
    wins, losses = naive.contrast(*(naive.ngram_matches(lines, groups, order) for lines in (one, two)), most)
    (found,) = contrast_ngrams(texts, max_order=order, most=most)
    assert [(each.text, each.left, each.right) for each in found.wins] == wins
    assert [(each.text, each.left, each.right) for each in found.losses] == losses
    assert all(each.order == len(each.text.split()) for each in (*found.wins, *found.losses))


class Sizes(type(ANNOTATORS.make("function-words:lang=en"))):  # type: ignore[misc]
    """Tags by the word alone, so that the definition can follow."""

    layers = ("pos",)

    def annotate(self, token_lines: Lines) -> list[list[str]]:
        return [["VOWEL" if word in "aé" else "OTHER" for word in line] for line in token_lines]


@given(segments)
def test_words_by_a_tagger_are_those_of_the_definition(made: tuple[int, *tuple[Lines, ...]]) -> None:
    _, refs, _, one, two = made
    found = by_tagger(cut({"one": one, "two": two}, refs), Sizes("en"))
    for output, values in zip((one, two), found.values, strict=True):
        expected = naive.f_by_bucket(output, refs, lambda word: "VOWEL" if word in "aé" else "OTHER")
        assert dict(zip(found.groups, values.tolist(), strict=True)) == pytest.approx(expected)
    assert sum(found.counts) == sum(map(len, refs))


def test_a_word_with_another_tag_is_another_word() -> None:
    class Turns(Sizes):  # the same word gets another tag in every line
        def annotate(self, token_lines: Lines) -> list[list[str]]:
            return [[f"T{number}" for number, _ in enumerate(line)] for line in token_lines]

    found = by_tagger(cut({"s": [["b", "a"]]}, [["a", "b"]]), Turns("en"))
    assert dict(zip(found.groups, found.values[0].tolist(), strict=True)) == {"T0": 0.0, "T1": 0.0}


def test_empty_texts_have_empty_tables() -> None:
    texts = cut({"one": [[], []], "two": [[], []]}, [[], []])
    assert by_frequency(texts).groups == ()
    assert by_tagger(texts, Sizes("en")).groups == ()
    assert contrast_ngrams(texts)[0].wins == ()
    assert np.array_equal(texts.words(texts.first), [[], []])
