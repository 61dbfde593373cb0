"""What was done to each word (PE-EFFORT, acceptance 1): every label on sentences made by hand."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.analysis.post_editing import Words, label_words
from dragoman.analysis.post_editing.labels import Edited, order_of
from dragoman.errors import DataError


def labels(mt: str, pe: str, lemmas: dict[str, str] | None = None, tags: dict[str, str] | None = None) -> list[Edited]:
    def words(text: str) -> Words:
        forms = text.split()
        return Words(
            forms,
            None if lemmas is None else [lemmas.get(form, form) for form in forms],
            None if tags is None else [tags.get(form, "X") for form in forms],
        )

    (found,) = label_words([words(mt)], [words(pe)])
    return list(found)


def test_an_unchanged_word_is_a_match_whatever_its_case() -> None:
    assert [word.label for word in labels("The dog sleeps", "the dog sleeps")] == ["word match"] * 3


def test_another_form_of_a_lemma_is_a_changed_form() -> None:
    found = labels("the dog sleep", "the dog sleeps", {"sleep": "sleep", "sleeps": "sleep"})
    assert [word.label for word in found] == ["word match", "word match", "form changed"]


def test_another_word_is_told_by_its_part_of_speech() -> None:
    tags = {"dog": "NOUN", "cat": "NOUN", "bark": "NOUN", "barks": "VERB", "sleeps": "VERB"}
    assert labels("the dog sleeps", "the cat sleeps", tags=tags)[1].label == "word changed"
    assert labels("the dog bark .", "the dog barks .", tags=tags)[2].label == "pos changed"


def test_words_without_a_partner_are_deleted_or_inserted() -> None:
    found = labels("the very big dog", "the dog really sleeps")
    assert [(word.label, word.mt, word.pe) for word in found if word.label != "word match"][:2] == [
        ("deleted", 1, None),
        ("deleted", 2, None),
    ]
    assert [word.pe for word in found if word.label == "inserted"] == [2, 3]


def test_of_several_words_for_one_the_same_part_of_speech_is_its_partner() -> None:
    tags = {"went": "VERB", "has": "AUX", "gone": "VERB", "she": "PRON", "home": "ADV"}
    found = labels("she went home", "she has gone home", tags=tags)
    assert [(word.label, word.mt, word.pe) for word in found] == [
        ("word match", 0, 0),
        ("word changed", 1, 2),
        ("word match", 2, 3),
        ("inserted", None, 1),
    ]


def test_of_several_words_for_one_the_first_is_its_partner_without_tags() -> None:
    assert [word.pe for word in labels("she went home", "she has gone home") if word.mt == 1] == [1]


def test_an_insertion_moves_nothing() -> None:
    found = labels("a b c d", "a x y z b c d")
    assert not any(word.moved for word in found)


def test_one_word_moved_by_one_place() -> None:
    found = {word.mt: word for word in labels("a c b d e", "a b c d e")}
    moved = [word for word in found.values() if word.moved]
    assert [(word.distance, word.in_group) for word in moved] == [(1, False)]


def test_one_word_moved_far() -> None:
    (moved,) = [word for word in labels("e a b c d", "a b c d e") if word.moved]
    assert (moved.mt, moved.distance, moved.in_group) == (0, 4, False)


def test_words_that_move_together_are_a_group() -> None:
    moved = [word for word in labels("d e a b c f", "a b c d e f") if word.moved]
    assert [(word.mt, word.distance, word.in_group) for word in moved] == [(0, 3, True), (1, 3, True)]


@given(st.permutations(range(7)), st.lists(st.booleans(), min_size=7, max_size=7))
def test_the_words_that_keep_their_order_are_a_longest_increasing_subsequence(
    order: list[int], equal: list[bool]
) -> None:
    matched = [(m, p, same) for m, (p, same) in enumerate(zip(order, equal, strict=True))]
    kept = tuple(m for m, (distance, _) in order_of(matched).items() if distance == 0)
    rising = [
        places
        for size in range(1, 8)
        for places in combinations(range(7), size)
        if all(order[a] < order[b] for a, b in pairwise(places))
    ]
    best = max((len(places), sum(equal[place] for place in places)) for places in rising)
    leftmost = min(p for p in rising if (len(p), sum(equal[place] for place in p)) == best)
    assert kept == leftmost


@given(st.lists(st.sampled_from("abcde"), max_size=9), st.lists(st.sampled_from("abcde"), max_size=9))
def test_every_word_is_labelled_once_and_equal_words_are_paired_as_far_as_they_go(mt: list[str], pe: list[str]) -> None:
    (found,) = label_words([Words(mt)], [Words(pe)])
    assert sorted(word.mt for word in found if word.mt is not None) == list(range(len(mt)))
    assert sorted(word.pe for word in found if word.pe is not None) == list(range(len(pe)))
    assert sum(word.label == "word match" for word in found) == sum(min(mt.count(x), pe.count(x)) for x in "abcde")


def test_layers_of_another_length_are_refused() -> None:
    with pytest.raises(DataError, match="A sentence of 2 words has 1 lemmas"):
        Words(["a", "b"], ["a"])


def test_threads_change_nothing() -> None:
    outputs = [Words(line.split()) for line in ("b a c", "x y", "", "a a b")]
    edited = [Words(line.split()) for line in ("a b c", "y", "z", "a b a")]
    assert label_words(outputs, edited) == label_words(outputs, edited, n_threads=7)
