"""Normalisation forms, control characters, white space, scripts."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, UnknownName
from dragoman.text.unicode import (
    NORMAL_FORMS,
    SCRIPTS,
    find_controls,
    find_normalisation,
    normalise_unicode,
    remove_controls,
    script_counts,
    squeeze_spaces,
)

COMPOSED, DECOMPOSED = "é", "e\u0301"


@pytest.mark.parametrize("form", NORMAL_FORMS)
def test_lines_take_the_form(form: str) -> None:
    lines = normalise_unicode(["", COMPOSED, DECOMPOSED, "ﬁ ② Å"], form)
    assert all(unicodedata.is_normalized(form, line) for line in lines)  # type: ignore[arg-type]
    assert lines[1] == lines[2]


def test_forms_have_names() -> None:
    with pytest.raises(UnknownName, match=r"No normalisation form is called 'nfc'\. Known: NFC, NFD, NFKC, NFKD\."):
        normalise_unicode(["a"], "nfc")


def test_each_state_is_counted_with_its_first_line() -> None:
    report = find_normalisation(["abc", "", COMPOSED, DECOMPOSED, COMPOSED + DECOMPOSED, "ﬁ", "ﬁ" + COMPOSED])
    assert (report.plain, report.composed, report.decomposed, report.mixed) == (3, 2, 1, 1)
    assert report.compatibility == 2
    assert report.first_lines == (1, 3, 4, 5, 6)
    assert report.is_mixed
    assert report.to_dict()["rows"][2] == {"state": "decomposed", "lines": 1, "first_line": 4}


@pytest.mark.parametrize(
    ("lines", "mixed"),
    [
        ([], False),
        (["a", COMPOSED], False),
        (["a", DECOMPOSED], False),
        ([COMPOSED, DECOMPOSED], True),
        ([COMPOSED + DECOMPOSED], True),
    ],
)
def test_one_form_is_not_mixed(lines: list[str], mixed: bool) -> None:
    assert find_normalisation(lines).is_mixed is mixed


def test_controls_are_named_and_located() -> None:
    report = find_controls(["a\tb", "x\x00y\x00", "\x00\x85", "\ud800"])
    assert report.found == ((0x00, 3, 2, 2), (0x85, 1, 1, 3), (0xD800, 1, 1, 4))
    rows = report.to_dict()["rows"]
    assert rows[0] == {"code_point": "U+0000", "name": "CONTROL", "characters": 3, "lines": 2, "first_line": 2}
    assert rows[2]["name"] == "LONE SURROGATE"
    assert report.to_dict()["meta"]["n_lines"] == 4


def test_invisible_characters_are_found_when_asked_for() -> None:
    line = "\ufeffsoft\xadhyphen\u200b می\u200cخواهم"
    assert find_controls([line]).found == ()
    assert [code for code, *_ in find_controls([line], invisible=True).found] == [0xAD, 0x200B, 0xFEFF]
    assert remove_controls([line], invisible=True) == ["softhyphen می\u200cخواهم"]


@given(st.lists(st.text(st.characters(codec=None)), max_size=4), st.booleans())
def test_what_is_found_is_removed_and_nothing_else(lines: list[str], invisible: bool) -> None:
    clean = remove_controls(lines, invisible=invisible)
    assert find_controls(clean, invisible=invisible).found == ()
    found = {chr(code) for code, *_ in find_controls(lines, invisible=invisible).found}
    assert clean == ["".join(char for char in line if char not in found) for line in lines]


def test_a_replacement_is_taken_literally() -> None:
    assert remove_controls(["a\x00b"], replacement=r"\1") == [r"a\1b"]


def test_white_space_is_squeezed() -> None:
    assert squeeze_spaces(["  a\t b\u3000\u00a0c \r", "", " \t"]) == ["a b c", "", ""]


@pytest.mark.parametrize(
    "function", [normalise_unicode, find_normalisation, find_controls, remove_controls, squeeze_spaces]
)
def test_one_string_is_no_sequence_of_lines(function: object) -> None:
    with pytest.raises(DataError, match=r"Expected a sequence of lines, got one str\. Pass \[line\]\."):
        function("abc")  # type: ignore[operator]


def test_scripts_stand_in_the_order_of_the_core() -> None:
    letters = {
        "Latin": "a",
        "Greek": "α",
        "Cyrillic": "я",
        "Armenian": "ա",
        "Hebrew": "א",
        "Arabic": "ع",
        "Devanagari": "क",
        "Bengali": "ক",
        "Gurmukhi": "ਕ",
        "Gujarati": "ક",
        "Oriya": "କ",
        "Tamil": "க",
        "Telugu": "క",
        "Kannada": "ಕ",
        "Malayalam": "ക",
        "Sinhala": "ක",
        "Thai": "ก",
        "Lao": "ກ",
        "Tibetan": "ཀ",
        "Myanmar": "က",
        "Georgian": "ა",
        "Hangul": "한",
        "Ethiopic": "ሀ",
        "Khmer": "ក",
        "Hiragana": "あ",
        "Katakana": "ア",
        "Han": "漢",
        "Other": "Ꭰ",
    }
    assert set(letters) == set(SCRIPTS)
    for name, letter in letters.items():
        counts = script_counts([letter]).counts[0]
        assert counts[SCRIPTS.index(name)] == 1, name
        assert counts.sum() == 1


def test_shares_of_scripts() -> None:
    result = script_counts(["abc где", "123", "", "漢字x"], n_threads=2)
    np.testing.assert_array_equal(result.share(["Latin"]), [0.5, np.nan, np.nan, 1 / 3])
    np.testing.assert_array_equal(result.share(["Latin", "Han"])[-1], 1)
    rows = result.to_dict()["rows"]
    assert [row["script"] for row in rows] == ["Latin", "Cyrillic", "Han"]
    assert rows[0] == {"script": "Latin", "characters": 4, "lines": 2, "share": 4 / 9}
    assert script_counts([]).to_dict()["rows"] == []
    with pytest.raises(UnknownName, match=r"No script is called Klingon\. Known: Other, Arabic"):
        result.share(["Klingon"])
