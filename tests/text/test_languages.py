"""Language tags: one spelling for each, and a named error for what is none."""

from __future__ import annotations

import pytest

from dragoman.errors import UnknownName
from dragoman.text.languages import (
    LANGUAGE_NAMES,
    base_language,
    expected_scripts,
    language_name,
    parse_language,
    text_direction,
)
from dragoman.text.unicode import SCRIPTS


@pytest.mark.parametrize(
    ("tag", "canonical", "base"),
    [
        ("zh_CN", "zh-CN", "zh"),
        ("EN-US", "en-US", "en"),
        ("deu", "de", "de"),
        ("ger", "de", "de"),
        ("de", "de", "de"),
        (" pt_br ", "pt-BR", "pt"),
        ("iw", "he", "he"),
        ("cmn", "cmn", "zh"),
        ("arb", "arb", "ar"),
        ("yue", "yue", "zh"),
        ("nb", "nb", "nb"),
        ("gsw", "gsw", "gsw"),
        ("zh-hant-tw", "zh-Hant-TW", "zh"),
        ("sh", "sr-Latn", "sr"),
        ("de_AT.UTF-8@euro", "de-AT", "de"),
        ("und", "und", "und"),
        ("x-elvish", "x-elvish", "x-elvish"),
    ],
)
def test_tags_have_one_spelling(tag: str, canonical: str, base: str) -> None:
    assert parse_language(tag) == canonical
    assert parse_language(canonical) == canonical
    assert base_language(tag) == base


@pytest.mark.parametrize("tag", ["", "C", "xx", "klingon", "en_", "12", "de en", "ö"])
def test_what_is_no_tag_is_named(tag: str) -> None:
    with pytest.raises(UnknownName, match=r"is no language tag\. Use a BCP 47 tag such as 'de'"):
        parse_language(tag)


@pytest.mark.parametrize(("tag", "meant"), [("cz", "cs"), ("JP", "ja"), ("German", "de"), ("norwegian bokmål", "nb")])
def test_the_tag_that_was_meant_is_offered(tag: str, meant: str) -> None:
    with pytest.raises(UnknownName, match=f"Did you mean '{meant}'"):
        parse_language(tag)


@pytest.mark.parametrize(
    ("tag", "direction", "scripts"),
    [
        ("en", "ltr", ("Latin",)),
        ("ar", "rtl", ("Arabic",)),
        ("fa-IR", "rtl", ("Arabic",)),
        ("he", "rtl", ("Hebrew",)),
        ("yi", "rtl", ("Hebrew",)),
        ("dv", "rtl", ("Other",)),
        ("ja", "ltr", ("Han", "Hiragana", "Katakana")),
        ("ko", "ltr", ("Hangul", "Han")),
        ("zh-Hant", "ltr", ("Han",)),
        ("ru", "ltr", ("Cyrillic",)),
        ("sr", "ltr", ("Cyrillic", "Latin")),
        ("sr-Latn", "ltr", ("Latin",)),
        ("sr-Cyrl", "ltr", ("Cyrillic",)),
        ("pa", "ltr", ("Gurmukhi",)),
        ("pa-PK", "rtl", ("Arabic",)),
        ("chr", "ltr", ("Other",)),
        ("und", "ltr", ()),
        ("mul", "ltr", ()),
        ("x-elvish", "ltr", ()),
        ("und-Arab", "rtl", ("Arabic",)),
    ],
)
def test_direction_and_scripts(tag: str, direction: str, scripts: tuple[str, ...]) -> None:
    assert text_direction(tag) == direction
    assert expected_scripts(tag) == scripts


def test_names() -> None:
    assert language_name("pt_br") == "Portuguese (BR)"
    assert language_name("deu") == "German"
    assert language_name("cmn") == "Chinese (cmn)"
    assert language_name("tlh") == "tlh"


def test_the_table_of_names_is_sound() -> None:
    assert len(LANGUAGE_NAMES) >= 100
    assert list(LANGUAGE_NAMES) == sorted(LANGUAGE_NAMES)
    for tag in LANGUAGE_NAMES:
        assert parse_language(tag) == tag
        assert set(expected_scripts(tag)) <= set(SCRIPTS)
