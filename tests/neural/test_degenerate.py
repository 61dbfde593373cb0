"""Translations that are none are told from translations."""

from __future__ import annotations

import pytest

from dragoman.neural.degenerate import degeneration

SOURCES = [f"Satz {n}" for n in range(20)]
GOOD = [f"This is sentence {n} of all that there are ." for n in range(20)]


@pytest.mark.parametrize(
    ("translations", "said"),
    [
        (GOOD, ""),
        (["a a a a", *GOOD[1:]], ""),  # one in twenty
        ([f"the {n} a a a a" for n in range(20)], "100% repeat a word"),
        ([f"{n} of the of the of the of the" for n in range(20)], "100% repeat a word"),
        ([f"{n} " + "x y z " * 7 for n in range(10)] + GOOD[10:], "50% repeat a word"),
        ([f"これは{n}" + "とと" * 9 + "。" for n in range(20)], "100% repeat a word"),  # written without spaces
        ([f"{n}番の" + "犬です" * 5 for n in range(20)], "100% repeat a word"),
        ([f"{n}番の犬が公園で赤いボールを追いかけています。" for n in range(20)], ""),
        ([f"the {n} Prommmmmmint" for n in range(20)], "100% repeat a word"),  # pieces of words, over and over
        ([f"{n} exportierierierierier wurde" for n in range(20)], "100% repeat a word"),
        ([f"{n} Schifffahrt, www.a.org, 1000000 ...... mississippi" for n in range(20)], ""),
        (["a man"] * 5 + GOOD[5:], "25% are one and the same line"),
        ([""] * 20, "100% are empty"),
        (["a a a a"] * 20, "100% repeat a word over and over, 100% are one and the same line"),
    ],
)
def test_what_degenerates_is_told_with_its_share(translations: list[str], said: str) -> None:
    doubt = degeneration(SOURCES, translations, GOOD).doubt
    assert bool(doubt) == bool(said)
    assert said in doubt
    assert not said or "Of 20 translations" in doubt


def test_what_references_do_is_no_fault() -> None:
    chant = [f"{n} hey hey hey hey hey" for n in range(20)]
    assert degeneration(SOURCES, chant, chant).doubt == ""
    assert degeneration(["Ja"] * 20, ["Yes"] * 20, ["Yes"] * 20).doubt == ""  # one source
    assert degeneration([], [], []).doubt == ""
