"""The lists of abbreviations."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import FormatError, UnknownName
from dragoman.text import prefixes
from dragoman.text.moses import MosesTokeniser
from dragoman.text.prefixes import PREFIX_LANGUAGES, language_of, prefixes_of, read_prefixes


def test_the_promised_languages_are_there() -> None:
    assert {"cs", "de", "en", "es", "fr", "hi", "it", "nl", "pl", "pt", "ru", "ta", "te"} <= set(PREFIX_LANGUAGES)


@pytest.mark.parametrize("lang", PREFIX_LANGUAGES)
def test_a_list_is_sorted_without_doubles_and_knows_initials(lang: str) -> None:
    text = (Path(prefixes.__file__).with_name("prefixes") / f"{lang}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("# ")]
    words = [line.partition(" ")[0] for line in lines]
    assert words == sorted(set(words))
    assert prefixes_of(lang) == tuple(lines)
    assert not [word for word in words if word.endswith(".")]
    assert sum(len(word) <= 2 for word in words) >= 13


def test_abbreviations_before_names_and_numbers() -> None:
    for lang, line in {
        "cs": "Ing. Novák", "de": "Dr. Meier", "en": "Prof. Smith", "es": "Sra. López", "fr": "Mme. Dupont",
        "hi": "डॉ. शर्मा", "it": "Dott. Rossi", "nl": "Dhr. Vries", "pl": "ul. Długa", "pt": "Dra. Costa",
        "ru": "г. Москва", "sv": "Dr. Berg", "ta": "திரு. குமார்", "te": "శ్రీ. రావు",
    }.items():  # fmt: skip
        assert MosesTokeniser(lang).tokenise([line]) == [line], lang
    for lang, line in {"de": "Art. 5", "en": "No. 5", "pl": "nr. 5", "cs": "č. 5", "es": "núm. 5"}.items():
        assert MosesTokeniser(lang).tokenise([line, f"{line[:-1]}X"]) == [line, f"{line[:-3]} . X"], lang


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
