"""Spelling variants in the translations of a crowd."""

from __future__ import annotations

import pytest

from dragoman.data.crowd import VotedSegment, Votes
from dragoman.errors import DataError
from dragoman.human.crowd.variants import pool_votes, spelling_variants

FAR = tuple(VotedSegment(f"f{n}", ("The japanese train is late.",), (1,)) for n in range(20))
NEAR = (
    VotedSegment(
        "1", ("A japenese city.", "A japanese city.", "A town of Japan."), (1, 1, 2), translators=("a", "b", "c")
    ),
    VotedSegment("2", ("Two japenese men", "Two Japanese men"), (1, 2)),
)


def test_a_rare_word_where_others_have_a_frequent_one_is_its_variant() -> None:
    result = spelling_variants(Votes((*FAR, *NEAR)))
    assert [(v.variant, v.word, v.n_variant, v.n_word, v.segments, v.edits) for v in result.variants] == [
        ("japenese", "japanese", 2, 22, 2, 1)
    ]
    assert (result.n_alike, result.n_other, result.n_untied) == (2, 0, 0)
    assert result.meta()["ratio"] == 5
    assert "japenese" in result.render("text")


def test_votes_of_spellings_are_pooled() -> None:
    variants = spelling_variants(Votes((*FAR, *NEAR))).variants
    first, second = pool_votes(Votes(NEAR), variants).segments
    assert (first.translations, first.votes, first.translators) == (
        ("A japenese city.", "A town of Japan."),
        (2, 2),
        ("a", "c"),
    )
    assert (second.translations, second.votes) == (("Two Japanese men",), (3,))


def test_forms_of_a_word_and_frequent_words_are_no_variants() -> None:
    forms = [
        VotedSegment("1", ("two trains", "two train"), (1, 1)),
        VotedSegment("2", ("the trains", "the train"), (1, 1)),
    ]
    more = [VotedSegment(f"m{n}", ("one train",), (1,)) for n in range(20)]
    assert not spelling_variants(Votes((*forms, *more))).variants
    assert not spelling_variants(Votes(NEAR)).variants  # both are rare
    assert not spelling_variants(Votes((*FAR, *NEAR)), segments=3).variants
    with pytest.raises(DataError, match="edits is 0; expected at least 1"):
        spelling_variants(Votes(NEAR), edits=0)
