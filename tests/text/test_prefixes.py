"""The lists of abbreviations."""

from __future__ import annotations

from pathlib import Path

import pytest
from sacremoses.corpus import NonbreakingPrefixes

from dragoman.errors import FormatError, UnknownName
from dragoman.text.prefixes import PREFIX_LANGUAGES, language_of, prefixes_of, read_prefixes


def test_the_promised_languages_are_there() -> None:
    assert {"cs", "de", "en", "es", "fr", "hi", "it", "nl", "pl", "pt", "ru", "ta", "te"} <= set(PREFIX_LANGUAGES)


@pytest.mark.parametrize("lang", PREFIX_LANGUAGES)
def test_a_list_holds_what_moses_has(lang: str) -> None:
    ours = {entry.partition(" ")[0]: entry.endswith("#NUMERIC_ONLY#") for entry in prefixes_of(lang)}
    theirs: dict[str, bool] = {}
    for entry in NonbreakingPrefixes().words(lang):
        word, numeric, _ = entry.partition("#NUMERIC_ONLY#")
        if " " not in word.strip():
            theirs[word.strip()] = bool(numeric) or theirs.get(word.strip(), False)
    if lang in {"ta", "te"}:  # docs/differences-moses.md, T7
        rupee, sign = {"ta": ("ரூ", "ூ"), "te": ("రూ", "ూ")}[lang]
        assert ours.pop(rupee) is False
        assert theirs.pop(sign) is False
    assert ours == theirs


def test_other_languages_use_the_english_list() -> None:
    assert prefixes_of("eo") == prefixes_of("en")
    assert "Mr" in prefixes_of("eo")
    assert "No #NUMERIC_ONLY#" in prefixes_of("en")


@pytest.mark.parametrize(
    ("tag", "lang"),
    [("en", "en"), ("pt-BR", "pt"), ("PT_br", "pt"), ("zh-Hant-TW", "zh"), ("mni", "mni"), ("cmn", "zh")],
)
def test_language_of_a_tag(tag: str, lang: str) -> None:
    assert language_of(tag) == lang
    assert prefixes_of(tag) == prefixes_of(lang)


@pytest.mark.parametrize("tag", ["", "e", "english", "xx", "cz", "-en"])
def test_what_is_no_tag(tag: str) -> None:
    with pytest.raises(UnknownName, match=r"is no language tag\."):
        language_of(tag)


def test_reading_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes("\ufeff# comment\r\nDr\r\n\r\nNr\t#NUMERIC_ONLY#\r\nDr\r\nz.B\r\n".encode())
    assert read_prefixes(path) == ("Dr", "Nr #NUMERIC_ONLY#", "z.B")


@pytest.mark.parametrize("line", ["a. s", "#NUMERIC_ONLY#", "No #NUMERIC_ONLY# x"])
def test_a_line_that_is_no_abbreviation(tmp_path: Path, line: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(f"Dr\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=rf"mine\.txt:2: '{line}' is no abbreviation\. Write one word"):
        read_prefixes(path)
