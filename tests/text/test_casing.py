"""Case by the rules of the language; Python's own methods are the oracle where no language has a say."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragoman._core import text as core
from dragoman.errors import DataError, UnknownName
from dragoman.text.casing import case_rules, lowercase, sentence_case, truecase_by_lemma, uppercase

# Letters, marks and stops that decide on a sigma, letters that grow, digraphs, dotted and dotless i.
tricky = st.text(
    st.sampled_from("ΣσςaΑI iıİßẞﬁǆǅŉ'’.-\u0301\u0307\u0345\u00ad\u200dʰ漢1ႠაᲐ\x00") | st.characters(codec="utf-8")
)


@pytest.mark.parametrize(("ours", "theirs"), [(lowercase, str.lower), (uppercase, str.upper)])
def test_every_character_as_in_python(ours: object, theirs: object) -> None:
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    different = [char for char, cased in zip(characters, ours(characters), strict=True) if cased != theirs(char)]  # type: ignore[operator]
    if unicodedata.unidata_version == core.CASE_UNICODE_VERSION:
        assert different == []
    else:  # a newer Python knows a few letters more
        assert len(different) < 150


@given(tricky)
@example("ΑΣ")
@example("A\u0345Σ\u0345")
@example("ΑΣ\u00adΑ")
@example("ʰΣ")
def test_strings_as_in_python(line: str) -> None:
    if unicodedata.unidata_version == core.CASE_UNICODE_VERSION:
        assert lowercase([line]) == [line.lower()]
        assert uppercase([line], "fr") == [line.upper()]


@pytest.mark.parametrize("lang", ["tr", "az", "tr-CY", "tur"])
def test_turkish_and_azeri_have_two_letters_i(lang: str) -> None:
    assert lowercase(["IĞDIR, DİYARBAKIR", "I\u0307"], lang) == ["ığdır, diyarbakır", "i"]
    assert uppercase(["ığdır, diyarbakır"], lang) == ["IĞDIR, DİYARBAKIR"]
    assert sentence_case(["istanbul", "ısparta"], lang) == ["İstanbul", "Isparta"]


def test_german_has_no_everyday_capital_for_sharp_s() -> None:
    assert lowercase(["STRAẞE", "STRASSE"], "de") == ["straße", "strasse"]
    assert uppercase(["Straße"], "de") == ["STRAßE"]
    assert uppercase(["Straße"], "de-AT", sharp_s="double") == ["STRASSE"]
    assert uppercase(["Straße"], "de", sharp_s="capital") == ["STRAẞE"]
    assert uppercase(["Straße"]) == ["STRASSE"]
    assert uppercase(["Straße in ẞ"], "en", sharp_s="keep") == ["STRAßE IN ẞ"]
    assert uppercase(["ß i"], "tr", sharp_s="capital") == ["ẞ İ"]
    with pytest.raises(DataError, match="sharp_s must be one of 'keep', 'double', 'capital'"):
        uppercase(["ß"], "de", sharp_s="drop")


def test_dutch_begins_with_two_capitals() -> None:
    assert sentence_case(["ijsland", "“ijs”", "i j", "ja"], "nl") == ["IJsland", "“IJs”", "I j", "Ja"]
    assert sentence_case(["ijsland"], "en") == ["Ijsland"]
    assert uppercase(["ijs"], "nl") == ["IJS"]


@pytest.mark.parametrize(
    ("line", "cased"),
    [
        ("", ""),
        ("hello World", "Hello World"),
        ("(“hello”)", "(“Hello”)"),
        ("3 cats", "3 cats"),
        ("¿dónde?", "¿Dónde?"),
        ("… ... !", "… ... !"),
        ("ǆungla", "ǅungla"),
        ("ßcharf", "ßcharf"),
        ("გამარჯობა", "გამარჯობა"),  # Georgian sentences have no capital
        ("漢字 a", "漢字 a"),
    ],
)
def test_a_sentence_begins_with_a_capital(line: str, cased: str) -> None:
    assert sentence_case([line]) == [cased]


@pytest.mark.parametrize(
    ("form", "lemma", "cased"),
    [
        ("The", "the", "the"),
        ("LONDÝNEM", "Londýn", "Londýnem"),
        ("Praze", "Praha", "Praze"),
        ("natos", "NATO", "NATOs"),
        ("IPHONES", "iPhone", "iPhones"),
        ("MCDONALD'S", "McDonald's", "McDonald's"),
        ("Me", "I", "me"),
        ("i", "I", "I"),
        ("HÄUSERN", "Haus", "Häusern"),
        ("Went", "go", "went"),
        ("Better", "Good", "Better"),  # a lemma of another spelling still lends the case of its first letter
        ("X", "_", "X"),
        ("Xy", "", "Xy"),
        ("1990s", "1990", "1990s"),
        ("", "Name", ""),
    ],
)
def test_a_lemma_lends_its_case(form: str, lemma: str, cased: str) -> None:
    assert truecase_by_lemma([[form]], [[lemma]]) == [[cased]]


def test_lemma_lines_keep_their_shape() -> None:
    assert truecase_by_lemma([["A", "B"], [], ["C"]], [["a", "B"], [], ["c"]], n_threads=7) == [["a", "B"], [], ["c"]]
    assert truecase_by_lemma([], []) == []
    with pytest.raises(DataError, match="one line per segment, got tokens=1, lemmas=0"):
        truecase_by_lemma([["a"]], [])
    with pytest.raises(DataError, match="Line 2 has 2 tokens but 1 lemmas"):
        truecase_by_lemma([[], ["a", "b"]], [[], ["a"]])


@pytest.mark.parametrize("function", [lowercase, uppercase, sentence_case])
def test_bad_input(function: object) -> None:
    call = function
    assert call([]) == []  # type: ignore[operator]
    assert len(call(["x" * 1_000_000])[0]) == 1_000_000  # type: ignore[operator]
    with pytest.raises(TypeError, match="expected a sequence of str, got one str"):
        call("abc")  # type: ignore[operator]
    with pytest.raises(DataError, match="Line 2 holds a lone surrogate"):
        call(["a", "\ud800"])  # type: ignore[operator]
    with pytest.raises(UnknownName, match="is no language tag"):
        call(["a"], "klingon")  # type: ignore[operator]


@pytest.mark.parametrize("n_threads", [2, 7])
def test_threads_change_nothing(n_threads: int) -> None:
    lines = [f"ΑΣ {i} ẞ I" for i in range(50)]
    for function in (lowercase, uppercase, sentence_case):
        assert function(lines, "tr", n_threads=n_threads) == function(lines, "tr")


def test_rules_by_language() -> None:
    assert case_rules(None) == case_rules("en") == core.CaseRules.STANDARD
    assert case_rules("gsw") == core.CaseRules.GERMAN
