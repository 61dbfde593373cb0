"""Edit scripts between forms of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.text.edit_scripts import KEEP, apply_script, edit_script


@pytest.mark.parametrize(
    ("form", "other", "script"),
    [
        ("neočekávali", "očekávat", "=|2||2|t"),
        ("kočky", "kočka", "=|0||1|a"),
        ("Häuser", "haus", "=|2|ha|2|"),
        ("lidé", "člověk", "=|0|č|3|ověk"),
        ("ČÁST", "část", "l|0||0|"),
        ("go", "went", "=|0||2|went"),
        ("a|b", "a|c", "=|0||1|c"),
        ("word", "word", KEEP),
    ],
)
def test_what_a_script_says(form: str, other: str, script: str) -> None:
    assert edit_script(form, other) == script
    assert apply_script(script, form) == other


def test_a_script_changes_other_words_likewise() -> None:
    assert apply_script(edit_script("neočekávali", "očekávat"), "neslyšeli") == "slyšet"
    assert apply_script("=|2||2|t", "abc") is None
    assert apply_script("=|0||1|", "a") is None  # nothing would be left
    assert [apply_script(wrong, "a") for wrong in ("", "_", "x|0||0|", "=|a||0|", "=|1|2")] == [None] * 5


@given(st.text(min_size=1, max_size=20), st.text(min_size=1, max_size=20))
def test_a_script_gives_what_it_was_made_from(form: str, other: str) -> None:
    if "\x1f" not in form + other:
        assert apply_script(edit_script(form, other), form) == other


def test_long_words_are_replaced_whole() -> None:
    assert apply_script(edit_script("a" * 100, "b" * 100), "a" * 100) == "b" * 100
    assert edit_script("a" * 100, "a" * 100) == KEEP
