from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.corpus import corpus_statistics
from dragoman.data.bitext import Bitext
from dragoman.files import iter_lines
from dragoman.text import Tokeniser


@dataclass(frozen=True)
class Spaced(Tokeniser):
    """Each character a token."""

    name: ClassVar[str] = "spaced"

    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        return [" ".join(line) for line in lines]


def test_a_bitext_counted_by_hand() -> None:
    bitext = Bitext.from_pairs(
        [("Das Haus .", "The house ."), ("das Haus", "the house"), ("", "nothing"), ("Das Haus .", "The house .")],
        source_lang="de",
        target_lang="en",
    )
    found = corpus_statistics(bitext)
    german, english = found.sides
    assert (german.name, german.sentences, german.tokens, german.types) == ("de", 4, 8, 3)
    assert (german.longest, german.empty, german.duplicates, german.hapaxes) == (3, 1, 1, 0)
    assert (english.tokens, english.types, english.hapaxes) == (9, 4, 1)
    assert english.mean_length == 2.25
    assert english.type_token_ratio == pytest.approx(4 / 9)
    assert english.hapax_share == 0.25
    assert found.pair_duplicates == 1
    assert corpus_statistics(bitext, lowercase=False).sides[0].types == 4


@given(st.lists(st.text("aAbB é\u3000", max_size=12), max_size=20))
def test_against_the_definition(lines: list[str]) -> None:
    (side,) = corpus_statistics({"x": lines}).sides
    tokens = [token for line in lines for token in line.lower().split()]
    assert side.sentences == len(lines)
    assert side.tokens == len(tokens)
    assert side.types == len(set(tokens))
    assert side.hapaxes == sum(tokens.count(token) == 1 for token in set(tokens))
    assert side.longest == max((len(line.split()) for line in lines), default=0)
    assert side.empty == sum(not line.split() for line in lines)
    assert side.duplicates == len(lines) - len(set(lines))


def test_case_follows_the_language() -> None:
    lines = ["IRAK ırak", "İZMİR izmir"]
    turkish = Bitext.from_lines(lines, lines, source_lang="tr", target_lang="en")
    assert [side.types for side in corpus_statistics(turkish).sides] == [2, 4]


def test_an_empty_text_has_no_means() -> None:
    found = corpus_statistics({"x": []})
    assert found.sides[0].mean_length is None
    assert found.to_dict()["rows"][0]["hapax_share"] is None
    assert "–" in found.render("text")


def test_a_tokeniser_for_all_or_for_one_side() -> None:
    bitext = Bitext.from_pairs([("abc", "abc")], source_lang="de", target_lang="en")
    assert [side.tokens for side in corpus_statistics(bitext, tokeniser=Spaced()).sides] == [3, 3]
    found = corpus_statistics(bitext, tokeniser={"en": Spaced()})
    assert [side.tokens for side in found.sides] == [1, 3]
    assert found.meta() == {"tokeniser": "spaced", "lowercase": True, "pair_duplicates": 0}
    assert "of the tokeniser spaced; types regardless of case" in found.render("text")


def test_sides_of_one_language_have_two_names() -> None:
    bitext = Bitext.from_pairs([("a", "b")], source_lang="en", target_lang="en")
    assert [side.name for side in corpus_statistics(bitext).sides] == ["en (source)", "en (target)"]
    assert [side.name for side in corpus_statistics(Bitext.from_pairs([])).sides] == ["source", "target"]


@pytest.mark.realdata
def test_a_tokenised_text_has_the_vocabulary_that_kenlm_found(data_folder: Path) -> None:
    # The unigrams of an unpruned ARPA file are the types of its text and <unk>, <s>, </s>.
    header = [line for line, _ in zip(iter_lines(data_folder / "lm-fixture/o3.arpa.gz"), range(3), strict=False)]
    text = {"en": iter_lines(data_folder / "lm-fixture/text.en.gz")}
    (side,) = corpus_statistics(text, lowercase=False).sides
    assert header[1] == f"ngram 1={side.types + 3}"
    assert side.sentences == 8000
