"""The Moses detokeniser: hard lines, sacremoses as oracle, and the way there and back."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, UnknownName
from dragoman.text.detokenise import MosesDetokeniser
from dragoman.text.moses import MosesTokeniser
from tests.text.moses_peer import may_detokenise_differently, their_text

SIGNS = list(",.?!:;%)](['\"`„“$€¿-–@")
ENTITIES = ["&apos;", "&quot;", "&amp;", "&#91;", "&bar;", "&amp;lt;"]
WORDS = ["a", "B", "s", "5", "@-@", "'s", "'t", "l'", "qu'", "''", "``", "li", "...", "word", "3,5", "Jones", "Λ"]
ASIAN = ["日本", "語", "。", "한국", "भारत"]
TOKENS = SIGNS + ENTITIES + WORDS + ASIAN


def text(line: str, **options: object) -> str:
    return MosesDetokeniser(**options).detokenise([line])[0]  # type: ignore[arg-type]


@given(
    st.lists(
        st.sampled_from(TOKENS) | st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=4)
    ),
    st.sampled_from(["en", "de", "fr", "it", "ga", "ko", "ja", "es"]),
)
def test_tokens_become_the_text_that_sacremoses_makes(tokens: list[str], lang: str) -> None:
    line = " ".join(" ".join(tokens).split())
    if not may_detokenise_differently(line, lang):
        assert text(line, lang=lang) == their_text(line, lang)


@pytest.mark.parametrize(
    ("lang", "line", "expected"),
    [
        (
            "en",
            "He said : &quot; It &apos;s $ 5 ( or 3 % ) , Mr. Jones &apos; dog . &quot;",
            "He said: \"It's $5 (or 3%), Mr. Jones' dog.\"",
        ),
        ("en", "a well @-@ known x @-@ y", "a well-known x-y"),
        ("en", "@-@ a @-@", "-a-"),
        ("en", "&amp;lt; &lt; &amp;", "&lt; < &"),
        ("fr", "L&apos; été , c&apos; est beau : n&apos; est-ce pas ?", "L'été, c'est beau : n'est-ce pas ?"),
        ("it", "dell&apos; arte , un po &apos; tardi", "dell'arte, un po 'tardi"),
        ("cs", "„ Bude - li 3 , 5 % , pošli e - mail “ , řekl .", "„Bude-li 3,5%, pošli e-mail“, řekl."),
        ("fi", "EU : ssa , EU : nkin , EU : Lle , EU : hun on", "EU:ssa, EU:nkin, EU:Lle, EU:hun on"),
        ("fi", ": ssa", ":ssa"),
        ("de", "„ Ja “ , sagte er , ( so ) .", "„Ja“, sagte er, (so)."),
        ("zh", "我 喜欢 Moses 吗 ？", "我喜欢 Moses 吗？"),
        ("ja", "「 はい 」 と 言っ た 。", "「はい」と言った。"),
        ("ko", "한국 사람", "한국 사람"),
        ("en", "", ""),
        ("en", " \t ", ""),
        ("en", "nul\x00 ,", "nul\x00,"),
    ],
)
def test_hard_lines(lang: str, line: str, expected: str) -> None:
    assert text(line, lang=lang) == expected


def test_entities_may_stay() -> None:
    assert text("&quot; a &quot;", unescape=False) == "&quot; a &quot;"


# The share of lines that come back from tokens exactly, but for runs of blanks, as measured on this data.
@pytest.mark.realdata
@pytest.mark.parametrize(
    ("path", "lang", "share"),
    [
        ("newstest2013/references/newstest2013.cs.gz", "cs", 0.970),
        ("newstest2013/references/newstest2013.de.gz", "de", 0.980),
        ("newstest2013/references/newstest2013.en.gz", "en", 0.984),
        ("newstest2013/references/newstest2013.es.gz", "es", 0.976),
        ("newstest2013/references/newstest2013.fr.gz", "fr", 0.866),  # ?, !, : and ; get a space before them
        ("newstest2013/references/newstest2013.ru.gz", "ru", 0.981),
        ("multi30k/val.en.gz", "en", 0.998),
        ("multi30k/val.de.gz", "de", 0.997),
        ("multi30k/val.fr.gz", "fr", 0.999),
        ("multi30k/val.cs.gz", "cs", 0.998),
        ("indian/hi-en/test.hi-en.hi.gz", "hi", 0.797),
        ("indian/ta-en/test.ta-en.ta.gz", "ta", 0.964),
        ("indian/te-en/test.te-en.te.gz", "te", 0.939),
    ],
)
def test_there_and_back(data_folder: Path, path: str, lang: str, share: float) -> None:
    with gzip.open(data_folder / path, "rt", encoding="utf-8") as file:
        lines = [" ".join(line.split()) for line in file]
    back = MosesDetokeniser(lang).detokenise(MosesTokeniser(lang).tokenise(lines))
    assert sum(a == b for a, b in zip(lines, back, strict=True)) / len(lines) >= share


@given(st.lists(st.text(st.sampled_from("abc ÄЖ5"), max_size=20)))
def test_plain_words_always_come_back(lines: list[str]) -> None:
    back = MosesDetokeniser().detokenise(MosesTokeniser().tokenise(lines))
    assert back == [" ".join(line.split()) for line in lines]


@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_threads_change_nothing(n_threads: int) -> None:
    lines = [" ".join(TOKENS[i:] + TOKENS[:i]) for i in range(len(TOKENS))] + [""]
    assert MosesDetokeniser().detokenise(lines, n_threads=n_threads) == [text(line) for line in lines]


@pytest.mark.parametrize("piece", ["a ", "' ", "' '' ", "@-@ ", "&amp;", "日 "])
def test_a_line_of_a_megabyte_takes_its_time_and_no_more(piece: str) -> None:
    start = time.process_time()
    MosesDetokeniser().detokenise([piece * (1_000_000 // len(piece))])
    assert time.process_time() - start < 3


def test_bad_input_is_named() -> None:
    assert MosesDetokeniser().detokenise([]) == []
    with pytest.raises(DataError, match=r"Line 1 holds a lone surrogate"):
        MosesDetokeniser().detokenise(["\udfff"])
    with pytest.raises(UnknownName, match=r"'' is no language tag"):
        MosesDetokeniser("")
    with pytest.raises(TypeError, match="expected a sequence of str, got one str"):
        MosesDetokeniser().detokenise("a line")
