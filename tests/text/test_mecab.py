"""Japanese and Korean tokenisation against sacreBLEU's, and its error messages."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab

from dragoman.errors import DataError, NotAvailable
from dragoman.text import Tokeniser
from dragoman.text.mecab import JapaneseTokeniser, KoreanTokeniser

PAIRS = [(JapaneseTokeniser, TokenizerJaMecab), (KoreanTokeniser, TokenizerKoMecab)]
each_language = pytest.mark.parametrize(("ours", "peer"), PAIRS, ids=["ja", "ko"])

text = st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
east_asian = st.text(alphabet="これはペンですか。吾輩猫、名前　東京12 ABc\t\n한국어를처리하는예시입니다.,")


@each_language
@given(lines=st.lists(text | east_asian, max_size=5))
def test_words_are_those_of_sacrebleu(ours: type[Tokeniser], peer: Any, lines: list[str]) -> None:
    expected = peer()
    assert ours().tokenise(lines) == [expected(line) for line in lines]


@each_language
def test_signatures_are_those_of_sacrebleu(ours: type[Tokeniser], peer: Any) -> None:
    assert ours().signature() == peer().signature()


@pytest.mark.realdata
def test_real_japanese_is_cut_as_sacrebleu_does(data_folder: Path) -> None:
    lines = gzip.decompress((data_folder / "small-enja" / "test.ja.gz").read_bytes()).decode().split("\n")
    lines = [line.replace(" ", "") for line in lines]
    peer = TokenizerJaMecab()
    assert JapaneseTokeniser().tokenise(lines) == [peer(line) for line in lines]


def test_examples() -> None:
    assert JapaneseTokeniser().tokenise([" これはペンです。 "]) == ["これ は ペン です 。"]
    assert KoreanTokeniser().tokenise(["예시입니다."]) == ["예시 입니다 ."]


@each_language
def test_a_nul_is_named(ours: type[Tokeniser], peer: Any) -> None:
    with pytest.raises(DataError, match=r"Line 2 holds a NUL character, at which MeCab would cut it off\. Remove it\."):
        ours().tokenise(["a", "b\0c"])


def test_a_line_too_long_for_mecab_is_named() -> None:
    with pytest.raises(
        DataError, match=r"Line 2 \(1000000 characters\) is refused by MeCab: too long sentence\. Cut it"
    ):
        JapaneseTokeniser().tokenise(["a", "x" * 1_000_000])


@pytest.mark.parametrize(
    ("tokeniser", "module", "extra"), [(JapaneseTokeniser, "ipadic", "ja"), (KoreanTokeniser, "mecab_ko", "ko")]
)
def test_the_missing_package_is_named_with_its_extra(
    tokeniser: type[Tokeniser], module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Fresh(tokeniser):  # type: ignore[misc,valid-type]
        """Opens its tagger by itself."""

    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(NotAvailable, match=rf'pip install "dragoman\[{extra}\]"'):
        Fresh().tokenise(["a"])


def test_another_dictionary_is_refused() -> None:
    class Other(JapaneseTokeniser):
        """On a dictionary that is not the one of the published scores."""

        @staticmethod
        def _open() -> Any:
            return SimpleNamespace(dictionary_info=lambda: SimpleNamespace(size=7, next=None))

    with pytest.raises(NotAvailable, match=r"needs the IPA dictionary of 392126 words and no other.*one of 7 words"):
        Other().tokenise(["a"])
