"""Dictionaries that are damaged, cut off, wrongly encoded or far too large: each is named with its line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dragoman.errors import DataError, FormatError
from dragoman.text import hunspell
from dragoman.text.hunspell import read_dictionary
from tests.text.hunspell_files import write_dictionary

AFFIX_ERRORS = [
    ("SET klingon\n", r":1: the encoding 'klingon' \(SET\) is not known\. Convert both files to UTF-8"),
    ("SET UTF-8\nFLAG short\n", r":2: FLAG is 'short'; expected long, num or UTF-8\."),
    ("SET\n", r":1: 'SET' says nothing\."),
    ("COMPOUNDMIN x\n", r":1: 'x' is no number\."),
    ("FLAG long\nNEEDAFFIX abc\n", r":2: 'abc' is not made of flags of two characters \(FLAG long\)\."),
    ("FLAG num\nNEEDAFFIX 1,2\n", r":2: '1,2' is 2 flags; expected one\."),
    ("FLAG num\nNEEDAFFIX a\n", r":2: 'a' is no number\."),
    ("SFX A X 1\n", r":1: 'SFX A X 1' begins no table of affixes: expected SFX or PFX, a flag, Y or N"),
    ("SFX A Y 2\nSFX A 0 s .\n", r":1: the table 'SFX' announces 2 lines and has 1: is the file cut off\?"),
    ("SFX A Y 2\nSFX A 0 s .\nTRY abc\n", r":1: the table 'SFX' announces 2 lines and has 1"),
    ("SFX A Y 1\nSFX A 0\n", r":2: an affix has a flag, what it strips, what it adds and a condition\."),
    ("SFX A Y 1\nSFX B 0 s .\n", r":2: the affix has the flag 'B', its table 'A'\."),
    ("SFX A Y 1\nSFX A 0 s [ab\n", r":2: the condition '\[ab' has brackets that are not closed, or empty ones\."),
    ("SFX A Y 1\nSFX A 0 s []\n", r":2: the condition '\[\]' has brackets"),
    ("SFX A Y 1\nSFX A 0 " + 300 * "s" + " .\n", r":2: an affix or its condition has more than 255 characters\."),
    ("SFX A Y 9999999\n", r":1: the table 'SFX' announces 9999999 lines; at most 1000000 are read\."),
    ("SFX A Y 99999999999\n", r":1: '99999999999' is no number\."),
    ("ICONV 1\nICONV a\n", r":2: a conversion has two texts\."),
    ("FLAG num\nCOMPOUNDRULE 1\nCOMPOUNDRULE abc\n", r":3: 'abc' is no rule of compounds: expected flags"),
    ("AF 1\nAF S\nSFX A Y 1\nSFX A 0 s/7 .\n", r":4: set of flags 7 of 1 \(AF\)\."),
]


@pytest.mark.parametrize(("text", "message"), AFFIX_ERRORS)
def test_what_is_wrong_in_an_affix_file_is_named(text: str, message: str, tmp_path: Path) -> None:
    base = tmp_path / "toy"
    base.with_suffix(".aff").write_text(text, encoding="utf-8")
    base.with_suffix(".dic").write_text("1\na\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"toy\.aff" + message):
        read_dictionary(base)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (b"", r":1: a word list begins with the number of its words\."),
        (b"word\nword\n", r":1: a word list begins with the number of its words\."),
        (b"9" * 5000 + b"\nword\n", r":1: a word list begins with the number of its words\."),
        (b"9\na\nb\n", r":3: the list ends after 2 words, its first line says 9: is it cut off\?"),
        (b"1\nma\xf1ana\n", r":2: 'ma�ana' is not utf-8, the encoding that the affix file names \(SET\)\."),
        (b"1\na/\xf1\n", r":2: '�' are no flags in UTF-8 \(FLAG UTF-8\)\."),
    ],
)
def test_what_is_wrong_in_a_word_list_is_named(words: bytes, message: str, tmp_path: Path) -> None:
    base = tmp_path / "toy"
    base.with_suffix(".aff").write_text("SET UTF-8\nFLAG UTF-8\n", encoding="utf-8")
    base.with_suffix(".dic").write_bytes(words)
    with pytest.raises(FormatError, match=r"toy\.dic" + message):
        read_dictionary(base)


def test_both_files_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "es.aff").touch()
    with pytest.raises(DataError, match=r"A dictionary is two files, es\.aff and es\.dic; there is no .*es\.dic\. Deb"):
        read_dictionary(tmp_path / "es.aff")
    with pytest.raises(DataError, match=r"there is no .*de\.aff and no .*de\.dic\."):
        read_dictionary(tmp_path / "de")


def test_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = write_dictionary(tmp_path, "", "a\nb\nc")
    monkeypatch.setattr(hunspell, "_MOST_WORDS", 2)
    with pytest.raises(FormatError, match=r"toy\.dic:4: a dictionary has at most 2 words; this one has more\."):
        read_dictionary(base)
    base.with_suffix(".dic").write_bytes(gzip.compress(b"\0" * (1 << 26)))  # a small file that unpacks to a large one
    with pytest.raises(FormatError, match=r"toy\.dic: a dictionary's file has at most 32 MB; this one is longer\."):
        read_dictionary(base)


def test_comments_spaces_and_marks_are_passed_over(tmp_path: Path) -> None:
    base = tmp_path / "toy"
    affixes = "\ufeffSET UTF-8 # a mark before it\n\n# SFX A Y 1\nSFX A Y 1 # one\n# between\n\nSFX A 0 s . +plural\n"
    base.with_suffix(".aff").write_text(affixes + "BREAK 0\nREP 1\nREP a\n", encoding="utf-8")
    base.with_suffix(".dic").write_text(
        "3 words\n\ndog/A po:noun\nice cream\n# no word\n\tnone\nGabaldón \n", encoding="utf-8"
    )
    found = read_dictionary(base)
    assert found.words == ["dog", "ice cream", "Gabaldón"]
    assert [found.flag_sets[number] for number in found.word_flags] == [(ord("A"),), (), ()]
    assert [(rule.add, rule.condition) for rule in found.affixes] == [("s", ".")]
    assert found.breaks == []
